"""One folding of text for every comparison that must not depend on the database's collation."""

from unicodedata import normalize


def fold(text: str) -> str:
    """Composed again at the end, because folding case can leave letters taken apart."""
    return normalize("NFKC", normalize("NFKC", text).casefold())
