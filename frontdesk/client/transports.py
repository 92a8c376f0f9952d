"""The two ways of making calls, and of going through a list: blocking and awaiting."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any, Generic, Protocol, TypeVar
from uuid import UUID

import httpx2
import msgspec

from frontdesk.client.asking import ApiRequest
from frontdesk.client.exchange import Lost, PreparedRequest, Reply, Session, exchange
from frontdesk.values.envelopes import PageResponse

TIMEOUT = 30.0


class Record(Protocol):
    @property
    def id(self) -> UUID: ...


A = TypeVar("A")
R = TypeVar("R", bound=Record)


class SyncTransport:
    def __init__(self, session: Session, http: httpx2.Client | None = None) -> None:
        self._session = session
        self.http = http or httpx2.Client(timeout=TIMEOUT)

    def send(self, ask: ApiRequest[A]) -> A:
        steps = exchange(self._session, ask)
        call = next(steps)
        while True:
            time.sleep(call.after)
            try:
                call = steps.send(self._reply(call))
            except StopIteration as done:
                answer: A = done.value
                return answer

    def _reply(self, call: PreparedRequest) -> Reply:
        try:
            return self.http.request(**_arguments(call))
        except Lost as lost:
            return lost


class AsyncTransport:
    def __init__(self, session: Session, http: httpx2.AsyncClient | None = None) -> None:
        self._session = session
        self.http = http or httpx2.AsyncClient(timeout=TIMEOUT)

    async def send(self, ask: ApiRequest[A]) -> A:
        steps = exchange(self._session, ask)
        call = next(steps)
        while True:
            await asyncio.sleep(call.after)
            reply = await self._reply(call)
            try:
                call = steps.send(reply)
            except StopIteration as done:
                answer: A = done.value
                return answer

    async def _reply(self, call: PreparedRequest) -> Reply:
        try:
            return await self.http.request(**_arguments(call))
        except Lost as lost:
            return lost


class Pages(Generic[R]):
    """Every record of a list, asked for page by page as it is gone through."""

    def __init__(self, way: SyncTransport, ask: ApiRequest[PageResponse[R]]) -> None:
        self._way, self._ask = way, ask

    def pages(self) -> Iterator[PageResponse[R]]:
        ask: ApiRequest[PageResponse[R]] | None = self._ask
        while ask is not None:
            page = self._way.send(ask)
            yield page
            ask = _following(ask, page)

    def __iter__(self) -> Iterator[R]:
        seen: set[UUID] = set()
        for page in self.pages():
            yield from _unseen(page, seen)


class AsyncPages(Generic[R]):
    """Every record of a list, asked for page by page as it is gone through."""

    def __init__(self, way: AsyncTransport, ask: ApiRequest[PageResponse[R]]) -> None:
        self._way, self._ask = way, ask

    async def pages(self) -> AsyncIterator[PageResponse[R]]:
        ask: ApiRequest[PageResponse[R]] | None = self._ask
        while ask is not None:
            page = await self._way.send(ask)
            yield page
            ask = _following(ask, page)

    async def __aiter__(self) -> AsyncIterator[R]:
        seen: set[UUID] = set()
        async for page in self.pages():
            for record in _unseen(page, seen):
                yield record


def _arguments(call: PreparedRequest) -> dict[str, Any]:
    return {name: value for name, value in call._asdict().items() if name != "after"}


def _following(ask: ApiRequest[PageResponse[R]], page: PageResponse[R]) -> ApiRequest[PageResponse[R]] | None:
    if page.meta.current_page >= page.meta.last_page:
        return None
    return msgspec.structs.replace(ask, query={**ask.query, "page": str(page.meta.current_page + 1)})


def _unseen(page: PageResponse[R], seen: set[UUID]) -> Iterator[R]:
    """What is new comes first in most lists and moves the rest on, so the next page begins with some of this one."""
    for record in page.data:
        if record.id not in seen:
            seen.add(record.id)
            yield record
