"""Sends requests over HTTP: synchronously or asynchronously."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

import httpx2

from frontdesk_client.errors import ConnectionFailed
from frontdesk_client.models.responses import AffectedBooking, PlannedEvent, ScheduleResponse, WriteResponse
from frontdesk_client.request import ApiRequest, with_fields
from frontdesk_client.retry import Outcome
from frontdesk_client.session import HttpRequest, Session, Steps, authorize, decode_part, exchange, respond

TIMEOUT_SECONDS = 30.0
_CONNECTION_ERRORS = (httpx2.NetworkError, httpx2.TimeoutException, httpx2.RemoteProtocolError)

T = TypeVar("T")


class Plan(NamedTuple):
    """What dry runs would do."""

    events: list[PlannedEvent]
    affected_bookings: list[AffectedBooking]


class Lines:
    """The lines of a file that arrives in parts."""

    def __init__(self) -> None:
        self.rest = b""

    def add(self, part: bytes) -> list[bytes]:
        *lines, self.rest = (self.rest + part).split(b"\n")  # other ends of lines may stand in a text
        return lines


class SyncTransport:
    def __init__(
        self,
        session: Session,
        http_client: httpx2.Client | None = None,
        plan: Plan | None = None,
    ) -> None:
        """With a plan every write is a dry run, and what it would do is added to the plan."""
        self.session = session
        self.http_client = http_client or httpx2.Client(timeout=TIMEOUT_SECONDS)
        self.plan = plan

    def send(self, request: ApiRequest[T]) -> T:
        result: T = self._run(exchange(self.session, request, dry_run=self.plan is not None))
        _note_plan(result, self.plan)
        return result

    def lines(self, request: ApiRequest[T]) -> Iterator[T]:
        """The records of a file, one in each line, while it arrives."""
        response = self._run(respond(self.session, request, stream=True))
        lines = Lines()
        try:
            for part in response.iter_bytes():
                for line in lines.add(part):
                    yield decode_part(response, line, request.response_type)
        except _CONNECTION_ERRORS as error:
            raise _broken(request) from error
        finally:
            response.close()
        if lines.rest:
            yield decode_part(response, lines.rest, request.response_type)

    def authorize(self) -> str:
        """The access token of the next request, which is requested if there is none."""
        return self._run(authorize(self.session))

    def _run(self, steps: Steps[T]) -> T:
        try:
            http_request = next(steps)
            while True:
                time.sleep(http_request.delay)
                http_request = steps.send(self._outcome(http_request))
        except StopIteration as stop:
            result: T = stop.value
            return result

    def _outcome(self, request: HttpRequest) -> Outcome:
        try:
            built = self.http_client.build_request(**_arguments(request))
            response = self.http_client.send(built, stream=request.stream)
            if not response.is_success:
                response.read()
        except _CONNECTION_ERRORS as error:
            return error
        return response


class SyncFieldsTransport(SyncTransport):
    """Reads some fields of records."""

    def __init__(self, whole: SyncTransport, fields: Sequence[str]) -> None:
        super().__init__(whole.session, whole.http_client)
        self.fields = fields

    def send(self, request: ApiRequest[T]) -> T:
        return super().send(with_fields(request, self.fields))

    def lines(self, request: ApiRequest[T]) -> Iterator[T]:
        return super().lines(with_fields(request, self.fields))


class AsyncTransport:
    def __init__(
        self,
        session: Session,
        http_client: httpx2.AsyncClient | None = None,
        plan: Plan | None = None,
    ) -> None:
        """With a plan every write is a dry run, and what it would do is added to the plan."""
        self.session = session
        self.http_client = http_client or httpx2.AsyncClient(timeout=TIMEOUT_SECONDS)
        self.plan = plan

    async def send(self, request: ApiRequest[T]) -> T:
        result: T = await self._run(exchange(self.session, request, dry_run=self.plan is not None))
        _note_plan(result, self.plan)
        return result

    async def lines(self, request: ApiRequest[T]) -> AsyncIterator[T]:
        """The records of a file, one in each line, while it arrives."""
        response = await self._run(respond(self.session, request, stream=True))
        lines = Lines()
        try:
            async for part in response.aiter_bytes():
                for line in lines.add(part):
                    yield decode_part(response, line, request.response_type)
        except _CONNECTION_ERRORS as error:
            raise _broken(request) from error
        finally:
            await response.aclose()
        if lines.rest:
            yield decode_part(response, lines.rest, request.response_type)

    async def authorize(self) -> str:
        """The access token of the next request, which is requested if there is none."""
        return await self._run(authorize(self.session))

    async def _run(self, steps: Steps[T]) -> T:
        try:
            http_request = next(steps)
            while True:
                await asyncio.sleep(http_request.delay)
                http_request = steps.send(await self._outcome(http_request))
        except StopIteration as stop:
            result: T = stop.value
            return result

    async def _outcome(self, request: HttpRequest) -> Outcome:
        try:
            built = self.http_client.build_request(**_arguments(request))
            response = await self.http_client.send(built, stream=request.stream)
            if not response.is_success:
                await response.aread()
        except _CONNECTION_ERRORS as error:
            return error
        return response


class AsyncFieldsTransport(AsyncTransport):
    """Reads some fields of records."""

    def __init__(self, whole: AsyncTransport, fields: Sequence[str]) -> None:
        super().__init__(whole.session, whole.http_client)
        self.fields = fields

    async def send(self, request: ApiRequest[T]) -> T:
        return await super().send(with_fields(request, self.fields))

    def lines(self, request: ApiRequest[T]) -> AsyncIterator[T]:
        return super().lines(with_fields(request, self.fields))


def _broken(request: ApiRequest[Any]) -> ConnectionFailed:
    return ConnectionFailed(f"the connection broke within the response to {request.method} {request.path}")


def _note_plan(result: object, plan: Plan | None) -> None:
    if plan is None:
        return
    if isinstance(result, WriteResponse) and result.dry_run is not None:
        plan.events.extend(result.dry_run.events)
    if isinstance(result, ScheduleResponse) and result.affected_bookings is not None:
        plan.affected_bookings.extend(result.affected_bookings.bookings)


def _arguments(request: HttpRequest) -> dict[str, Any]:
    return {name: value for name, value in request._asdict().items() if name not in ("delay", "stream")}
