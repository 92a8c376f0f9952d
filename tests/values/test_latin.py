"""Arabic names in Latin letters, for addresses."""

import pytest

from frontdesk.values.latin import latin


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("صالون نورة", "salon-nora"),
        ("ليان ستوديو", "liyan-studio"),
        ("الرياض", "al-riyad"),
        ("محمد", "mahmad"),
        ("لمسة جمال", "lamsa-jamal"),
        ("ورد", "ward"),
        ("جوهرة", "johra"),
        ("عيادة حسن ٣", "clinic-hasn-3"),
        ("يارا بيوتي", "yara-beauty"),
        ("قَصْر", "qasr"),
        ("Café Ñandú 2", "cafe-nandu-2"),
        ("Layan & Co.", "layan-co"),
        ("استوديو لمسة | Lamsa Studio", "lamsa-studio"),
        ("日本", ""),
        ("", ""),
    ],
)
def test_a_name_can_be_read_in_latin_letters(name: str, words: str) -> None:
    assert latin(name) == words
