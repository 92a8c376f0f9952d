"""The OpenAPI descriptions of both APIs, built once."""

from functools import cache
from typing import Any

import msgspec

from frontdesk.apis.open.api import PREFIX as OPEN_API_PREFIX
from frontdesk.apis.open.api import open_api
from frontdesk.apis.openapi.document import KEY_API, OPEN_API, describe
from frontdesk.apis.pos.api import PREFIX as KEY_API_PREFIX
from frontdesk.apis.pos.api import pos_api
from frontdesk.errors import StartupError

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
