"""A connection to the database for one request, whose statements are counted."""

import time
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any

import asyncpg
from asyncpg import Record

from frontdesk.http.known_callers import stranger
from frontdesk.postgres.pool import Connection, PooledConnection

if TYPE_CHECKING:
    from frontdesk.http.request import Request


class RequestConnection(PooledConnection):
    """Its statements are added to the count of the request."""

    __slots__ = ("_held", "_reading", "_request")

    def __init__(self, request: "Request", held: Connection | None) -> None:
        super().__init__(request.resources.database, request.turn or stranger(request.address))
        self._request = request
        self._held = held
        self._reading: AbstractAsyncContextManager[object] | None = None

    async def __aenter__(self) -> Connection:
        if self._held is not None:
            return self._held
        conn = await super().__aenter__()
        if self._request.reads_only:
            await self._begin_reading(conn)
        return conn

    async def _begin_reading(self, conn: Connection) -> None:
        self._reading = conn.read_only()
        try:
            await self._reading.__aenter__()
        except BaseException as failure:
            self.release(type(failure), failure, None)
            raise

    async def _take(self) -> "asyncpg.Connection[Record]":
        """All connections of a request together are waited for once."""
        began = time.monotonic()
        try:
            return await self._database.take(self._tenant, self._request.wait)
        finally:
            self._request.wait -= time.monotonic() - began

    async def __aexit__(self, *failure: Any) -> None:  # noqa: ANN401
        if self._held is not None:
            return
        try:
            if self._reading is not None:
                await self._reading.__aexit__(*failure)
        finally:
            self._request.database_seconds += self._connection.seconds
            self._request.statements += self.release(*failure)
