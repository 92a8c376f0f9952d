"""Finds system fonts for PDFs. No font is bundled, because a good Arabic font is larger than the whole package."""

import os
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import msgspec

FOLDERS = tuple(
    Path(os.path.expanduser(folder))
    for folder in (
        "/usr/share/fonts",
        "/usr/local/share/fonts",
        "~/.local/share/fonts",
        "~/.fonts",
        "/Library/Fonts",
        "~/Library/Fonts",
        "/System/Library/Fonts",
    )
)


class Face(msgspec.Struct, frozen=True):
    regular: Path
    bold: Path


class Faces(msgspec.Struct, frozen=True):
    arabic: Face
    latin: Face
    fallback: Face | None  # for characters that the others lack

    def named(self) -> list[tuple[str, Face]]:
        named = [("arabic", self.arabic), ("latin", self.latin)]
        return [*named, ("fallback", self.fallback)] if self.fallback else named


class MissingFont(Exception):
    """No installed font has the characters; the message says what to install."""


# Files of the regular and bold styles, best first.
_ARABIC = (
    ("NotoNaskhArabic-Regular.ttf", "NotoNaskhArabic-Bold.ttf"),
    ("Amiri-Regular.ttf", "Amiri-Bold.ttf"),
    ("NotoSansArabic-Regular.ttf", "NotoSansArabic-Bold.ttf"),
    ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"),
    ("Arial.ttf", "Arial Bold.ttf"),
)
_LATIN = (
    ("NotoSans-Regular.ttf", "NotoSans-Bold.ttf"),
    ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"),
    ("Amiri-Regular.ttf", "Amiri-Bold.ttf"),
    ("Arial.ttf", "Arial Bold.ttf"),
)
_WIDEST = (("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"),)
_INSTALL = (
    "the PDF of an invoice needs a font with {letters} letters, and none was found in {folders}. "
    "Install one, on Debian: apt-get install fonts-noto-core (or fonts-hosny-amiri). The printed page needs none."
)


@lru_cache(maxsize=8)
def find_faces(folders: Sequence[Path]) -> Faces:
    """Cached, except if nothing is found."""
    files = _list_files(folders)
    arabic, latin = _first(files, _ARABIC), _first(files, _LATIN)
    if arabic is None or latin is None:
        letters = "Latin" if arabic else "Arabic"
        raise MissingFont(_INSTALL.format(letters=letters, folders=", ".join(map(str, folders))))
    return Faces(arabic, latin, _first(files, _WIDEST))


def _list_files(folders: Sequence[Path]) -> dict[str, Path]:
    known = {name for pair in (*_ARABIC, *_LATIN) for name in pair}
    return {path.name: path for folder in reversed(folders) for path in folder.rglob("*.ttf") if path.name in known}


def _first(files: dict[str, Path], candidates: Sequence[tuple[str, str]]) -> Face | None:
    for regular, bold in candidates:
        if regular in files:
            return Face(files[regular], files.get(bold, files[regular]))
    return None
