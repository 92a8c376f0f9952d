"""Answers with static files, from memory: no request path is used to open a file."""

import gzip
import mimetypes
from functools import cache
from typing import NamedTuple

from frontdesk.http.request import Request
from frontdesk.http.responses import Response
from frontdesk.problems import or_not_found
from frontdesk.ui.shell.assets import Asset, assets

_FOR_EVER = "public, max-age=31536000, immutable"  # an address with the hash of the content
_CHECKED = "public, no-cache"  # any other address: asked for each time, answered with 304
_TYPES = mimetypes.MimeTypes()
_TYPES.add_type("image/webp", ".webp")  # Python 3.11 does not know it
_TEXTS = (".css", ".js", ".svg")  # pictures are compressed already


class _StaticFile(NamedTuple):
    body: bytes
    compressed: bytes | None
    content_type: str
    digest: str


@cache
def static_files() -> dict[str, _StaticFile]:
    """Put together and compressed once, when the server starts."""
    return {f"/static/{name}": _compress(name, asset) for name, asset in assets().items()}


def _compress(name: str, asset: Asset) -> _StaticFile:
    content_type = _TYPES.guess_type(name)[0] or "application/octet-stream"
    compressed = gzip.compress(asset.body, mtime=0) if name.endswith(_TEXTS) else None
    return _StaticFile(asset.body, compressed, content_type, asset.digest)


async def static_file(request: Request) -> Response:
    request.route = "GET /static"
    found = or_not_found(static_files().get(request.path), "file")
    is_compressed = found.compressed is not None and "gzip" in (request.header(b"accept-encoding") or "")
    tag = f'"{found.digest}{"-gzip" if is_compressed else ""}"'
    headers = {
        "cache-control": _FOR_EVER if request.scope["query_string"].decode("latin-1") == found.digest else _CHECKED,
        "etag": tag,
        "vary": "accept-encoding",
        "x-content-type-options": "nosniff",
    }
    if tag in (request.header(b"if-none-match") or ""):
        return Response(b"", 304, headers)
    if is_compressed and found.compressed is not None:
        return Response(found.compressed, 200, {**headers, "content-encoding": "gzip"}, found.content_type)
    return Response(found.body, 200, headers, found.content_type)
