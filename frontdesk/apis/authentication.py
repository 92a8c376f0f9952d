"""Authentication of API requests by a token or key; each API decides what it accepts."""

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from frontdesk.auth.authenticate import Credential, authenticate, authenticate_and_fetch, authenticate_and_load
from frontdesk.auth.types import AuthResult
from frontdesk.http.authentication import ClockDiffers
from frontdesk.http.request import Request
from frontdesk.postgres.idempotency import StoredResponse, find_response
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import Query
from frontdesk.values.clock import seconds_ahead

T = TypeVar("T")


class CredentialAuthentication(NamedTuple):
    credential: Credential
    accept: Callable[[Request, AuthResult | None], None]  # identifies the caller, or raises

    async def check(self, request: Request, conn: Connection) -> None:
        self._accept(request, await authenticate(conn, self.credential))

    async def check_and_fetch(self, request: Request, conn: Connection, query: Query[T]) -> T:
        if request.resources.settings.is_distributed:
            return await self._check_then_fetch(request, conn, query)
        result, row = await authenticate_and_fetch(conn, self.credential, query)
        self._accept(request, result)
        return query.result(row)

    async def check_and_load(
        self, request: Request, conn: Connection, query: Query[T], key: str | None
    ) -> StoredResponse | T:
        if request.resources.settings.is_distributed:
            return await self._check_then_load(request, conn, query, key)
        result, stored, row = await authenticate_and_load(conn, self.credential, query, key)
        self._accept(request, result)
        return query.result(row) if stored is None else stored

    def _accept(self, request: Request, result: AuthResult | None) -> None:
        if result is not None and result.clock_ahead != seconds_ahead():
            raise ClockDiffers(result.clock_ahead)
        request.end_authentication()
        request.confirm_turn(self.credential.secret_hash, None if result is None else result.caller.tenant_id)
        self.accept(request, result)

    # Citus routes a query to the node of its tenant, unless the query calls a function that reads tables.

    async def _check_then_fetch(self, request: Request, conn: Connection, query: Query[T]) -> T:
        await self.check(request, conn)
        return await request.fetch_as_caller(conn, query)

    async def _check_then_load(
        self, request: Request, conn: Connection, query: Query[T], key: str | None
    ) -> StoredResponse | T:
        await self.check(request, conn)
        caller = request.caller
        stored = None if key is None else await find_response(conn, caller.tenant_id, caller.id, key)
        return await request.fetch_as_caller(conn, query) if stored is None else stored
