"""Static files, read once into memory, so that no request path is used to open a file."""

import mimetypes
from functools import cache
from pathlib import Path

from frontdesk.errors import not_found
from frontdesk.http.request import Request
from frontdesk.http.responses import Response

_FOLDER = Path(__file__).parent.parent / "static"


@cache
def _files() -> dict[str, tuple[bytes, str]]:
    return {
        f"/static/{path.relative_to(_FOLDER).as_posix()}": (
            path.read_bytes(),
            mimetypes.guess_type(path.name)[0] or "application/octet-stream",
        )
        for path in sorted(_FOLDER.rglob("*"))
        if path.is_file()
    }


async def static_file(request: Request) -> Response:
    request.route = "GET /static"
    found = _files().get(request.path)
    if found is None:
        raise not_found("file")
    body, content_type = found
    headers = {"cache-control": "public, max-age=86400", "x-content-type-options": "nosniff"}
    return Response(body, headers=headers, content_type=content_type)
