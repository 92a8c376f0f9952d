"""What a receiver must stand of HTTP: other methods, slow senders, many at once."""

import asyncio
import time
from collections.abc import AsyncIterator

import httpx2

from frontdesk.developer_tools.conformance.receiver.receiver import Receiver, require_accepted
from frontdesk.developer_tools.conformance.scenarios import Failed, Group, Scenarios

scenarios = Scenarios(Group.RECEIVER, "webhooks#receive-events")
_QUICK = 5.0  # seconds
_MANY = 20
_PIECES, _PAUSE = 4, 0.3
_NO_ERROR = "a status below 500"
_METHODS = "Answer 405 to other methods. Monitors and curious people send them."


@scenarios.add(
    "quick-answer",
    f"Ten deliveries are answered within {_QUICK:g} seconds each",
    expected=f"2xx within {_QUICK:g} seconds; after 15 a delivery counts as failed",
    advice="Store the event and answer. Work on it afterwards, in a queue.",
)
async def _quick(receiver: Receiver) -> None:
    for _ in range(10):
        reply = await receiver.accepts(receiver.events.make())
        if reply.milliseconds > _QUICK * 1000:
            raise Failed(f"answered {reply}")


@scenarios.add(
    "many-at-once",
    f"{_MANY} deliveries at the same moment",
    expected="2xx to each",
    advice="Let as many requests wait as arrive: do not refuse them, and hold no lock while you answer.",
)
async def _many(receiver: Receiver) -> None:
    for reply in await asyncio.gather(*(receiver.send(receiver.events.make()) for _ in range(_MANY))):
        require_accepted(reply)


@scenarios.add(
    "kept-connection",
    "Several deliveries over one connection",
    expected="2xx to each",
    advice="Read the whole body of every request, also of one that you refuse. Say `Connection: close` if you close.",
)
async def _kept(receiver: Receiver) -> None:
    async with httpx2.AsyncClient(limits=httpx2.Limits(max_connections=1), timeout=_QUICK * 3) as http:
        refused = receiver.events.make()
        await _post(receiver, http, {**receiver.headers(refused), "webhook-signature": "v1,"}, refused.body)
        for _ in range(3):
            event = receiver.events.make()
            _require_accepted(await _post(receiver, http, receiver.headers(event), event.body))


@scenarios.add(
    "closed-connection",
    "A delivery that asks to close the connection afterwards",
    expected="2xx",
    advice="Answer, then close.",
)
async def _closed(receiver: Receiver) -> None:
    event = receiver.events.make()
    headers = {**receiver.headers(event), "connection": "close"}
    _require_accepted(await _post(receiver, receiver.http, headers, event.body))


@scenarios.add(
    "slow-body",
    "A body that arrives in pieces",
    expected="2xx",
    advice="Read until content-length is reached: one read may return less.",
)
async def _slow_body(receiver: Receiver) -> None:
    event = receiver.events.make()

    async def pieces() -> AsyncIterator[bytes]:
        size = len(event.body) // _PIECES + 1
        for start in range(0, len(event.body), size):
            yield event.body[start : start + size]
            await asyncio.sleep(_PAUSE)

    headers = {**receiver.headers(event), "content-length": str(len(event.body))}
    _require_accepted(await _post(receiver, receiver.http, headers, pieces()))


@scenarios.add(
    "header-case",
    "Names of headers in capitals, as some proxies write them",
    expected="2xx",
    advice="Names of headers have no case: find them by the means of your HTTP library.",
)
async def _header_case(receiver: Receiver) -> None:
    event = receiver.events.make()
    headers = {name.title(): value for name, value in receiver.headers(event).items()}
    _require_accepted(await _post(receiver, receiver.http, headers, event.body))


@scenarios.add(
    "unknown-headers",
    "Headers that proxies add",
    expected="2xx",
    advice="Leave the headers that you do not know.",
)
async def _unknown_headers(receiver: Receiver) -> None:
    event = receiver.events.make()
    added = {"x-forwarded-for": "203.0.113.9", "via": "1.1 proxy", "traceparent": f"00-{'1' * 32}-{'2' * 16}-01"}
    _require_accepted(await _post(receiver, receiver.http, {**receiver.headers(event), **added}, event.body))


@scenarios.add(
    "after-nonsense",
    "A right delivery after unsigned nonsense",
    expected="nonsense is refused with a 4xx status, and the delivery after it is accepted",
    advice="Verify before you parse. A body that is no JSON must not stop the program.",
)
async def _after_nonsense(receiver: Receiver) -> None:
    for body in (b"{", b"\xff\xfe\x00", b"<xml/>", b"[" * 10_000):
        answer = await _post(receiver, receiver.http, {"content-type": "application/json"}, body)
        if not 400 <= answer.status_code < 500:
            raise Failed(f"answered {answer.status_code} to nonsense")
    await receiver.accepts(receiver.events.make())


def _add_method(method: str) -> None:
    @scenarios.add(
        f"method-{method.lower()}", f"A {method} request to the address", expected=_NO_ERROR, advice=_METHODS
    )
    async def _other_method(receiver: Receiver) -> None:
        try:
            answer = await receiver.http.request(method, receiver.url)
        except httpx2.HTTPError as error:
            raise Failed(f"no answer: {error or type(error).__name__}") from error
        if answer.status_code >= 500 and answer.status_code != httpx2.codes.NOT_IMPLEMENTED:
            raise Failed(f"answered {answer.status_code}")


for _method in ("GET", "HEAD", "PUT"):
    _add_method(_method)


async def _post(
    receiver: Receiver, http: httpx2.AsyncClient, headers: dict[str, str], body: bytes | AsyncIterator[bytes]
) -> httpx2.Response:
    began = time.monotonic()
    try:
        return await http.post(receiver.url, headers=headers, content=body)
    except httpx2.HTTPError as error:
        seconds = time.monotonic() - began
        raise Failed(f"no answer after {seconds:.1f} seconds: {error or type(error).__name__}") from error


def _require_accepted(answer: httpx2.Response) -> None:
    if not answer.is_success:
        raise Failed(f"answered {answer.status_code}")
