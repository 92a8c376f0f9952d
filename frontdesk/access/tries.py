"""Whoever tries too often, by whatever they are known before they are let in, is told how long to wait."""

from frontdesk.errors import Code, WireError
from frontdesk.kit.db import Connection
from frontdesk.kit.ratelimit import spend_try


async def spend(conn: Connection, subject: bytes, most: int) -> None:
    """Take one try from the subject's minute."""
    refuse_for(await spend_try(conn, subject, most), "Too many tries.")


def refuse_for(wait: int | None, why: str) -> None:
    """`wait` in seconds; None where nobody has to."""
    if wait is not None:
        raise WireError(
            Code.RATE_LIMIT_EXCEEDED,
            f"{why} Try again in {wait} s.",
            details={"retry_after": wait},
            headers={"retry-after": str(wait)},
        )
