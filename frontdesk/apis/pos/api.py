"""The POS API: its endpoints under one prefix, authenticated by API key."""

from frontdesk.apis.pos import checkout as pos
from frontdesk.apis.pos import invoices, lookups, metadata, tags
from frontdesk.apis.pos import order_changes as till
from frontdesk.apis.pos import orders as sales
from frontdesk.apis.pos.authentication import pos_api_authenticator
from frontdesk.http.endpoints import Api

PREFIX = "/api/v1"


def pos_api() -> Api:
    return Api(
        "POS API",
        PREFIX,
        pos_api_authenticator(),
        [file.operations for file in (pos, sales, till, invoices, tags, lookups, metadata)],
    )
