"""One folding of text for every comparison that must not depend on the database's collation; and one trimming."""

from unicodedata import category, normalize

# Control and format characters (zero-width ones, marks of direction), spaces, and marks that need a letter before them.
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Zs", "Zl", "Zp", "Mn", "Me"})
# Letters and symbols that are drawn as nothing: fillers of Hangul, the Braille blank, the null note head.
_BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800\U0001d159")


def search_key(text: str) -> str:
    """Composed again at the end, because folding case can leave letters taken apart."""
    return normalize("NFKC", normalize("NFKC", text).casefold())


def trim(text: str) -> str:
    """Without the spaces around it; empty where nothing of it can be seen."""
    text = text.strip()
    return text if not text or "!" <= text[0] <= "~" or any(map(_is_visible, text)) else ""


def _is_visible(character: str) -> bool:
    return category(character) not in _INVISIBLE and character not in _BLANK
