"""Response headers, and which response has which."""

from typing import Any

from frontdesk.http.endpoints import Endpoint
from frontdesk.http.errors import Code
from frontdesk.http.writes import DRY_RUN


def _header(text: str, kind: str = "string", *, always: bool = False, **more: Any) -> dict[str, Any]:  # noqa: ANN401
    return {"description": text, "required": always, "schema": {"type": kind, **more}}


HEADERS: dict[str, dict[str, Any]] = {
    "X-Request-Id": _header(
        "Identifier of this request in the logs. A valid one sent by the client is echoed.", always=True
    ),
    "Frontdesk-Ignored": _header(
        "Names of unknown body fields and query parameters, such as `statuss, items.0.qty`. They were ignored. At "
        "most 20."
    ),
    "RateLimit-Policy": _header('Rate limit policy, such as `"default";q=60;w=60`. Absent if authentication fails.'),
    "RateLimit": _header('Remaining requests, such as `"default";r=41;t=12`. Absent if authentication fails.'),
    "X-RateLimit-Limit": _header("Maximum number of requests in any 60 seconds.", "integer", minimum=1),
    "X-RateLimit-Remaining": _header("Number of requests remaining.", "integer", minimum=0),
    "X-RateLimit-Reset": _header("Seconds until the next request becomes available.", "integer", minimum=1),
    "Retry-After": _header("Seconds to wait before the next request.", "integer", minimum=1, maximum=86400),
    "WWW-Authenticate": _header("Authentication scheme, and the missing scope if there is one.", always=True),
    "Scope-Challenge": _header("The missing scope, if the error is `insufficient_scope`."),
    "Pragma": _header("`no-cache`, unless the request was refused before it was read.", enum=["no-cache"]),
    "Idempotent-Replayed": _header(
        "`true` if this is the stored response of an earlier request with the same Idempotency-Key.", enum=["true"]
    ),
    "Frontdesk-Dry-Run": _header("`true` if this is the answer to a dry run: nothing was written.", enum=["true"]),
    "Frontdesk-Dry-Run-Events": _header("Types of the events that the request would emit, of a dry run."),
    "ETag": _header("Version of the response, for `If-None-Match`.", always=True),
    "Cache-Control": _header("`no-store`, or `no-cache` if the response has an ETag.", always=True),
    "Content-Disposition": _header("File name of the document."),
    "Deprecation": _header("Time of deprecation, as `@` and seconds since the Unix epoch (RFC 9745).", always=True),
    "Sunset": _header("Time after which the operation is unavailable (RFC 8594).", always=True),
    "Link": _header("URL of the successor."),
}
# Names of components that are not those of their header, because the header is required elsewhere.
_SENT_AS = {"Scope-Challenge": "WWW-Authenticate"}
_RATE = ("RateLimit-Policy", "RateLimit", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")


def header_names(operation: Endpoint, status: int) -> list[str]:
    names = ["X-Request-Id", "Cache-Control", "Frontdesk-Ignored"]
    if operation.requires_auth and status != 401:
        names += _RATE
    if status == 401:
        names.append("WWW-Authenticate")
    names_scope = operation.scope is not None or operation.field_scopes or Code.INSUFFICIENT_SCOPE in operation.errors
    if status == 403 and names_scope:
        names.append("Scope-Challenge")
    if operation.path.startswith("/oauth/"):
        names.append("Pragma")
    if status in (409, 429, 503):
        names.append("Retry-After")
    if operation.writes and 200 <= status < 300:
        names.append("Idempotent-Replayed")
    if operation.can_dry_run:
        names += [DRY_RUN, f"{DRY_RUN}-Events"] if status < 400 else [DRY_RUN]
    if operation.deprecation:
        names += ["Deprecation", "Sunset", *(["Link"] if operation.deprecation.successor else [])]
    if status < 400:
        names += ["ETag"] if operation.docs.has_etag else []
        names += operation.docs.headers
    return names


def references(names: list[str]) -> dict[str, Any]:
    return {_SENT_AS.get(name, name): {"$ref": f"#/components/headers/{name}"} for name in names}
