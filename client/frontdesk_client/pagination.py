"""Iterates over the records of a list and requests each page when it is needed."""

from collections.abc import AsyncIterator, Iterator
from typing import Any, Generic, Protocol, TypeVar
from urllib.parse import parse_qsl, urlsplit
from uuid import UUID

import msgspec

from frontdesk_client.models import Page
from frontdesk_client.request import ApiRequest
from frontdesk_client.transports import AsyncTransport, SyncTransport


class Record(Protocol):
    @property
    def id(self) -> UUID: ...


R = TypeVar("R", bound=Record | dict[str, Any])


class Paginator(Generic[R]):
    """All records of a list: `for record in paginator`."""

    def __init__(self, transport: SyncTransport, request: ApiRequest[Page[R]]) -> None:
        self._transport, self._request = transport, request

    def pages(self) -> Iterator[Page[R]]:
        request: ApiRequest[Page[R]] | None = self._request
        while request is not None:
            page = self._transport.send(request)
            yield page
            request = _next_request(request, page)

    def __iter__(self) -> Iterator[R]:
        seen: set[object] = set()
        for page in self.pages():
            yield from _unseen(page, seen)


class AsyncPaginator(Generic[R]):
    """All records of a list: `async for record in paginator`."""

    def __init__(self, transport: AsyncTransport, request: ApiRequest[Page[R]]) -> None:
        self._transport, self._request = transport, request

    async def pages(self) -> AsyncIterator[Page[R]]:
        request: ApiRequest[Page[R]] | None = self._request
        while request is not None:
            page = await self._transport.send(request)
            yield page
            request = _next_request(request, page)

    async def __aiter__(self) -> AsyncIterator[R]:
        seen: set[object] = set()
        async for page in self.pages():
            for record in _unseen(page, seen):
                yield record


def _next_request(request: ApiRequest[Page[R]], page: Page[R]) -> ApiRequest[Page[R]] | None:
    if page.meta.current_page >= page.meta.last_page or page.links.next is None:
        return None
    return msgspec.structs.replace(request, query=dict(parse_qsl(urlsplit(page.links.next).query)))


def _unseen(page: Page[R], seen: set[object]) -> Iterator[R]:
    """A record that is created meanwhile moves older records to the next page, where they would appear again."""
    for record in page.data:
        id_ = record.get("id") if isinstance(record, dict) else record.id  # one of selected fields may be missing
        if id_ is None or id_ not in seen:
            seen.add(id_)
            yield record
