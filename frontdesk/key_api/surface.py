"""The key-authenticated interface under its prefix and guard."""

from frontdesk.key_api import invoices, lookups, metadata, pos, sales, tags, till
from frontdesk.key_api.guard import key_api_guard
from frontdesk.web.surface import Surface

PREFIX = "/api/v1"


def key_api() -> Surface:
    return Surface(
        "Key interface",
        PREFIX,
        key_api_guard(),
        [file.operations for file in (pos, sales, till, invoices, tags, lookups, metadata)],
    )
