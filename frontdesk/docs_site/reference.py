"""The API reference: a page for each operation, and Swagger UI, from its package, to send requests."""

import gzip
from functools import cache
from importlib.resources import files

from frontdesk.apis.openapi.build import NAMES
from frontdesk.docs_site.descriptions import description_addresses
from frontdesk.docs_site.operations import ADDRESS, API_TITLES, find_operation, groups
from frontdesk.docs_site.pages import indented, page
from frontdesk.docs_site.samples import samples
from frontdesk.http.request import Request
from frontdesk.http.responses import Response

ASSETS = {
    "/docs/assets/swagger-ui.css": "text/css",
    "/docs/assets/swagger-ui-bundle.js": "text/javascript",
}
_KEPT = {"cache-control": "public, max-age=86400", "x-content-type-options": "nosniff", "vary": "accept-encoding"}


async def reference_index(request: Request) -> Response:
    apis = [(name, API_TITLES[name], groups(name)) for name in NAMES]
    return page(request, "reference_index.html", title="API reference", here=ADDRESS, apis=apis)


async def operation_page(api: str, id_: str, request: Request) -> Response:
    operation = find_operation(api, id_)
    listed = [other for group in groups(operation.api) for other in group.operations]
    index = listed.index(operation)
    return page(
        request,
        "operation.html",
        title=operation.title,
        here=operation.address,
        operation=operation,
        api_title=API_TITLES[operation.api],
        groups=groups(operation.api),
        apis=[(API_TITLES[name], groups(name)[0].operations[0].address, name == operation.api) for name in NAMES],
        samples=samples(operation, request.origin),
        answer=None if operation.response is None else indented(operation.response),
        previous=listed[index - 1] if index else None,
        next=listed[index + 1] if index + 1 < len(listed) else None,
    )


async def try_page(name: str, request: Request) -> Response:
    """Swagger UI, without requests to other origins."""
    address = next(address for address, key in description_addresses().items() if key == name)
    return page(request, "try.html", title=API_TITLES[name], here=f"/docs/{name}", description=address)


async def reference_asset(request: Request) -> Response:
    body, packed = _asset(request.path)
    if "gzip" in (request.header(b"accept-encoding") or ""):
        return Response(packed, headers={**_KEPT, "content-encoding": "gzip"}, content_type=ASSETS[request.path])
    return Response(body, headers=_KEPT, content_type=ASSETS[request.path])


@cache
def _asset(path: str) -> tuple[bytes, bytes]:
    body = files("swagger_ui").joinpath("static", path.rpartition("/")[2]).read_bytes()
    return body, gzip.compress(body)
