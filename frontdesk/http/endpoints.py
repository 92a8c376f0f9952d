"""An API is a table of endpoints under one prefix. A request is routed, authenticated, decoded and handled."""

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar, get_type_hints

import msgspec

from frontdesk.auth.budgets import charge
from frontdesk.auth.customer_reads import ShownCustomers
from frontdesk.http.authentication import Authentication, ClockDiffers, FaultsSet
from frontdesk.http.body import MAX_BODY_BYTES
from frontdesk.http.decoding import convert, decode_object, decode_parameters, one_a_field
from frontdesk.http.deprecation import Deprecation, announce
from frontdesk.http.errors import Code, WireError
from frontdesk.http.field_paths import SAME_FIELDS, FieldMap
from frontdesk.http.ignored_fields import ignored_fields, ignored_parameters, note_ignored
from frontdesk.http.request import Request
from frontdesk.http.responses import LostResponse, Response, with_fields
from frontdesk.http.routing import Routes, path_id
from frontdesk.http.writes import (
    AddToCall,
    Compare,
    Complete,
    PendingWrite,
    RenderEvents,
    idempotency_key,
    load,
    note_dry_run,
    run_write,
)
from frontdesk.postgres.failures import UNAVAILABLE
from frontdesk.postgres.idempotency import StoredResponse
from frontdesk.postgres.write import Outdated
from frontdesk.problems import Problem, Problems
from frontdesk.values.clock import follow_clock
from frontdesk.values.envelopes import record_fields

Handler = Callable[..., Any]  # returns an awaitable Response, or an act
H = TypeVar("H", bound=Handler)
AnswerProblem = Callable[[Problem, FieldMap], WireError]
Adds = Callable[[Any], AddToCall]
FindCustomers = Callable[[bytes], ShownCustomers]  # in a body
CustomersIn = Callable[[Any], FindCustomers | None]  # by the type of the response
_NONE: Mapping[str, str] = {}
_CLOCKS = 3  # that of the machine, that of the business, and another one if it is moved meanwhile
JSON = "application/json"
_PASSED = ("request", "query", "body")  # parameters of a handler that are not part of the path


class EndpointDocs(msgspec.Struct, frozen=True):
    """What only the OpenAPI description of an endpoint uses."""

    text: str = ""  # beyond the descriptions of its fields
    takes: Any = None  # the type of a body that the handler decodes itself
    or_takes: Any = None  # another type of that body
    media: tuple[str, ...] = (JSON,)  # of the response
    line: Any = None  # the type of each line of a response that is no JSON as a whole
    shows: Mapping[str, str] = {}  # what the example of the response says otherwise than the record's
    headers: tuple[str, ...] = ()  # of the response, beyond those that all have
    has_etag: bool = False  # the response has an ETag, and If-None-Match is answered with 304


_NO_DOCS = EndpointDocs()


class Endpoint(msgspec.Struct, frozen=True):
    """An endpoint: what it is called with, what it needs, what it returns.

    The handler of an endpoint that reads returns the response. That of an endpoint that writes is a plain function
    that returns the act; it does not know the caller yet.
    `prepare` completes the act with what needs the caller, or is outside the database (DNS). It is called after the
    act has loaded, when no connection is held.
    """

    method: str
    path: str
    handler: Handler
    scope: str | None
    field_scopes: Mapping[str, str]  # that fields of the body require in addition
    requires_auth: bool
    writes: bool  # by an act
    has_dry_run: bool  # or has nothing to try, because it reads
    prepare: Callable[..., Awaitable[Any]] | None
    adds: Adds | None  # to the call of the act, from the body
    complete: Complete | None  # the document that the act returns
    compare: Compare | None  # for what the response says beside `data`
    returns_secret: bool  # the response has a secret that no other response returns
    creates: str | None  # the type of what it creates, if the response is that record
    takes_text: bool  # the parameter of its path is no id of a record
    validation_code: Code
    extra_validation: Callable[[dict[str, Any]], list[Problem]] | None
    fields: FieldMap  # of the problems that the handler raises
    status: int
    response: Any
    errors: tuple[Code, ...]
    params: tuple[str, ...]
    record_fields: tuple[str, ...]  # of which the parameter `fields` selects some
    query: type[msgspec.Struct] | None
    body: type[msgspec.Struct] | None
    docs: EndpointDocs
    deprecation: Deprecation | None
    max_body: int

    @property
    def can_dry_run(self) -> bool:
        return self.writes and self.has_dry_run


class Authenticate(Protocol):
    """Reads the credential of a request; raises if there is none."""

    def __call__(self, request: Request, endpoint: Endpoint, /) -> Authentication: ...


