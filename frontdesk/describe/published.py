"""The two descriptions of this code, made once."""

from functools import cache
from typing import Any

import msgspec

from frontdesk.describe.document import KEY_API, OPEN_API, describe
from frontdesk.errors import StartupError
from frontdesk.key_api.surface import PREFIX as KEY_API_PREFIX
from frontdesk.key_api.surface import key_api
from frontdesk.open_api.surface import PREFIX as OPEN_API_PREFIX
from frontdesk.open_api.surface import open_api

PREFIXES = {OPEN_API.key: OPEN_API_PREFIX, KEY_API.key: KEY_API_PREFIX}
NAMES = tuple(PREFIXES)


@cache
def description(name: str) -> dict[str, Any]:
    if name == OPEN_API.key:
        return describe(open_api(), OPEN_API)
    if name == KEY_API.key:
        return describe(key_api(), KEY_API)
    raise StartupError(f"there is no interface {name!r}: choose from {', '.join(NAMES)}")


@cache
def description_bytes(name: str) -> bytes:
    return msgspec.json.encode(description(name))
