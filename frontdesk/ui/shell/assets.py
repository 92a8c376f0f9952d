"""Style sheets, scripts and pictures, as they are served: read once, each at an address with a hash of its content.

Browsers keep such an address for ever. A script that imports others names their addresses, so its own hash changes
whenever one of theirs does.
"""

import hashlib
import posixpath
import re
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from markupsafe import Markup
from PIL import Image

from frontdesk.ui.shell.time_classes import time_rules

_FOLDER = Path(__file__).parent.parent.parent / "static"
_STYLES = "styles/"  # a folder in it is one style sheet
_IMPORT = re.compile(r'(^import |^} from |^(?:im|ex)port [^"]* from )"(\.[^"]*)"', re.MULTILINE)


class Asset(NamedTuple):
    body: bytes
    digest: str
    imports: tuple[str, ...]  # names of the scripts that it needs, those that they need too


@cache
def assets() -> dict[str, Asset]:
    files = (path.relative_to(_FOLDER).as_posix() for path in sorted(_FOLDER.rglob("*")) if path.is_file())
    sheets = (f"{_STYLES}{path.name}.css" for path in sorted((_FOLDER / _STYLES).iterdir()))
    return {name: _read(name) for name in (*(name for name in files if not name.startswith(_STYLES)), *sheets)}


@cache
def _read(name: str) -> Asset:
    body = _join(name) if name.startswith(_STYLES) else (_FOLDER / name).read_bytes()
    imports: dict[str, None] = {}  # in their order

    def with_hash(found: re.Match[str]) -> str:
        other = posixpath.normpath(posixpath.join(posixpath.dirname(name), found[2]))
        imports.update(dict.fromkeys((other, *_read(other).imports)))
        return f'{found[1]}"{found[2]}?{_read(other).digest}"'

    if name.endswith(".js"):
        body = _IMPORT.sub(with_hash, body.decode()).encode()
    return Asset(body, hashlib.sha256(body).hexdigest()[:10], tuple(imports))


def _join(name: str) -> bytes:
    """The files of a folder, by their names. Rules of times come last: they set what the components leave open."""
    files = sorted((_FOLDER / name.removesuffix(".css")).glob("*.css"), key=lambda path: path.stem)
    times = [time_rules().encode()] if name == f"{_STYLES}pages.css" else []
    return b"\n".join([*(path.read_bytes() for path in files), *times])


@cache
def asset(name: str) -> str:
    """The address of a file of frontdesk/static."""
    return f"/static/{name}?{_read(name).digest}"


def picture_size(name: str) -> tuple[int, int]:
    with Image.open(BytesIO(_read(name).body)) as picture:
        return picture.size


@cache
def scripts(names: str, *, later: bool = False) -> Markup:
    """Loads scripts of frontdesk/static/scripts, named in one text, and at the same time all that they import.

    `later`: after what is needed to draw the page, with which they would share a slow line.
    """
    entries = [f"scripts/{name}" for name in names.split()]
    imported = dict.fromkeys(name for entry in entries for name in _read(entry).imports)
    low = ' fetchpriority="low"' if later else ""
    preloads = [f'<link rel="modulepreload"{low} href="{asset(name)}">' for name in imported if name not in entries]
    tags = [f'<script type="module"{low} src="{asset(entry)}"></script>' for entry in entries]
    return Markup("".join([*preloads, *tags]))  # noqa: S704 - our own names
