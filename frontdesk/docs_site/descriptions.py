"""Serves the OpenAPI descriptions, each under the prefix of its API."""

import hashlib
from functools import cache

from frontdesk.apis.openapi.build import PREFIXES, description_bytes
from frontdesk.http.request import Request
from frontdesk.http.responses import Response


def description_addresses() -> dict[str, str]:
    """Maps paths to names."""
    return {f"{prefix}/openapi.json": name for name, prefix in PREFIXES.items()}


async def description_page(name: str, request: Request) -> Response:
    """Public, and readable from any origin, because it contains no data of a tenant."""
    body, tag = description_bytes(name), _tag(name)
    headers = {"etag": tag, "cache-control": "public, max-age=300", "access-control-allow-origin": "*"}
    if request.header(b"if-none-match") == tag:
        return Response(b"", 304, headers)
    return Response(body, headers=headers)


@cache
def _tag(name: str) -> str:
    return f'"{hashlib.sha256(description_bytes(name)).hexdigest()[:32]}"'
