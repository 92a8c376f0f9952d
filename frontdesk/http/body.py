"""Reads the body of a request, with limits on its size, its time, and the memory of all bodies together."""

from collections.abc import Awaitable, Callable
from typing import Any

from frontdesk.http.problems import RequestProblem, ServiceProblem
from frontdesk.problems import Problem
from frontdesk.runtime.time_limits import time_limit

MAX_BODY_BYTES = 1024 * 1024
TOKEN_BODY = 8 * 1024  # a request for a token
FORM_BODY = 96 * 1024  # a form of the dashboard without a file; its longest texts in Arabic, percent-encoded, fit
SIGN_IN_BODY = 32 * 1024  # a form that needs no session
SECONDS = 30.0
WHOLE_BODY = "frontdesk.body"  # in the scope of a request whose body, short and whole, arrived with its head

# A body is read before its sender is authenticated. The first bytes of each body are always accepted; the number of
# connections bounds them. Longer bodies share one memory limit for all requests of the process.
SMALL = 16 * 1024
MAX_BUFFERED_BYTES = 64 * 1024 * 1024


class ClientDisconnected(Exception):
    """The client disconnected before it had sent the whole request."""


class BodyBudget:
    """Counts the bytes that the longer bodies of all running requests hold."""

    def __init__(self) -> None:
        self.reserved = 0

    def reserve(self, size: int) -> None:
        if self.reserved + size > MAX_BUFFERED_BYTES:
            raise Problem(ServiceProblem.TOO_MANY_BODIES, seconds=1)
        self.reserved += size

    def release(self, size: int) -> None:
        self.reserved -= size


class Body:
    """The body of one request."""

    __slots__ = ("_budget", "_reserved", "raw")

    def __init__(self, budget: BodyBudget) -> None:
        self._budget = budget
        self._reserved = 0
        self.raw = b""

    async def read(self, receive: Callable[[], Awaitable[Any]], declared: str | None, max_bytes: int) -> None:
        if declared and declared.isdecimal() and (len(declared) > 18 or int(declared) > max_bytes):
            raise _too_large(max_bytes)
        try:
            with time_limit(SECONDS):
                self.raw = await self._receive_all(receive, max_bytes)
        except TimeoutError:
            raise body_too_slow() from None

    async def _receive_all(self, receive: Callable[[], Awaitable[Any]], max_bytes: int) -> bytes:
        chunks, size = [], 0
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ClientDisconnected
            chunks.append(message.get("body", b""))
            size += len(chunks[-1])
            if size > max_bytes:
                raise _too_large(max_bytes)
            self._reserve(size)
            if not message.get("more_body"):
                return b"".join(chunks)

    def _reserve(self, size: int) -> None:
        if size > SMALL:
            self._budget.reserve(size - self._reserved)
            self._reserved = size

    def release(self) -> None:
        self._budget.release(self._reserved)
        self._reserved = 0


def _too_large(max_bytes: int) -> Problem:
    """The rest of the body is read and discarded, so that a client that is still sending can read the response."""
    return Problem(RequestProblem.TOO_LARGE, most=max_bytes)


def body_too_slow() -> Problem:
    return Problem(RequestProblem.TOO_SLOW)
