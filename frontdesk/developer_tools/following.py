"""The events of a business as they happen, read from `GET /events`."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import msgspec

from frontdesk.developer_tools.api import is_temporary
from frontdesk_client import ApiError, FrontdeskError
from frontdesk_client.models.responses import PaginationMeta
from frontdesk_client.request import MAX_PER_PAGE, ApiRequest, read
from frontdesk_client.transports import AsyncTransport

_WAIT = 2.0  # seconds until a service that did not answer is asked again


class EventHead(msgspec.Struct):
    id: str
    type: str
    timestamp: str
    sequence: int
    data: dict[str, Any]


class FollowedEvent(msgspec.Struct):
    head: EventHead
    body: bytes  # as a webhook gets it


class _Page(msgspec.Struct):
    data: list[msgspec.Raw]
    meta: PaginationMeta


async def newest_sequence(transport: AsyncTransport) -> int:
    """Of the events that the client may read; 0 if there are none."""
    first = await transport.send(_events(0, per_page=1))
    last = await transport.send(_events(0, per_page=1, page=first.meta.last_page))
    newest = [*first.data, *last.data][-1:]
    return _read(newest[0]).head.sequence if newest else 0


class Follower:
    """Goes on after restarts of the service. `note` says once that it does not answer, and once that it does again."""

    def __init__(self, transport: AsyncTransport, after: int, pause: float, note: Callable[[str], None]) -> None:
        self.after = after
        self._transport, self._pause, self._note = transport, pause, note
        self._is_interrupted = False

    async def events(self) -> AsyncIterator[FollowedEvent]:
        while True:
            found = await self._next_page()
            for document in found:
                event = _read(document)
                yield event
                self.after = event.head.sequence
            if len(found) < MAX_PER_PAGE:
                await asyncio.sleep(self._pause)

    async def _next_page(self) -> list[msgspec.Raw]:
        while True:
            try:
                page = await self._transport.send(_events(self.after))
            except FrontdeskError as error:
                if not is_temporary(error):
                    raise
                self._interrupted(error)
                await asyncio.sleep(_seconds_until_again(error))
            else:
                self._goes_on()
                return page.data

    def _interrupted(self, error: FrontdeskError) -> None:
        if not self._is_interrupted:
            self._note(f"waiting for the service: {error}")
        self._is_interrupted = True

    def _goes_on(self) -> None:
        if self._is_interrupted:
            self._note(f"the service answers again; going on after sequence {self.after}")
        self._is_interrupted = False


def _events(after: int, *, per_page: int = MAX_PER_PAGE, page: int | None = None) -> ApiRequest[_Page]:
    return read("/events", _Page, after=after, per_page=per_page, page=page)


def _read(document: msgspec.Raw) -> FollowedEvent:
    body = bytes(document)
    return FollowedEvent(msgspec.json.decode(body, type=EventHead), body)


def _seconds_until_again(error: FrontdeskError) -> float:
    return error.retry_after or _WAIT if isinstance(error, ApiError) else _WAIT
