"""Waits for what another task, thread or process does. This is the only reason why a test lets time pass."""

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, overload

import httpx2

# On a machine with other work a lock, a connection or a turn was waited for too long. Nothing was stored.
BUSY = (502, 503)
_PAUSE_SECONDS = 0.02
PATIENCE_SECONDS = 180.0  # only a test that fails waits for so long

Seen = TypeVar("Seen")


@overload
async def eventually(look: Callable[[], Awaitable[Seen]], seconds: float = PATIENCE_SECONDS) -> Seen: ...
@overload
async def eventually(look: Callable[[], Seen], seconds: float = PATIENCE_SECONDS) -> Seen: ...
async def eventually(look: Callable[[], Any], seconds: float = PATIENCE_SECONDS) -> Any:
    """What `look` returns, once that is true."""
    async with asyncio.timeout(seconds):
        while True:
            seen = look()
            found = await seen if inspect.isawaitable(seen) else seen
            if found:
                return found
            await asyncio.sleep(_PAUSE_SECONDS)


async def answered(send: Callable[[], Awaitable[httpx2.Response]]) -> httpx2.Response:
    """Sends the request again while the answer is "busy", as a client has to."""

    async def not_busy() -> httpx2.Response | None:
        answer = await send()
        return None if answer.status_code in BUSY else answer

    answer = await eventually(not_busy)
    assert answer is not None
    return answer


def wait_until(look: Callable[[], object], seconds: float = PATIENCE_SECONDS) -> None:
    """The same outside an event loop."""
    deadline = time.monotonic() + seconds
    while not look():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(_PAUSE_SECONDS)
