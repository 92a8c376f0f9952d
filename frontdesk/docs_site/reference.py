"""Swagger UI over the two descriptions, from the files of its package: nothing is fetched from elsewhere."""

import gzip
from functools import cache
from importlib.resources import files

from frontdesk.docs_site.descriptions import description_addresses
from frontdesk.docs_site.pages import page
from frontdesk.http.request import Call
from frontdesk.http.responses import Answer

ASSETS = {
    "/docs/assets/swagger-ui.css": "text/css",
    "/docs/assets/swagger-ui-bundle.js": "text/javascript",
}
_KEPT = {"cache-control": "public, max-age=86400", "x-content-type-options": "nosniff", "vary": "accept-encoding"}


async def reference_page(name: str, _call: Call) -> Answer:
    address = next(address for address, key in description_addresses().items() if key == name)
    titles = {"open-api": "Open API", "key-api": "Key interface"}
    return page("reference.html", title=titles[name], here=f"/docs/{name}", description=address)


async def reference_asset(call: Call) -> Answer:
    body, packed = _asset(call.path)
    if "gzip" in (call.header(b"accept-encoding") or ""):
        return Answer(packed, headers={**_KEPT, "content-encoding": "gzip"}, content_type=ASSETS[call.path])
    return Answer(body, headers=_KEPT, content_type=ASSETS[call.path])


@cache
def _asset(path: str) -> tuple[bytes, bytes]:
    body = files("swagger_ui").joinpath("static", path.rpartition("/")[2]).read_bytes()
    return body, gzip.compress(body)
