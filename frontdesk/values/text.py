"""Normalization of text for comparisons that must not depend on the collation of the database, and trimming."""

from unicodedata import category, normalize

# Control and format characters (zero-width, direction marks), spaces, and combining marks.
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Zs", "Zl", "Zp", "Mn", "Me"})
# Letters and symbols without a visible glyph: Hangul fillers, the Braille blank, the null note head.
_BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800\U0001d159")


def search_key(text: str) -> str:
    """Normalized again at the end, because case folding can decompose letters."""
    return normalize("NFKC", normalize("NFKC", text).casefold())


def trim(text: str) -> str:
    """Strips surrounding spaces; returns an empty string if no character is visible."""
    text = text.strip()
    return text if not text or "!" <= text[0] <= "~" or any(map(_is_visible, text)) else ""


def _is_visible(character: str) -> bool:
    return category(character) not in _INVISIBLE and character not in _BLANK
