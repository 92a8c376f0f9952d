"""The key-authenticated interface under its prefix and guard."""

from frontdesk.apis.pos import checkout as pos
from frontdesk.apis.pos import invoices, lookups, metadata, tags
from frontdesk.apis.pos import order_changes as till
from frontdesk.apis.pos import orders as sales
from frontdesk.apis.pos.authentication import pos_api_authenticator
from frontdesk.http.endpoints import Api

PREFIX = "/api/v1"


def pos_api() -> Api:
    return Api(
        "Key interface",
        PREFIX,
        pos_api_authenticator(),
        [file.operations for file in (pos, sales, till, invoices, tags, lookups, metadata)],
    )
