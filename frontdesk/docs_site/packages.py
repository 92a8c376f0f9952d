"""The packages of this installation: their page and their files."""

import asyncio
from urllib.parse import parse_qs

from frontdesk.docs_site.labels import labels
from frontdesk.docs_site.pages import page
from frontdesk.http.request import Request
from frontdesk.http.responses import Response
from frontdesk.packages.offered import (
    ADDRESS,
    EXAMPLES,
    PYTHON_CLIENT,
    SERVICE,
    TYPESCRIPT_CLIENT,
    built_package,
    offered_packages,
)

_HEADERS = {"cache-control": "public, no-cache", "access-control-allow-origin": "*"}
_LINES = {
    PYTHON_CLIENT: ("pip install", PYTHON_CLIENT),
    SERVICE: ("pip install", PYTHON_CLIENT, SERVICE),
    TYPESCRIPT_CLIENT: ("npm install", TYPESCRIPT_CLIENT),
    EXAMPLES: ("curl -O", EXAMPLES),
}


async def packages_page(request: Request) -> Response:
    offered = offered_packages()
    asked = parse_qs(request.scope["query_string"].decode("ascii", "replace")).get("language")
    language = "ar" if asked == ["ar"] else "en"
    built = {name: await asyncio.to_thread(built_package, name) for name in offered}
    return page(
        request,
        "packages.html",
        language,
        title=labels(language)["packages"],
        here=ADDRESS,
        packages=[(package, _line(name, request.origin), built[name].sha256) for name, package in offered.items()],
    )


def _line(name: str, origin: str) -> str:
    command, *needed = _LINES[name]
    offered = offered_packages()
    addresses = [f"{origin}{offered[other].address}" for other in needed if other in offered]
    return f"{command} " + " \\\n  ".join(addresses)


async def package_file(name: str, request: Request) -> Response:
    built = await asyncio.to_thread(built_package, name)
    tag = f'"{built.sha256}"'
    if request.header(b"if-none-match") == tag:
        return Response(b"", 304, {"etag": tag, **_HEADERS})
    return Response(built.content, 200, {"etag": tag, **_HEADERS}, offered_packages()[name].content_type)
