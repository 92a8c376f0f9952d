"""The bare reference: the least that returns the same responses with the same server, driver and database.

It runs one statement per request and checks nothing: no authentication, no rate limit, no validation, no log, no event.
It knows its tenants and their time zone in advance, and only what their data contains: no time off, no closed day, no
opening past midnight. Its rows obey every constraint and trigger that the service's rows obey.
"""

import os
from datetime import date
from functools import partial
from typing import Any
from uuid import UUID

import asyncpg
import msgspec

from bench.reference.server import ReferenceApp, Request, Response, serve
from bench.reference.sql import AVAILABILITY, CREATE, DETAIL, LIST

_ZONE = "Asia/Riyadh"
_decode = msgspec.json.Decoder().decode


class ReferenceTenants(msgspec.Struct):
    """The tenant of each kind of request."""

    reads: UUID | None = None
    orders: UUID | None = None
    availability: UUID | None = None


def bare_reference(dsn: str, tenants: ReferenceTenants) -> ReferenceApp:
    return ReferenceApp(dsn, partial(_respond, tenants), timezone=_ZONE)


async def _respond(tenants: ReferenceTenants, raw: "asyncpg.Connection[Any]", request: Request) -> Response:
    path = request.path
    if path == "/orders" and request.method == "GET":
        text = await raw.fetchval(LIST, tenants.reads, request.url, 1, 25)
    elif path == "/orders":
        return Response(201, (await _create(tenants.orders, raw, _decode(request.body))).encode())
    elif path == "/availability":
        text = await _availability(tenants.availability, raw, _decode(request.body))
    else:
        text = await raw.fetchval(DETAIL, tenants.reads, path.removeprefix("/orders/"))
    return Response(200, text.encode())


async def _availability(tenant_id: UUID | None, raw: "asyncpg.Connection[Any]", query: dict[str, Any]) -> str:
    text: str = await raw.fetchval(
        AVAILABILITY, tenant_id, query["service_id"], query["staff_id"], date.fromisoformat(query["date"]), 7
    )
    return text


async def _create(tenant_id: UUID | None, raw: "asyncpg.Connection[Any]", order: dict[str, Any]) -> str:
    line, payment = order["items"][0], order["payment"]
    text: str = await raw.fetchval(
        CREATE,
        tenant_id,
        order["team_id"],
        order["customer_id"],
        line["id"],
        line["staff_id"],
        order["start"],
        payment["payment_method_id"],
        str(payment["amount"]),
        None,
    )
    return text


if __name__ == "__main__":
    known = msgspec.json.decode(os.environ["BENCH_TENANTS"], type=ReferenceTenants)
    serve(lambda dsn: bare_reference(dsn, known))
