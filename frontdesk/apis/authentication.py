"""Authentication of API requests by a token or key; each API decides what it accepts."""

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from frontdesk.apis.faults import befall, injected_error
from frontdesk.auth.authenticate import Credential, authenticate, authenticate_and_fetch, authenticate_and_load
from frontdesk.auth.queries import revoke_token
from frontdesk.auth.types import AuthResult
from frontdesk.http.authentication import ClockDiffers, FaultsSet
from frontdesk.http.request import Request
from frontdesk.postgres.idempotency import StoredResponse, find_response
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import Query
from frontdesk.tenants.fault_queries import FaultKind
from frontdesk.values.clock import seconds_ahead

T = TypeVar("T")
_SANDBOX = "/sandbox/"  # in the routes with which faults are set and cleared


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
        if result is not None and result.has_faults and _SANDBOX not in request.route:
            raise FaultsSet

    async def befall(self, request: Request, operation: str) -> bool:
        tenant_id = request.caller.tenant_id
        fault = await befall(request, tenant_id, operation)
        if fault is not None and fault.kind is FaultKind.TOKEN_REVOKED:
            async with request.connection() as conn:
                await revoke_token(conn, tenant_id, request.caller.id, self.credential.secret_hash)
            raise injected_error(fault, request.resources.operations.get(operation))
        return fault is not None and fault.kind is FaultKind.LOST_ANSWER

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
