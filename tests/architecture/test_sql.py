"""The layout of SQL files. Formatters for SQL leave the bodies of PL/pgSQL functions as they are, and most of ours is
such bodies.
"""

import re
from pathlib import Path

import frontdesk

_FILES = sorted((Path(frontdesk.__file__).parent / "postgres").rglob("*.sql"))
_NO_CODE = re.compile(r"""--[^\n]*|'(?:[^']|'')*'|"[^"]*\"""")
# Without those that are also names of columns or functions of ours.
_KEYWORD = re.compile(
    r"(?<![\w.])(?:all|and|as|asc|begin|between|by|case|check|conflict|constraint|create|cross|declare|default|delete"
    r"|desc|distinct|do|drop|else|elsif|end|exception|execute|exists|exit|for|foreign|from|full|group|having|if|in"
    r"|index|inner|insert|into|is|join|lateral|left|limit|loop|not|null|on|or|order|over|partition|perform|primary"
    r"|raise|references|return|returning|returns|select|set|table|then|union|unique|update|using|values|view|when"
    r"|where|while|with)\b(?! *\()"
)


def test_there_are_sql_files_to_check() -> None:
    assert {path.parent.name for path in _FILES} == {"functions", "migrations"}


def test_sql_lines_are_short_and_have_no_trailing_spaces() -> None:
    wrong = [
        f"{path.name}:{number}"
        for path in _FILES
        for number, line in enumerate(path.read_text("utf-8").split("\n"), 1)
        if len(line) > 120 or "\t" in line or line != line.rstrip()
    ]
    assert wrong == []


def test_files_end_with_one_line_break() -> None:
    texts = {path.name: path.read_text("utf-8") for path in _FILES}
    assert [name for name, text in texts.items() if not text.endswith("\n") or text.endswith("\n\n")] == []


def test_keywords_are_in_upper_case() -> None:
    wrong = {path.name: _KEYWORD.findall(_NO_CODE.sub("", path.read_text("utf-8"))) for path in _FILES}
    assert {name: words for name, words in wrong.items() if words} == {}


def test_lines_are_indented_by_blocks() -> None:
    """Not under a word of the line above, which moves all lines below it when it changes."""
    outline = re.compile(r"(?: {4})*\S|$")
    wrong = [
        f"{path.name}:{number}"
        for path in _FILES
        for number, line in enumerate(path.read_text("utf-8").split("\n"), 1)
        if not outline.match(line)
    ]
    assert wrong == []
