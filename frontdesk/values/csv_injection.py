"""Marks what a spreadsheet would run as a formula with an apostrophe, in exported CSV files, and removes the marks."""

import re

_FORMULA = re.compile("[=+\\-@\uff1d\uff0b\uff0d\uff20\t\r\n]")  # with the wide forms that Asian keyboards have
_NUMBER = re.compile(r"-?\d+(\.\d+)?")
# Where the semicolon separates cells, as in much of Europe, Excel begins a cell after it and a row after a line break:
# the quotation marks of a cell between commas mean nothing there. A minus alone begins a list or a smiley, no formula.
_LATER_FORMULA = "[=@\uff1d\uff20]|[+\\-\uff0b\uff0d][^;\t\r\n]*[(|!]"
_UNMARKED = re.compile(f"([;\t\r\n] *)(?={_LATER_FORMULA})")
_MARKED = re.compile(f"([;\t\r\n] *)'(?={_LATER_FORMULA})")


def escape_formulas(text: str) -> str:
    """Also a phone number, so that it stays text."""
    marked = _UNMARKED.sub(r"\1'", text)
    return f"'{marked}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else marked


def unescape_formulas(text: str) -> str:
    """What `escape_formulas` was given."""
    if "'" not in text:
        return text
    text = _MARKED.sub(r"\1", text)
    return text[1:] if text.startswith("'") and _FORMULA.match(text, 1) else text
