"""Swagger UI for both APIs, served from its package, without requests to other origins."""

import gzip
from functools import cache
from importlib.resources import files

from frontdesk.docs_site.descriptions import description_addresses
from frontdesk.docs_site.pages import page
from frontdesk.http.request import Request
from frontdesk.http.responses import Response

ASSETS = {
    "/docs/assets/swagger-ui.css": "text/css",
    "/docs/assets/swagger-ui-bundle.js": "text/javascript",
}
_KEPT = {"cache-control": "public, max-age=86400", "x-content-type-options": "nosniff", "vary": "accept-encoding"}


async def reference_page(name: str, _call: Request) -> Response:
    address = next(address for address, key in description_addresses().items() if key == name)
    titles = {"open-api": "Open API", "key-api": "POS API"}
    return page("reference.html", title=titles[name], here=f"/docs/{name}", description=address)


async def reference_asset(request: Request) -> Response:
    body, packed = _asset(request.path)
    if "gzip" in (request.header(b"accept-encoding") or ""):
        return Response(packed, headers={**_KEPT, "content-encoding": "gzip"}, content_type=ASSETS[request.path])
    return Response(body, headers=_KEPT, content_type=ASSETS[request.path])


@cache
def _asset(path: str) -> tuple[bytes, bytes]:
    body = files("swagger_ui").joinpath("static", path.rpartition("/")[2]).read_bytes()
    return body, gzip.compress(body)
