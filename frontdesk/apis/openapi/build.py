"""The OpenAPI descriptions of both APIs, built once."""

from functools import cache
from typing import Any

import msgspec

from frontdesk.apis.open.api import PREFIX as OPEN_API_PREFIX, open_api
from frontdesk.apis.openapi.document import KEY_API, OPEN_API, describe
from frontdesk.apis.openapi.operations import error_codes
from frontdesk.apis.pos.api import PREFIX as KEY_API_PREFIX, pos_api
from frontdesk.errors import StartupError
from frontdesk.http.endpoints import Endpoint
from frontdesk.http.errors import Code, OperationErrors

PREFIXES = {OPEN_API.key: OPEN_API_PREFIX, KEY_API.key: KEY_API_PREFIX}
NAMES = tuple(PREFIXES)


@cache
def description(name: str) -> dict[str, Any]:
    if name == OPEN_API.key:
        return describe(open_api(), OPEN_API)
    if name == KEY_API.key:
        return describe(pos_api(), KEY_API)
    raise StartupError(f"there is no interface {name!r}: choose from {', '.join(NAMES)}")


@cache
def description_bytes(name: str) -> bytes:
    return msgspec.json.encode(description(name))


def operation_ids(name: str) -> list[str]:
    """Without building the description."""
    api = open_api() if name == OPEN_API.key else pos_api()
    return [operation.handler.__name__ for operation in api.operations]


@cache
def operation_errors() -> dict[str, OperationErrors]:
    """Of both APIs, by method and path, without their prefixes. What both have answers the errors of either."""
    found: dict[str, OperationErrors] = {}
    for api, interface in ((open_api(), OPEN_API), (pos_api(), KEY_API)):
        for endpoint in api.operations:
            route = f"{endpoint.method} {endpoint.path}"
            errors = _errors_of(endpoint, tuple(error_codes(endpoint, interface.auth_errors)))
            known = found.get(route, errors)
            found[route] = known._replace(codes=tuple(dict.fromkeys(known.codes + errors.codes)))
    return found


def _errors_of(endpoint: Endpoint, codes: tuple[Code, ...]) -> OperationErrors:
    taken = endpoint.body or endpoint.query
    fields = [] if taken is None else msgspec.structs.fields(taken)
    named = next((field for field in fields if field.required), fields[0] if fields else None)
    return OperationErrors(
        codes, endpoint.scope, named.encode_name if named else None, is_required=named is not None and named.required
    )
