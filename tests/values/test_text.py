"""Text that people take for the same folds to the same."""

import pytest

from frontdesk.values.text import search_key


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("STRASSE", "straße"),
        ("Ｖｉｐ", "vip"),
        ("Amélie", "Ame\u0301lie"),
        ("\ufefb", "لا"),
        ("ΐ", "\u03b9\u0308\u0301"),
    ],
)
def test_the_same_text_written_differently_folds_alike(left: str, right: str) -> None:
    assert search_key(left) == search_key(right)


def test_different_letters_stay_different() -> None:
    assert search_key("سارة") != search_key("ساره")


@pytest.mark.parametrize("text", ["İstanbul", "ΐ", "ß", "ﷺ", "Ǆ"])
def test_folding_twice_changes_nothing(text: str) -> None:
    assert search_key(search_key(text)) == search_key(text)
