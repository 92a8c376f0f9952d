"""A request: what was sent, its caller, and the headers of its response."""

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from contextlib import asynccontextmanager
from functools import cached_property, partial
from typing import Any, Protocol, TypeVar
from uuid import UUID

from frontdesk.auth.customer_reads import NOBODY, ShownCustomers
from frontdesk.auth.rate_limit import RateLimitStatus
from frontdesk.auth.types import Caller
from frontdesk.http.app_state import AppState
from frontdesk.http.authentication import Authentication
from frontdesk.http.body import MAX_BODY_BYTES, WHOLE_BODY, Body, body_too_slow
from frontdesk.http.errors import WireError
from frontdesk.http.problems import RequestProblem
from frontdesk.http.request_connection import RequestConnection
from frontdesk.http.responses import Response
from frontdesk.http.uploads import UPLOAD, Upload, receive_upload
from frontdesk.postgres.connection_guard import require_no_connection
from frontdesk.postgres.idempotency import StoredResponse, find_response
from frontdesk.postgres.pool import Connection, Pool
from frontdesk.postgres.query import ApiCaller, Query, fetch
from frontdesk.postgres.replica import ReplicaUnusable, find_last_write, store_last_write
from frontdesk.problems import Problem
from frontdesk.runtime.slow_work import QUERIES, RECEIVING, SlowWork
from frontdesk.runtime.time_limits import time_limit
from frontdesk.values.actor import Actor
from frontdesk.values.origin import sent_origin

T = TypeVar("T")
REQUEST_SECONDS = 15.0  # until the response begins, without the time in which the body arrives
CONNECTION_WAIT_SECONDS = 2.0  # of one request, for all its connections to the database together


class Surface(Protocol):
    """Says what is wrong: as JSON, or as a page in the language of its reader."""

    def error(self, problem: Problem, /) -> WireError: ...

    def render_error(self, request: "Request", error: WireError, /) -> Response: ...


