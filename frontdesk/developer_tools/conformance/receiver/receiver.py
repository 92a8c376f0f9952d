"""The receiver of an integrator, as a scenario reaches it. What is sent is signed as webhooks are."""

import asyncio
import time
from collections.abc import Callable, Mapping
from http import HTTPStatus

import httpx2
import msgspec

from frontdesk.developer_tools.conformance.events import KIT_BUSINESS, SampleEvent, SampleEvents
from frontdesk.developer_tools.conformance.scenarios import Failed, Skipped
from frontdesk.developer_tools.sending import ReceiverConnection, Reply
from frontdesk.webhooks.retries import TIME_LIMIT
from frontdesk.webhooks.signing import delivery_headers

_HANDLED_WITHIN, _PAUSE = 10.0, 0.2  # seconds
_STAYS = 1.0  # an event that is acted on again is acted on soon
_UNHANDLED = "the receiver does not tell what it has acted on: see --handled"
Headers = Mapping[str, str | None]  # None: without this header


class _Handled(msgspec.Struct):
    times: int


class Receiver:
    """`handled_url` answers how often an event was acted on."""

    def __init__(self, url: str, secret: str, handled_url: str | None = None) -> None:
        self.url, self.secret = url, secret
        self.events = SampleEvents(KIT_BUSINESS)
        self.refused: list[str] = []  # ids of events that it must not have acted on
        self.http = httpx2.AsyncClient(timeout=TIME_LIMIT)
        self._connection = ReceiverConnection(url)
        self._handled_url = handled_url

    async def close(self) -> None:
        await self._connection.close()
        await self.http.aclose()

    def headers(self, event: SampleEvent, *, ago: float = 0, secrets: tuple[str, ...] = ()) -> dict[str, str]:
        """`ago` is the age of the attempt in seconds."""
        return delivery_headers(event.id, int(time.time() - ago), event.body, secrets or (self.secret,))

    async def send(
        self,
        event: SampleEvent,
        *,
        ago: float = 0,
        secrets: tuple[str, ...] = (),
        body: bytes | None = None,
        changed: Headers | None = None,
    ) -> Reply:
        """`body` and `changed` replace what was signed."""
        headers = {**self.headers(event, ago=ago, secrets=secrets), **(changed or {})}
        sent = {name: value for name, value in headers.items() if value is not None}
        return await self._connection.post(sent, event.body if body is None else body)

    async def accepts(self, event: SampleEvent, *, ago: float = 0, secrets: tuple[str, ...] = ()) -> Reply:
        reply = await self.send(event, ago=ago, secrets=secrets)
        require_accepted(reply)
        return reply

    async def refuses(
        self,
        event: SampleEvent,
        *,
        ago: float = 0,
        secrets: tuple[str, ...] = (),
        body: bytes | None = None,
        changed: Headers | None = None,
    ) -> None:
        reply = await self.send(event, ago=ago, secrets=secrets, body=body, changed=changed)
        self.refused.append(event.id)
        require_refused(reply)

    async def require_handled(self, event: SampleEvent, times: int = 1) -> None:
        """Once or later, because a receiver may act after it has answered; and not more often."""
        found = await self._wait_for(event.id, lambda found: found >= times)
        if found == times:
            await asyncio.sleep(_STAYS)
            found = await self.times_handled(event.id)
        if found != times:
            raise Failed(f"acted {_times(found)} on event {event.id}")

    async def require_unhandled(self, ids: list[str]) -> None:
        for id_ in ids:
            found = await self.times_handled(id_)
            if found:
                raise Failed(f"refused event {id_}, and acted on it {_times(found)}")

    async def times_handled(self, event_id: str) -> int:
        if self._handled_url is None:
            raise Skipped(_UNHANDLED)
        try:
            answer = await self.http.get(self._handled_url, params={"event_id": event_id})
            answer.raise_for_status()
            return msgspec.json.decode(answer.content, type=_Handled).times
        except (httpx2.HTTPError, msgspec.DecodeError) as error:
            raise Failed(f'the address of --handled did not answer {{"times": …}}: {error}') from error

    def require_telling(self) -> None:
        if self._handled_url is None:
            raise Skipped(_UNHANDLED)

    async def _wait_for(self, event_id: str, is_enough: Callable[[int], bool]) -> int:
        ends = time.monotonic() + _HANDLED_WITHIN
        while True:
            found = await self.times_handled(event_id)
            if is_enough(found) or time.monotonic() > ends:
                return found
            await asyncio.sleep(_PAUSE)


def require_accepted(reply: Reply) -> None:
    if not reply.is_accepted:
        raise Failed(_said(reply))


def require_refused(reply: Reply) -> None:
    if reply.is_accepted:
        raise Failed(f"{_said(reply)}: it was accepted")
    if reply.status is None or not 400 <= reply.status < HTTPStatus.INTERNAL_SERVER_ERROR:
        raise Failed(f"{_said(reply)}: that is no refusal")


def _said(reply: Reply) -> str:
    return f"answered {reply}" if reply.error is None else reply.error


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"