class Endpoints:
    """Collects the endpoints of one file."""

    def __init__(self) -> None:
        self.all: list[Endpoint] = []

    def get(self, path: str, **options: Any) -> Callable[[H], H]:  # noqa: ANN401
        return self._endpoint("GET", path, **options)

    def post(self, path: str, **options: Any) -> Callable[[H], H]:  # noqa: ANN401
        return self._endpoint("POST", path, **options)

    def put(self, path: str, **options: Any) -> Callable[[H], H]:  # noqa: ANN401
        return self._endpoint("PUT", path, **options)

    def patch(self, path: str, **options: Any) -> Callable[[H], H]:  # noqa: ANN401
        return self._endpoint("PATCH", path, **options)

    def delete(self, path: str, **options: Any) -> Callable[[H], H]:  # noqa: ANN401
        return self._endpoint("DELETE", path, **options)

    def _endpoint(
        self,
        method: str,
        path: str,
        *,
        response: Any = None,  # noqa: ANN401 - a type, of any form
        scope: str | None = None,
        field_scopes: Mapping[str, str] = _NONE,
        requires_auth: bool = True,
        writes: bool | None = None,
        has_dry_run: bool = True,
        prepare: Callable[..., Awaitable[Any]] | None = None,
        adds: Adds | None = None,
        complete: Complete | None = None,
        compare: Compare | None = None,
        returns_secret: bool = False,
        creates: str | None = None,
        takes_text: bool = False,
        takes_fields: bool = False,
        validation_code: Code = Code.VALIDATION_ERROR,
        extra_validation: Callable[[dict[str, Any]], list[Problem]] | None = None,
        fields: FieldMap = SAME_FIELDS,
        status: int = 200,
        errors: Sequence[Code] = (),
        docs: EndpointDocs = _NO_DOCS,
        deprecation: Deprecation | None = None,
        max_body: int = MAX_BODY_BYTES,
    ) -> Callable[[H], H]:
        def register(handler: H) -> H:
            hints = get_type_hints(handler, include_extras=True)
            names = tuple(name for name in inspect.signature(handler).parameters if name not in _PASSED)
            is_writing = requires_auth and method != "GET" if writes is None else writes
            self.all.append(
                Endpoint(
                    method=method,
                    path=path,
                    handler=handler,
                    scope=scope,
                    field_scopes=field_scopes,
                    requires_auth=requires_auth,
                    writes=is_writing,
                    has_dry_run=has_dry_run,
                    prepare=prepare,
                    adds=adds,
                    complete=complete,
                    compare=compare,
                    returns_secret=returns_secret,
                    creates=creates,
                    takes_text=takes_text,
                    validation_code=validation_code,
                    extra_validation=extra_validation,
                    fields=fields,
                    status=status,
                    response=response,
                    errors=tuple(errors),
                    params=names,
                    record_fields=record_fields(response) if takes_fields else (),
                    query=hints.get("query"),
                    body=hints.get("body"),
                    docs=docs,
                    deprecation=deprecation,
                    max_body=max_body,
                )
            )
            return handler

        return register


