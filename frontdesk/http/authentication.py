"""The interface between a request and the authentication of an API."""

from typing import TYPE_CHECKING, Protocol, TypeVar

from frontdesk.postgres.idempotency import StoredResponse
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import Query

if TYPE_CHECKING:
    from frontdesk.http.request import Request

T = TypeVar("T")


class ClockDiffers(Exception):
    """The business is a sandbox with a clock of its own, which the request must follow from the beginning."""

    def __init__(self, seconds: int | None) -> None:
        self.seconds = seconds


class FaultsSet(Exception):
    """The business is a sandbox with faults on purpose, and this request is accepted: one of them may befall it."""


class Authentication(Protocol):
    """The credential of one request.

    All methods call `request.end_authentication` when the database has answered, then identify the caller or raise.
    They raise `ClockDiffers` while nothing was done yet.
    """

    async def befall(self, request: "Request", operation: str, /) -> bool:
        """Lets a fault befall an accepted request: it raises, or waits. Returns whether the answer is to be lost."""

    async def check(self, request: "Request", conn: Connection, /) -> None: ...

    async def check_and_fetch(self, request: "Request", conn: Connection, query: Query[T], /) -> T:
        """Authenticates and runs the query in one statement."""

    async def check_and_load(
        self, request: "Request", conn: Connection, query: Query[T], key: str | None, /
    ) -> StoredResponse | T:
        """Like `check_and_fetch`, and finds the response that is stored under an Idempotency-Key."""
