"""The POS API: its endpoints under one prefix, authenticated by API key."""

from frontdesk.apis.pos import checkout as pos
from frontdesk.apis.pos import invoices, lookups, metadata, tags
from frontdesk.apis.pos import order_changes as till
from frontdesk.apis.pos import orders as sales
from frontdesk.apis.pos.authentication import authenticate_pos_api
from frontdesk.http.endpoints import Api

PREFIX = "/api/v1"


def pos_api() -> Api:
    return Api(
        "POS API",
        PREFIX,
        authenticate_pos_api,
        [file.operations for file in (pos, sales, till, invoices, tags, lookups, metadata)],
    )
