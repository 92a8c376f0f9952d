"""A surface is a table of operations under one prefix: find the operation, guard it, decode, call, answer."""

import inspect
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, Protocol, TypeVar, get_type_hints

import asyncpg
import msgspec

from frontdesk.errors import Code, WireError, invalid
from frontdesk.http.body import MOST_BODY
from frontdesk.http.decoding import convert, decode_object, decode_query
from frontdesk.http.deprecation import Deprecation, announce
from frontdesk.http.endpoint_docs import NOTHING_MORE, About
from frontdesk.http.idempotency import answer_once
from frontdesk.http.ignored_fields import ignored_fields, ignored_parameters, note_ignored
from frontdesk.http.request import Call
from frontdesk.http.responses import Answer
from frontdesk.http.routing import Routes, path_id
from frontdesk.http.validation import Faults
from frontdesk.postgres.pool import ReadAgain

Handler = Callable[..., Awaitable[Answer]]
H = TypeVar("H", bound=Handler)
_GIVEN = ("request", "query", "body", "prepared")  # parameters of a handler that are not part of the path


class Operation(msgspec.Struct, frozen=True):
    """One row of the interface: what it is called with, what it needs, what it answers.

    One that `looks_first` reads before it writes, asks others or opens a transaction: its first statement then also
    proves who calls, where that is remembered from an earlier request.

    `prepare` waits for what is outside the database (DNS). It is called like the handler, before any connection is
    held, and the handler gets its result as `prepared`. The handler of a writing operation may run inside the
    transaction of an Idempotency-Key, so it must not wait for the network itself.
    """

    method: str
    path: str
    handler: Handler
    scope: str | None
    guarded: bool
    writes: bool
    looks_first: bool
    prepare: Callable[..., Awaitable[Any]] | None
    tells_secret: bool  # what is kept of the answer, to be told again, must not be readable
    invalid_as: Code
    more_faults: Callable[[dict[str, Any]], Faults] | None
    status: int
    answer: Any
    errors: tuple[Code, ...]
    params: tuple[str, ...]
    query: type[msgspec.Struct] | None
    body: type[msgspec.Struct] | None
    about: About
    deprecation: Deprecation | None
    most_body: int


class Guard(Protocol):
    """Finds out who calls and whether they may; raises when not."""

    def __call__(self, call: Call, operation: Operation, /) -> Awaitable[None]: ...


class Operations:
    """Collects the operations of one file."""

    def __init__(self) -> None:
        self.all: list[Operation] = []

    def get(self, path: str, **about: Any) -> Callable[[H], H]:  # noqa: ANN401
        return self._operation("GET", path, **about)

    def post(self, path: str, **about: Any) -> Callable[[H], H]:  # noqa: ANN401
        return self._operation("POST", path, **about)

    def put(self, path: str, **about: Any) -> Callable[[H], H]:  # noqa: ANN401
        return self._operation("PUT", path, **about)

    def patch(self, path: str, **about: Any) -> Callable[[H], H]:  # noqa: ANN401
        return self._operation("PATCH", path, **about)

    def delete(self, path: str, **about: Any) -> Callable[[H], H]:  # noqa: ANN401
        return self._operation("DELETE", path, **about)

    def _operation(
        self,
        method: str,
        path: str,
        *,
        answer: Any = None,  # noqa: ANN401 - a type, of any form
        scope: str | None = None,
        guarded: bool = True,
        writes: bool | None = None,
        looks_first: bool | None = None,
        prepare: Callable[..., Awaitable[Any]] | None = None,
        tells_secret: bool = False,
        invalid_as: Code = Code.VALIDATION_ERROR,
        more_faults: Callable[[dict[str, Any]], Faults] | None = None,
        status: int = 200,
        errors: Sequence[Code] = (),
        about: About = NOTHING_MORE,
        deprecation: Deprecation | None = None,
        most_body: int = MOST_BODY,
    ) -> Callable[[H], H]:
        def register(handler: H) -> H:
            hints = get_type_hints(handler, include_extras=True)
            names = tuple(name for name in inspect.signature(handler).parameters if name not in _GIVEN)
            is_writing = guarded and method != "GET" if writes is None else writes
            self.all.append(
                Operation(
                    method=method,
                    path=path,
                    handler=handler,
                    scope=scope,
                    guarded=guarded,
                    writes=is_writing,
                    looks_first=not is_writing if looks_first is None else looks_first,
                    prepare=prepare,
                    tells_secret=tells_secret,
                    invalid_as=invalid_as,
                    more_faults=more_faults,
                    status=status,
                    answer=answer,
                    errors=tuple(errors),
                    params=names,
                    query=hints.get("query"),
                    body=hints.get("body"),
                    about=about,
                    deprecation=deprecation,
                    most_body=most_body,
                )
            )
            return handler

        return register


