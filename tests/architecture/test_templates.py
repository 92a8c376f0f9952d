"""The layout of templates. Formatters for HTML add white space between words, so none is used."""

import re
from pathlib import Path

import frontdesk

_TEMPLATES = sorted(Path(frontdesk.__file__).parent.glob("**/templates/*.html"))
_LONGEST_LINE = 160
_MACRO = re.compile(r"{%-? macro (\w+)")
_UNCLEAR = frozenset({"foot", "head", "how", "what", "when", "where", "who", "why"})


def test_there_are_templates_to_check() -> None:
    assert len(_TEMPLATES) > 200


def test_template_lines_are_short_and_have_no_trailing_spaces() -> None:
    wrong = [
        f"{path.name}:{number}"
        for path in _TEMPLATES
        for number, line in enumerate(path.read_text("utf-8").split("\n"), 1)
        if len(line) > _LONGEST_LINE or "\t" in line or line != line.rstrip()
    ]
    assert wrong == []


def test_macros_are_named_after_what_they_draw() -> None:
    wrong = [
        (path.name, name)
        for path in _TEMPLATES
        for name in _MACRO.findall(path.read_text("utf-8"))
        if name in _UNCLEAR or len(name) < 3
    ]
    assert wrong == []
