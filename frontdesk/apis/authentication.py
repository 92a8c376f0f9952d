"""Authentication of API requests by a token or key; each API decides what it accepts."""

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from frontdesk.auth.authenticate import Credential, authenticate, authenticate_and_fetch, authenticate_and_look
from frontdesk.auth.types import AuthResult
from frontdesk.http.request import Request
from frontdesk.postgres.idempotency import StoredResponse
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import Query

T = TypeVar("T")


class CredentialAuthentication(NamedTuple):
    credential: Credential
    accept: Callable[[Request, AuthResult | None], None]  # identifies the caller, or raises

    async def check(self, request: Request, conn: Connection) -> None:
        result = await authenticate(conn, self.credential)
        request.end_authentication()
        self.accept(request, result)

    async def check_and_fetch(self, request: Request, conn: Connection, query: Query[T]) -> T:
        result, row = await authenticate_and_fetch(conn, self.credential, query)
        request.end_authentication()
        self.accept(request, result)
        return query.result(row)

    async def check_and_look(
        self, request: Request, conn: Connection, query: Query[T], key: str | None
    ) -> StoredResponse | T:
        result, stored, row = await authenticate_and_look(conn, self.credential, query, key)
        request.end_authentication()
        self.accept(request, result)
        return query.result(row) if stored is None else stored