class Surface:
    def __init__(self, name: str, prefix: str, guard: Guard, groups: Sequence[Operations]) -> None:
        self.name = name
        self.prefix = prefix
        self.operations = [operation for group in groups for operation in group.all]
        self._guard = guard
        self._routes = Routes(self.operations)

    async def handle(self, call: Call) -> Answer:
        operation, values = self._routes.find(call.method, call.path[len(self.prefix) :])
        call.route = f"{operation.method} {self.prefix}{operation.path}"
        if operation.deprecation is not None:
            announce(call, operation.deprecation)
        if operation.method != "GET":
            await call.read_body(operation.most_body)
        if not operation.guarded:
            return await _answer(call, operation, values)
        await self._guard(call, operation)
        while True:
            try:
                return await _answer_proven(call, operation, values)
            except ReadAgain:  # with what is true of the caller now
                continue


async def _answer_proven(call: Call, operation: Operation, values: list[str]) -> Answer:
    """Whatever the answer is, nobody gets it before the guard has heard from the database who they are."""
    try:
        answer = await _answer(call, operation, values)
    except (WireError, asyncpg.PostgresError):
        await call.prove()
        raise
    if call.is_believed:
        await call.prove()
    return answer


async def _answer(call: Call, operation: Operation, values: list[str]) -> Answer:
    try:
        arguments = _decode(call, operation)
    except WireError as wrong:
        raise _as_published(_completed(wrong, operation, call), operation) from wrong
    for name, value in zip(operation.params, values, strict=True):
        arguments[name] = path_id(value)
    if not operation.writes:
        return await operation.handler(call, **arguments)
    prepare = partial(operation.prepare, call, **arguments) if operation.prepare is not None else None
    handle = partial(operation.handler, call, **arguments)
    return await answer_once(call, handle, prepare, secret=operation.tells_secret)


def _decode(call: Call, operation: Operation) -> dict[str, Any]:
    arguments: dict[str, Any] = {}
    ignored = ignored_parameters(call.scope["query_string"], operation.query)
    note_ignored(call, ignored)
    if operation.body is not None:
        sent = decode_object(call.raw_body)
        note_ignored(call, ignored + ignored_fields(sent, operation.body))
        arguments["body"] = convert(sent, operation.body)
    if operation.query is not None:
        arguments["query"] = decode_query(call.scope["query_string"], operation.query)
    return arguments


def _completed(wrong: WireError, operation: Operation, call: Call) -> WireError:
    """What no type can tell is looked at too, so that a caller hears of every broken field at once."""
    if operation.more_faults is None or not wrong.errors or "" in wrong.errors:
        return wrong
    more = operation.more_faults(decode_object(call.raw_body))
    return invalid({**more, **wrong.errors})


def _as_published(wrong: WireError, operation: Operation) -> WireError:
    """One operation of the interface answers wrong data with a code of its own."""
    if wrong.code is not Code.VALIDATION_ERROR or operation.invalid_as is Code.VALIDATION_ERROR:
        return wrong
    return WireError(operation.invalid_as, wrong.message, errors=wrong.errors)
