"""The published descriptions, at the address of the interface that each of them is about."""

import hashlib
from functools import cache

from frontdesk.apis.openapi.build import PREFIXES, description_bytes
from frontdesk.http.request import Request
from frontdesk.http.responses import Response


def description_addresses() -> dict[str, str]:
    """Address to name."""
    return {f"{prefix}/openapi.json": name for name, prefix in PREFIXES.items()}


async def description_page(name: str, request: Request) -> Response:
    """Anybody may read it, from any page: it holds nothing of any business."""
    body, tag = description_bytes(name), _tag(name)
    headers = {"etag": tag, "cache-control": "public, max-age=300", "access-control-allow-origin": "*"}
    if request.header(b"if-none-match") == tag:
        return Response(b"", 304, headers)
    return Response(body, headers=headers)


@cache
def _tag(name: str) -> str:
    return f'"{hashlib.sha256(description_bytes(name)).hexdigest()[:32]}"'
