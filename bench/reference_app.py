"""The bare reference: what the same server, driver and database could do at best for the same answers.

One statement a request, JSON written by PostgreSQL, nothing checked, nobody asked who they are. It knows one sandbox
for reading, one for writing and one for availability, and only what the measured data holds: no time off, no closed
day, no opening past midnight. What it writes obeys every constraint and trigger that the service's rows obey.
"""

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

from bench.reference_sql import AVAILABILITY, CREATE, DETAIL, LIST

Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]

_decode = msgspec.json.Decoder().decode
_PREFIX = "/open-api/v1"


class TenantIds(msgspec.Struct):
    reading: UUID
    writing: UUID
    availability: UUID


class ReferenceApp:
    def __init__(self, dsn: str, tenant_ids: TenantIds) -> None:
        self._dsn = dsn
        self._tenant_ids = tenant_ids
        self._free: deque[asyncpg.Connection[Any]] = deque()

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        raw = self._free.pop() if self._free else await self._connect()
        body = await self._answer(raw, scope, receive)
        self._free.append(raw)
        head = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        status = 201 if scope["method"] == "POST" and scope["path"].endswith("/orders") else 200
        await send({"type": "http.response.start", "status": status, "headers": head})
        await send({"type": "http.response.body", "body": body})

    async def _answer(self, raw: "asyncpg.Connection[Any]", scope: dict[str, Any], receive: Receive) -> bytes:
        path = scope["path"].removeprefix(_PREFIX)
        if scope["method"] == "GET" and path == "/orders":
            host = next(value for name, value in scope["headers"] if name == b"host").decode()
            text = await raw.fetchval(LIST, self._tenant_ids.reading, f"http://{host}{scope['path']}")
        elif scope["method"] == "GET":
            text = await raw.fetchval(DETAIL, self._tenant_ids.reading, path.removeprefix("/orders/"))
        elif path == "/orders":
            text = await self._create(raw, _decode((await receive())["body"]))
        else:
            asked = _decode((await receive())["body"])
            first = date.fromisoformat(asked["date"])
            text = await raw.fetchval(
                AVAILABILITY, self._tenant_ids.availability, asked["service_id"], asked["staff_id"], first
            )
        return text.encode()  # type: ignore[no-any-return]

    async def _create(self, raw: "asyncpg.Connection[Any]", order: dict[str, Any]) -> str:
        line, payment = order["items"][0], order["payment"]
        text: str = await raw.fetchval(
            CREATE,
            self._tenant_ids.writing,
            order["team_id"],
            order["customer_id"],
            line["id"],
            line["staff_id"],
            order["start"],
            payment["payment_method_id"],
            str(payment["amount"]),
        )
        return text

    async def _connect(self) -> "asyncpg.Connection[Any]":
        settings = {"jit": "off", "timezone": "UTC", "plan_cache_mode": "force_generic_plan"}
        return await asyncpg.connect(self._dsn, server_settings=settings)


def main() -> None:
    """Listens on the descriptor that its parent made, so that the port is known before the process is up."""
    listening = socket.socket(fileno=int(sys.argv[1]))
    app = ReferenceApp(os.environ["BENCH_DSN"], msgspec.json.decode(os.environ["BENCH_TENANTS"], type=TenantIds))
    config = uvicorn.Config(
        app, loop="uvloop", http="httptools", ws="none", lifespan="off", log_config=None, access_log=False
    )
    uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main()
