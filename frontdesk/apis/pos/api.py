"""The key-authenticated interface under its prefix and guard."""

from frontdesk.apis.pos import checkout as pos
from frontdesk.apis.pos import invoices, lookups, metadata, tags
from frontdesk.apis.pos import order_changes as till
from frontdesk.apis.pos import orders as sales
from frontdesk.apis.pos.authentication import key_api_guard
from frontdesk.http.endpoints import Surface

PREFIX = "/api/v1"


def key_api() -> Surface:
    return Surface(
        "Key interface",
        PREFIX,
        key_api_guard(),
        [file.operations for file in (pos, sales, till, invoices, tags, lookups, metadata)],
    )