class Request:
    __slots__ = (
        "__dict__",
        "_authentication",
        "_body",
        "_body_error",
        "_caller",
        "_held",
        "_sent",
        "began",
        "cookies",
        "created_id",
        "creates",
        "customers",
        "database_seconds",
        "error",
        "extra_scopes",
        "fields",
        "headers",
        "is_dry_run",
        "is_replayed",
        "limit",
        "page",
        "path",
        "rate",
        "reads_only",
        "receive",
        "records",
        "refusal",
        "request_id",
        "resources",
        "route",
        "scope",
        "span",
        "statements",
        "token_hash",
        "turn",
        "upload",
        "wait",
        "writes",
    )

    def __init__(
        self, scope: dict[str, Any], receive: Callable[[], Awaitable[Any]], resources: AppState, request_id: str
    ) -> None:
        self.scope = scope
        self.receive = receive
        self.resources = resources
        self.request_id = request_id
        self.limit = time_limit(REQUEST_SECONDS, resources.deadlines)
        self.wait = CONNECTION_WAIT_SECONDS  # what is left of it
        self.turn: Hashable = None  # whose it is to wait for a connection; None: that of a stranger
        self.path: str = scope["path"]
        self._sent: dict[bytes, bytes] = dict(scope["headers"])
        self.headers: dict[str, str] = {}  # of the response
        self.cookies: list[str] = []  # of the response, as values of Set-Cookie
        self.error: str | None = None  # the code, if the response is an error
        self.refusal: WireError | None = None  # the same, as it is answered
        self.page: Callable[[], Surface] | None = None  # which says what is wrong, instead of JSON
        self.route = ""
        self.records = 1  # in the response
        self.fields: tuple[str, ...] = ()  # that the records in the response have; none: all
        self.customers: ShownCustomers = NOBODY  # in the response
        self.is_dry_run = False
        self.is_replayed = False  # the response was stored by an earlier request
        self.writes = False  # by an act
        self.creates: str | None = None  # the type of what a successful request creates
        self.created_id: UUID | None = None
        self.extra_scopes: dict[str, int] = {}  # in addition to that of the route, with the records that each read
        self.statements, self.database_seconds = 0, 0.0
        self.began = time.time()
        self.span: Any = None  # of the traces
        self.token_hash: bytes | None = None  # of the Open API
        self.rate: RateLimitStatus | None = None  # of the caller of an API
        self.tenant_id: UUID | None = None  # of the caller, or of the user who is signed in
        self.upload: Upload | None = None  # of a form with a file
        self._body: Body | None = None
        self._body_error: Problem | None = None
        self._caller: Caller | None = None
        self._authentication: Authentication | None = None
        self._held: Connection | None = None
        self.reads_only = False  # each connection is in a transaction in which the database refuses every write

    def about(self) -> dict[str, str]:
        """For the log."""
        return {"request_id": self.request_id, "route": self.route}

    @property
    def method(self) -> str:
        method: str = self.scope["method"]
        return "GET" if method == "HEAD" else method

    @property
    def caller(self) -> Caller:
        if self._caller is None:
            raise RuntimeError("the caller is not authenticated yet")
        return self._caller

    @property
    def actor(self) -> Actor:
        return Actor(self.caller.type, self.caller.id, self.address)

    @property
    def known_caller(self) -> Caller | None:
        return self._caller

    def identify(self, caller: Caller) -> None:
        self._caller = caller
        self.tenant_id = caller.tenant_id

    def require(self, authentication: Authentication) -> None:
        """The first statement of the request authenticates it."""
        self._authentication = authentication

    async def authenticate(self) -> None:
        """In a statement of its own, unless an earlier statement has done it."""
        if self._authentication is not None:
            async with self.connection() as conn:
                await self._authentication.check(self, conn)

    async def fetch(self, query: Query[T]) -> T:
        """Runs a query; the first one of a request authenticates it in the same statement."""
        if self.resources.replica is not None and query.is_late and self.header(b"frontdesk-read") == "replica":
            await self.authenticate()
            return await self.read_late(self.caller.tenant_id, partial(self.fetch_as_caller, query=query))
        async with self.connection() as conn:
            if self._authentication is not None:
                return await self._authentication.check_and_fetch(self, conn, query)
            return await self.fetch_as_caller(conn, query)

    async def load(self, query: Query[T], key: str | None) -> StoredResponse | T:
        """Runs the query of a write, unless a response is stored under the Idempotency-Key."""
        async with self.connection() as conn:
            if self._authentication is not None:
                return await self._authentication.check_and_load(self, conn, query, key)
            caller = self.caller
            stored = None if key is None else await find_response(conn, caller.tenant_id, caller.id, key)
            return await self.fetch_as_caller(conn, query) if stored is None else stored

    async def fetch_as_caller(self, conn: Connection, query: Query[T]) -> T:
        caller = self.caller
        return await fetch(conn, caller.tenant_id, query, ApiCaller(caller.id, caller.branch_id, sorted(caller.scopes)))

    async def read_late(
        self, tenant_id: UUID, work: Callable[[Connection], Awaitable[T]], primary: Pool | None = None
    ) -> T:
        """A read of a business that may miss what others write now. The only place that decides for the replica."""
        if self.resources.replica is not None:
            async with self.connection() as conn:
                position = await find_last_write(conn, tenant_id)
            try:
                return await self.resources.replica.read(self._counted(work), position)
            except ReplicaUnusable:
                pass
        if primary is None:
            async with self.connection() as conn:
                return await work(conn)
        async with primary.connection() as conn:
            return await self._counted(work)(conn)

    def _counted(self, work: Callable[[Connection], Awaitable[T]]) -> Callable[[Connection], Awaitable[T]]:
        """On a connection of another pool than that of requests."""

        async def run(conn: Connection) -> T:
            try:
                return await work(conn)
            finally:
                self._count(conn)

        return run

    def _count(self, conn: Connection) -> None:
        self.statements += conn.statements
        self.database_seconds += conn.seconds

    async def read_slowly(
        self, tenant_id: UUID, work: Callable[[Connection], Awaitable[T]], *, has_begun: bool = False
    ) -> T:
        """The same for statements that read much: businesses take turns."""
        async with QUERIES.turn(tenant_id, has_begun=has_begun):
            return await self.read_late(tenant_id, work, self.resources.slow_database)

    async def note_write(self) -> None:
        """Before a request that may have written is answered: the next read of the business must not miss it."""
        may_have_written = self.method != "GET" and not self.is_dry_run
        if self.resources.replica is not None and may_have_written and self.tenant_id is not None:
            async with self.resources.database.connection(self.turn) as conn:
                await store_last_write(conn, self.tenant_id)

    def claim_turn(self, secret: Hashable) -> None:
        """Of the tenant to which the secret, or the public page, is known to belong."""
        self.turn = self.resources.known_callers.find(secret)

    def confirm_turn(self, secret: Hashable, turn: Hashable | None) -> None:
        """The database has said whose it is; None if it is nobody's."""
        known = self.resources.known_callers
        if turn is None:
            known.forget(secret)
        elif self.turn != turn:
            known.remember(secret, turn)
        self.turn = turn

    def end_authentication(self) -> None:
        """The database has answered, whether it accepts the credential or not."""
        self._authentication = None

    def header(self, name: bytes) -> str | None:
        """The last value of a request header, as latin-1; names are lower case."""
        found = self._sent.get(name)
        return None if found is None else found.decode("latin-1")

    def count_header(self, name: bytes) -> int:
        return sum(sent == name for sent, _ in self.scope["headers"])

    @property
    def address(self) -> str:
        client = self.scope.get("client")
        return client[0] if client else ""

    @cached_property
    def origin(self) -> str:
        """The public origin: the operator's setting, else the host that the caller used."""
        if self.resources.settings.origin:
            return self.resources.settings.origin
        return sent_origin(self.scope["scheme"], self._sent.get(b"host", b""), self.scope.get("server"))

    def connection(self) -> RequestConnection:
        """A pooled connection. Inside `pinned_connection` always the pinned one, so that one transaction covers all."""
        return RequestConnection(self, self._held)

    @asynccontextmanager
    async def pinned_connection(self) -> AsyncIterator[Connection]:
        async with self.connection() as conn:
            self._held = conn
            try:
                yield conn
            finally:
                self._held = None

    @asynccontextmanager
    async def slow_connection(
        self, business: UUID, kind: SlowWork = QUERIES, *, has_begun: bool = False
    ) -> AsyncIterator[Connection]:
        """For statements that read much: few connections, at which businesses take turns."""
        async with kind.turn(business, has_begun=has_begun), self.resources.slow_database.connection() as conn:
            try:
                yield conn
            finally:
                self._count(conn)

    async def read_body(self, max_bytes: int = MAX_BODY_BYTES) -> None:
        """Called before authentication, because a credential could be revoked while a slow body arrives.

        The error of a body that is too large is raised when the body is used, after errors that have precedence.
        """
        require_no_connection("the request's body")
        self._body = Body(self.resources.body_budget)
        self._body.raw = self.scope.get(WHOLE_BODY, b"")
        if 0 < len(self._body.raw) <= max_bytes:
            return
        self.limit.stop()
        try:
            await self._body.read(self.receive, self.header(b"content-length"), max_bytes)
        except Problem as problem:
            if problem.kind is not RequestProblem.TOO_LARGE:
                raise
            self._body_error = problem
        self.limit.restart()

    async def read_upload(self, business: UUID, max_bytes: int) -> Upload:
        """A form with a large file. It is received after the access was checked, because it is written to the disk."""
        require_no_connection("the request's body")
        self.take_time()
        self.scope[UPLOAD] = True
        self.upload = Upload()
        async with RECEIVING.turn(business):
            try:
                await receive_upload(self, self.upload, max_bytes)
            except TimeoutError:
                raise body_too_slow() from None
        return self.upload

    def take_time(self) -> None:
        """For work with many steps, such as a whole archive: each statement has a limit, the request has none."""
        self.limit.stop()

    @property
    def raw_body(self) -> bytes:
        if self._body_error is not None:
            raise self._body_error
        return self._body.raw if self._body is not None else b""

    @property
    def readable_body(self) -> bytes:
        """Empty if it is too large: that error has less precedence."""
        return b"" if self._body_error is not None else self.raw_body

    def release_body(self) -> None:
        if self.upload is not None:
            self.upload.close()
        if self._body is not None:
            self._body.release()
