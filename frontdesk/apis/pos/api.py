"""The POS API: its endpoints under one prefix, authenticated by API key."""

from functools import cache

from frontdesk.apis.dry_run import render_events
from frontdesk.apis.pos import checkout, invoices, lookups, metadata, order_changes, orders, requests, tags
from frontdesk.apis.pos.authentication import authenticate_pos_api
from frontdesk.apis.problems import answer_problem
from frontdesk.http.endpoints import Api

PREFIX = "/api/v1"


@cache
def pos_api() -> Api:
    return Api(
        "POS API",
        PREFIX,
        authenticate_pos_api,
        answer_problem,
        [file.operations for file in (checkout, orders, order_changes, invoices, tags, lookups, metadata, requests)],
        render_events=render_events,
    )
