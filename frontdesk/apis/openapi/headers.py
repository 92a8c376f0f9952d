"""The headers of answers, and which answer has which."""

from typing import Any

from frontdesk.http.endpoints import Endpoint


def _header(text: str, kind: str = "string", *, always: bool = False, **more: Any) -> dict[str, Any]:  # noqa: ANN401
    return {"description": text, "required": always, "schema": {"type": kind, **more}}


HEADERS: dict[str, dict[str, Any]] = {
    "X-Request-Id": _header("Names this request in the log; echoes a sane one that was sent.", always=True),
    "Frontdesk-Ignored": _header(
        "Names of body fields and query parameters that this operation does not know, such as `statuss, items.0.qty`. "
        "They were ignored. At most 20."
    ),
    "RateLimit-Policy": _header('The limit, such as `"default";q=60;w=60`. Once it is known who asks.'),
    "RateLimit": _header('What is left, such as `"default";r=41;t=12`. Once it is known who asks.'),
    "X-RateLimit-Limit": _header("Requests in any 60 seconds.", "integer", minimum=1),
    "X-RateLimit-Remaining": _header("Requests left.", "integer", minimum=0),
    "X-RateLimit-Reset": _header("Seconds until a request is free again.", "integer", minimum=1),
    "Retry-After": _header("Seconds to wait.", "integer", minimum=1, maximum=86400),
    "WWW-Authenticate": _header("How to prove who you are, and which scope is missing.", always=True),
    "Idempotent-Replayed": _header("`true` when this is the kept answer to an earlier request.", enum=["true"]),
    "ETag": _header("Names this state of the record, for If-None-Match.", always=True),
    "Cache-Control": _header("`no-store`; `no-cache` where there is an ETag to ask again with.", always=True),
    "Content-Disposition": _header("The file's name."),
    "Deprecation": _header("Since when this operation should not be used, as `@` and seconds (RFC 9745).", always=True),
    "Sunset": _header("When this operation ends (RFC 8594).", always=True),
    "Link": _header("The address that takes its place."),
}
_RATE = ("RateLimit-Policy", "RateLimit", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")


def header_names(operation: Endpoint, status: int) -> list[str]:
    names = ["X-Request-Id", "Cache-Control", "Frontdesk-Ignored"]
    if operation.requires_auth and status != 401:
        names += _RATE
    if status == 401:
        names.append("WWW-Authenticate")
    if status in (409, 429, 503):
        names.append("Retry-After")
    if operation.writes and 200 <= status < 300:
        names.append("Idempotent-Replayed")
    if operation.deprecation:
        names += ["Deprecation", "Sunset", *(["Link"] if operation.deprecation.successor else [])]
    if status < 400:
        names += ["ETag"] if operation.about.tagged else []
        names += operation.about.headers
    return names


def references(names: list[str]) -> dict[str, Any]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}
