"""The bare reference: the least that returns the same responses with the same server, driver and database.

It runs one statement per request and checks nothing: no authentication, no rate limit, no validation, no log, no event.
It knows its tenants and their time zone in advance, and only what their data contains: no time off, no closed day, no
opening past midnight. Its rows obey every constraint and trigger that the service's rows obey.
"""

import gc
import os
import socket
import sys
from collections import deque
from collections.abc import Awaitable, Callable
from datetime import date
from typing import Any
from uuid import UUID

import asyncpg
import msgspec
import uvicorn

from bench.reference.sql import AVAILABILITY, CREATE, DETAIL, LIST

Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]

_decode = msgspec.json.Decoder().decode
_PREFIX = "/open-api/v1"
_SETTINGS = {  # as the service's
    "jit": "off",
    "timezone": "UTC",
    "plan_cache_mode": "force_generic_plan",
    "random_page_cost": "1.1",
    "enable_seqscan": "off",
}


class ReferenceTenants(msgspec.Struct):
    """The tenant of each kind of request."""

    reads: UUID | None = None
    orders: UUID | None = None
    availability: UUID | None = None


class ReferenceApp:
    def __init__(self, dsn: str, tenants: ReferenceTenants) -> None:
        self._dsn = dsn
        self._tenants = tenants
        self._free: deque[asyncpg.Connection[Any]] = deque()

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        raw = self._free.pop() if self._free else await asyncpg.connect(self._dsn, server_settings=_SETTINGS)
        body = await self._respond(raw, scope, receive)
        self._free.append(raw)
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        status = 201 if scope["method"] == "POST" and scope["path"].endswith("/orders") else 200
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    async def _respond(self, raw: "asyncpg.Connection[Any]", scope: dict[str, Any], receive: Receive) -> bytes:
        path = scope["path"].removeprefix(_PREFIX)
        if path == "/orders" and scope["method"] == "GET":
            host = next(value for name, value in scope["headers"] if name == b"host").decode()
            text = await raw.fetchval(LIST, self._tenants.reads, f"http://{host}{scope['path']}")
        elif path == "/orders":
            text = await self._create(raw, _decode((await receive())["body"]))
        elif path == "/availability":
            text = await self._availability(raw, _decode((await receive())["body"]))
        elif path == "/empty":
            text = await raw.fetchval("SELECT '{}'::text")
        else:
            text = await raw.fetchval(DETAIL, self._tenants.reads, path.removeprefix("/orders/"))
        return text.encode()  # type: ignore[no-any-return]

    async def _availability(self, raw: "asyncpg.Connection[Any]", query: dict[str, Any]) -> str:
        first_day = date.fromisoformat(query["date"])
        text: str = await raw.fetchval(
            AVAILABILITY, self._tenants.availability, query["service_id"], query["staff_id"], first_day
        )
        return text

    async def _create(self, raw: "asyncpg.Connection[Any]", order: dict[str, Any]) -> str:
        line, payment = order["items"][0], order["payment"]
        text: str = await raw.fetchval(
            CREATE,
            self._tenants.orders,
            order["team_id"],
            order["customer_id"],
            line["id"],
            line["staff_id"],
            order["start"],
            payment["payment_method_id"],
            str(payment["amount"]),
        )
        return text


def main() -> None:
    """Listens on the descriptor that its parent opened, so that the port is known before the process is up."""
    listener = socket.socket(fileno=int(sys.argv[1]))
    app = ReferenceApp(os.environ["BENCH_DSN"], msgspec.json.decode(os.environ["BENCH_TENANTS"], type=ReferenceTenants))
    config = uvicorn.Config(
        app, loop="uvloop", http="httptools", ws="none", lifespan="off", log_config=None, access_log=False
    )
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)  # as the service's
    uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main()
