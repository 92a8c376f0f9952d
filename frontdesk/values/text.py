"""Normalization of text for comparisons that must not depend on the collation of the database, and trimming."""

import re
from collections.abc import Iterable, Mapping
from unicodedata import category, decimal, normalize

# Control and format characters (zero-width, direction marks), spaces, and combining marks.
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Zs", "Zl", "Zp", "Mn", "Me"})
# Letters and symbols without a visible glyph: Hangul fillers, the Braille blank, the null note head.
_BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800\U0001d159")
# Accents and vowel marks, the lone hamza, tatweel, and invisible characters.
_DROPPED = re.compile(
    "[\u0300-\u036f\u0610-\u061a\u0621\u0640\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u200b-\u200f\u202a-\u202e\u2060-\u2069\u061c]"
)
# Control characters, and those that turn the direction of the text around them. Tabs and line breaks separate words.
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_BREAKS = re.compile("[ ]*[\t\n\r\u2028\u2029][\t\n\r\u2028\u2029 ]*")
_ALIKE = str.maketrans("\u0671\u0649\u06cc\u06a9\u0629\u00f8\u0142\u0111\u0131", "\u0627\u064a\u064a\u0643\u0647oldi")


def search_key(text: str) -> str:
    """Normalized again at the end, because case folding can decompose letters."""
    return normalize("NFKC", normalize("NFKC", text).casefold())


def fold(text: str) -> str:
    """As the database function `fold_text` does it: a search key in which letters that people exchange are one."""
    return _DROPPED.sub("", normalize("NFKD", search_key(text))).translate(_ALIKE)


def ascii_digits(text: str) -> str:
    """With the decimal digits of other scripts, such as Arabic, replaced by 0 to 9."""
    if text.isascii():
        return text
    return "".join(str(decimal(letter)) if letter.isdecimal() else letter for letter in text)


def is_name_taken(name: Mapping[str, str], others: Iterable[Mapping[str, str]]) -> bool:
    """Whether another record has one of these names in the same language, however it is spelled."""
    taken = {(language, fold(text)) for other in others for language, text in other.items()}
    return any(text and (language, fold(text)) in taken for language, text in name.items())


def trim(text: str) -> str:
    """Strips surrounding spaces, and what must not be in any text: control characters and characters that turn the
    direction of what follows. Returns an empty string if no character is visible.
    """
    text = without_controls(text).strip()
    return text if not text or "!" <= text[0] <= "~" or any(map(_is_visible, text)) else ""


def without_controls(text: str) -> str:
    return text if text.isprintable() else _CONTROLS.sub("", text)


def has_breaks(text: str) -> bool:
    return _BREAKS.search(text) is not None


def one_line(text: str) -> str:
    """A name has one line: a tab or a line break in it becomes a space."""
    return _BREAKS.sub(" ", text)


def _is_visible(character: str) -> bool:
    return category(character) not in _INVISIBLE and character not in _BLANK


def by_language(english: str, arabic: str) -> dict[str, str]:
    """What was entered in the two languages, without the one in which nothing was."""
    return {code: text.strip() for code, text in (("en", english), ("ar", arabic)) if text.strip()}
