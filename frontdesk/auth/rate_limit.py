"""What a caller is told about its sliding minute; the counting itself is one statement in the database."""

import math
import time
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache

import msgspec

from frontdesk.postgres.batched_delete import delete_batch
from frontdesk.postgres.pool import Connection

WINDOW_SECONDS = 60


class RateLimitStatus(msgspec.Struct, frozen=True):
    limit: int
    used: int
    refused_until: datetime | None
    resets_at: datetime  # when the oldest request of the window stops counting

    @property
    def retry_after(self) -> int:
        return _seconds_until(self.refused_until or self.resets_at)

    def headers(self) -> dict[str, str]:
        """The IETF draft's two headers and the three that everybody reads today."""
        remaining, reset = str(max(0, self.limit - self.used)), str(_seconds_until(self.resets_at))
        policy, limit = _policy(self.limit)
        return {
            "ratelimit-policy": policy,
            "ratelimit": f'"default";r={remaining};t={reset}',
            "x-ratelimit-limit": limit,
            "x-ratelimit-remaining": remaining,
            "x-ratelimit-reset": reset,
        }


@lru_cache(maxsize=256)
def _policy(limit: int) -> tuple[str, str]:
    return f'"default";q={limit};w={WINDOW_SECONDS}', str(limit)


_SHARE = 1000  # of a limit, that is taken in advance at most
_LIFETIME = 1.0  # seconds


class PrefetchedQuota:
    """Requests of a caller's minute that this process took in advance, to be used within a second.

    A caller of a few requests a second, or with a limit that people would notice, is counted one by one. Only where
    hundreds come in a second are they taken together: each would wait for the same row.
    """

    __slots__ = ("_asked_at", "_left", "_pace", "_second", "_seen", "_until", "rate")

    def __init__(self) -> None:
        self.rate: RateLimitStatus | None = None
        self._left = self._second = self._seen = self._pace = 0
        self._until = self._asked_at = 0.0

    def take(self) -> int:
        """How many to ask the database for; 0 where the next request is one that was taken in advance."""
        now = time.monotonic()
        if int(now) != self._second:
            self._pace = self._seen if int(now) == self._second + 1 else 0
            self._second, self._seen = int(now), 0
        self._seen += 1
        if self.rate is None:
            return 1
        if self._left and now < self._until:
            self._left -= 1
            self.rate = msgspec.structs.replace(self.rate, used=self.rate.used + 1)
            return 0
        if now < self._asked_at + _LIFETIME / 2 and not self._left:
            return 1  # somebody is asking for many, and whoever comes meanwhile counts alone
        self._left = 0
        many = max(1, min(self.rate.limit // _SHARE, self._pace // 10))
        self._asked_at = now if many > 1 else 0.0
        return many

    def grant(self, many: int, rate: RateLimitStatus) -> None:
        """What the database gave to whoever asked, who uses one of them."""
        if many > 1:
            self._left, self._until, self._asked_at = many - 1, self._asked_at + _LIFETIME, 0.0
        self.rate = msgspec.structs.replace(rate, used=rate.used - self._left) if self._left else rate


def _seconds_until(moment: datetime) -> int:
    return max(1, math.ceil(moment.timestamp() - time.time()))


async def seconds_until_allowed(conn: Connection, limits: Mapping[bytes, int]) -> int | None:
    """How long a caller has to wait who failed too often in the last minute, as any of these subjects; else None."""
    until = await conn.fetchval(
        """
        SELECT max(t.run_ends[1] + interval '1 minute')
        FROM unnest($1::bytea[], $2::integer[]) AS l (subject, most) JOIN throttles t ON t.subject = l.subject
        WHERE t.used >= l.most AND t.run_ends[1] > clock_timestamp() - interval '1 minute'
        """,
        list(limits),
        list(limits.values()),
    )
    return None if until is None else _seconds_until(until)


async def count_failures(conn: Connection, limits: Mapping[bytes, int]) -> None:
    await conn.execute(
        """
        INSERT INTO throttles AS t (subject, run_ends, run_sizes, used)
        SELECT subject, ARRAY[clock_timestamp()], ARRAY[1], 1 FROM unnest($1::bytea[]) AS l (subject) ORDER BY subject
        ON CONFLICT (subject) DO UPDATE SET (run_ends, run_sizes, used, refused_until) = (
            SELECT (s.after).* FROM (
                SELECT spend_rate(ROW(t.run_ends, t.run_sizes, t.used, t.refused_until)::rate_state,
                                  ($2::integer[])[array_position($1::bytea[], t.subject)]) AS after
                OFFSET 0
            ) s)
        """,
        list(limits),
        list(limits.values()),
    )


async def consume_attempt(conn: Connection, subject: bytes, most: int) -> int | None:
    """Count a try in the subject's sliding minute; when none is left, the seconds to wait. Exact among many at once."""
    until = await conn.fetchval(
        """
        INSERT INTO throttles AS t (subject, run_ends, run_sizes, used)
        VALUES ($1, ARRAY[clock_timestamp()], ARRAY[1], 1)
        ON CONFLICT (subject) DO UPDATE SET (run_ends, run_sizes, used, refused_until) = (
            SELECT (s.after).* FROM (
                SELECT spend_rate(ROW(t.run_ends, t.run_sizes, t.used, t.refused_until)::rate_state, $2) AS after
                OFFSET 0
            ) s)
        RETURNING refused_until
        """,
        subject,
        most,
    )
    return None if until is None else _seconds_until(until)


async def reset_attempts(conn: Connection, subject: bytes) -> None:
    await conn.execute("DELETE FROM throttles WHERE subject = $1", subject)


_IDLE = "run_ends[cardinality(run_ends)] < clock_timestamp() - interval '2 minutes'"


async def delete_idle_windows(conn: Connection, most: int) -> int:
    """Of everybody: a window whose last request is two minutes old counts for nothing any more."""
    return await delete_batch(conn, "rate_windows", _IDLE, most)


async def delete_idle_throttles(conn: Connection, most: int) -> int:
    return await delete_batch(conn, "throttles", _IDLE, most)