class Api:
    def __init__(
        self,
        name: str,
        prefix: str,
        guard: Authenticate,
        answer: AnswerProblem,
        groups: Sequence[Endpoints],
        *,
        render_events: RenderEvents,
        customers_in: CustomersIn | None = None,
    ) -> None:
        """With `customers_in` it is recorded which customers a caller was shown."""
        self.name = name
        self.prefix = prefix
        self.operations = [endpoint for group in groups for endpoint in group.all]
        self._guard = guard
        self._answer = answer
        self._render_events = render_events
        self._customers_in: dict[tuple[str, str], FindCustomers] = {}
        for endpoint in self.operations:
            find = None if customers_in is None else customers_in(endpoint.response)
            if find is not None:
                self._customers_in[endpoint.method, endpoint.path] = find
        self._routes = Routes(self.operations)

    async def handle(self, request: Request) -> Response:
        endpoint, values = self._routes.find(request.method, request.path[len(self.prefix) :])
        request.route = f"{endpoint.method} {self.prefix}{endpoint.path}"
        request.writes, request.creates = endpoint.writes, endpoint.creates
        if endpoint.deprecation is not None:
            announce(request, endpoint.deprecation)
        if endpoint.method != "GET":
            await request.read_body(endpoint.max_body)
        try:
            if not endpoint.requires_auth:
                return await self._respond(request, endpoint, values)
            response = await self._respond_in_time(request, endpoint, values)
        except Problem as problem:
            raise self._answer(problem, endpoint.fields) from problem
        find = self._customers_in.get((endpoint.method, endpoint.path))
        if find is not None and response.body:
            request.customers = find(with_fields(response.body, request.fields and (*request.fields, "id")))
        response.body = with_fields(response.body, request.fields)
        return response

    async def _respond_in_time(self, request: Request, endpoint: Endpoint, values: list[str]) -> Response:
        """Again at the time of the business, where this is a sandbox whose clock was moved."""
        authentication = self._guard(request, endpoint)
        for _ in range(_CLOCKS):
            request.require(authentication)
            try:
                return await self._respond_authenticated(request, endpoint, values)
            except ClockDiffers as clock:
                follow_clock(clock.seconds)
            except FaultsSet:
                is_lost = await authentication.befall(request, f"{endpoint.method} {endpoint.path}")
                response = await self._respond_authenticated(request, endpoint, values)
                return LostResponse() if is_lost else response
        raise Outdated  # the clock is moved again and again

    async def _respond_authenticated(self, request: Request, endpoint: Endpoint, values: list[str]) -> Response:
        """The authentication error takes precedence, so that an unauthenticated caller learns nothing else."""
        try:
            response = await self._respond(request, endpoint, values)
        except (*UNAVAILABLE, ClockDiffers, FaultsSet):
            raise  # asking again would only wait again
        except Exception:
            await request.authenticate()
            raise
        await request.authenticate()
        await _charge_budget(request, endpoint)
        return response

    async def _respond(self, request: Request, endpoint: Endpoint, values: list[str]) -> Response:
        try:
            arguments = _decode(request, endpoint)
        except Problem as problem:  # its fields have the names of the endpoint
            error = self._answer(_completed(problem, endpoint, request), SAME_FIELDS)
            raise _as_published(error, endpoint) from problem
        for name, value in zip(endpoint.params, values, strict=True):
            arguments[name] = value if endpoint.takes_text else path_id(value)
        if not endpoint.writes:
            response: Response = await endpoint.handler(request, **arguments)
            return response
        return await self._write(request, endpoint, arguments)

    async def _write(self, request: Request, endpoint: Endpoint, arguments: dict[str, Any]) -> Response:
        """A dry run neither finds nor stores a response under its key."""
        key = idempotency_key(request)
        act = endpoint.handler(**arguments)
        key = None if request.is_dry_run else key
        add = None if endpoint.adds is None else endpoint.adds(arguments["body"])
        write = PendingWrite(request, act, key, endpoint.status, self._render_events, endpoint.complete, add)
        write = write._replace(compare=endpoint.compare)
        loaded = await load(write)
        if endpoint.prepare is not None and not isinstance(loaded, StoredResponse):
            write = write._replace(act=await endpoint.prepare(request, write.act))
        return await run_write(write, loaded)


async def _charge_budget(request: Request, endpoint: Endpoint) -> None:
    """What a business lets the client read in a day is counted before the response is sent."""
    caller, reads = request.caller, dict(request.extra_scopes)
    if endpoint.scope is not None:
        reads[endpoint.scope] = request.records
    budgeted = {scope: records for scope, records in reads.items() if scope in caller.budgeted_scopes}
    if endpoint.method == "GET" and budgeted:
        async with request.connection() as conn:
            await charge(conn, caller.tenant_id, caller.id, budgeted)


def _decode(request: Request, endpoint: Endpoint) -> dict[str, Any]:
    arguments: dict[str, Any] = {}
    only_reads = endpoint.requires_auth and endpoint.has_dry_run and not endpoint.writes
    if not only_reads:
        note_dry_run(request, is_supported=endpoint.can_dry_run)
    sent_query: bytes = request.scope["query_string"]
    ignored = ignored_parameters(sent_query, endpoint.query, ("fields",) if endpoint.record_fields else ())
    note_ignored(request, ignored)
    if endpoint.body is not None:
        sent = decode_object(request.raw_body)
        note_ignored(request, ignored + ignored_fields(sent, endpoint.body))
        arguments["body"] = convert(sent, endpoint.body)
    query, request.fields = decode_parameters(sent_query, endpoint.query, endpoint.record_fields)
    if query is not None:
        arguments["query"] = query
    return arguments


def _completed(problem: Problem, endpoint: Endpoint, request: Request) -> Problem:
    """Adds what the types cannot express, so that the caller gets all errors at once."""
    if endpoint.extra_validation is None or not all(part.at for part in problem.all):
        return problem
    more = endpoint.extra_validation(decode_object(request.raw_body))
    return Problems(one_a_field([*more, *problem.all]))


def _as_published(error: WireError, endpoint: Endpoint) -> WireError:
    """Replaces the code of a validation error if the endpoint has its own."""
    if error.code is not Code.VALIDATION_ERROR or endpoint.validation_code is Code.VALIDATION_ERROR:
        return error
    return WireError(endpoint.validation_code, error.message, errors=error.errors)
