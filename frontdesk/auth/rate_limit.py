"""Rate limits of callers, and throttles of unauthenticated attempts; both count in a sliding minute."""

import math
import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import lru_cache

import msgspec

from frontdesk.postgres.batched_delete import delete_batch
from frontdesk.postgres.pool import Connection

WINDOW_SECONDS = 60
DEVELOPER_SANDBOX_RATE = 600  # requests a minute of each client: who tests sends much more than a business


class RateLimitStatus(msgspec.Struct, frozen=True):
    limit: int
    used: int
    blocked_until: datetime | None
    resets_at: datetime  # when the oldest request of the window stops counting

    @property
    def remaining(self) -> int:
        return max(0, self.limit - self.used)

    @property
    def retry_after(self) -> int:
        return seconds_until(self.blocked_until or self.resets_at)

    def headers(self) -> dict[str, str]:
        """The two headers of the IETF draft, and the three common X-RateLimit headers."""
        remaining, reset = str(self.remaining), str(seconds_until(self.resets_at))
        policy, limit = _policy(self.limit)
        return {
            "ratelimit-policy": policy,
            "ratelimit": f'"default";r={remaining};t={reset}',
            "x-ratelimit-limit": limit,
            "x-ratelimit-remaining": remaining,
            "x-ratelimit-reset": reset,
        }


def unused(limit: int) -> RateLimitStatus:
    """Of a caller whose requests are not counted."""
    return RateLimitStatus(limit, 0, None, datetime.now(UTC) + timedelta(seconds=WINDOW_SECONDS))


@lru_cache(maxsize=256)
def _policy(limit: int) -> tuple[str, str]:
    return f'"default";q={limit};w={WINDOW_SECONDS}', str(limit)


def seconds_until(moment: datetime) -> int:
    return max(1, math.ceil(moment.timestamp() - time.time()))


async def seconds_until_allowed(conn: Connection, limits: Mapping[bytes, int]) -> int | None:
    """The longest wait if one of these subjects has used up its attempts of the last minute; else None."""
    until = await conn.fetchval(
        """
        SELECT max(t.bucket_ends[1] + interval '1 minute')
        FROM unnest($1::bytea[], $2::integer[]) AS l (subject, max_attempts) JOIN throttles t ON t.subject = l.subject
        WHERE t.total >= l.max_attempts AND t.bucket_ends[1] > pg_catalog.clock_timestamp() - interval '1 minute'
        """,
        list(limits),
        list(limits.values()),
    )
    return None if until is None else seconds_until(until)


async def count_failures(conn: Connection, limits: Mapping[bytes, int]) -> None:
    await conn.execute(
        """
        INSERT INTO throttles AS t (subject, bucket_ends, bucket_counts, total)
        SELECT subject, ARRAY[pg_catalog.clock_timestamp()], ARRAY[1], 1
        FROM unnest($1::bytea[]) AS l (subject) ORDER BY subject
        ON CONFLICT (subject) DO UPDATE SET (bucket_ends, bucket_counts, total, blocked_until) = (
            SELECT (s.after).* FROM (
                SELECT count_request(ROW(t.bucket_ends, t.bucket_counts, t.total, t.blocked_until)::rate_window,
                                  ($2::integer[])[array_position($1::bytea[], t.subject)]) AS after
                OFFSET 0
            ) s)
        """,
        list(limits),
        list(limits.values()),
    )


async def consume_attempt(conn: Connection, subject: bytes, limit: int) -> int | None:
    """Counts an attempt in the subject's sliding minute. Returns the seconds to wait if none is left."""
    until = await conn.fetchval(
        """
        INSERT INTO throttles AS t (subject, bucket_ends, bucket_counts, total)
        VALUES ($1, ARRAY[pg_catalog.clock_timestamp()], ARRAY[1], 1)
        ON CONFLICT (subject) DO UPDATE SET (bucket_ends, bucket_counts, total, blocked_until) = (
            SELECT (s.after).* FROM (
                SELECT count_request(ROW(t.bucket_ends, t.bucket_counts, t.total, t.blocked_until)::rate_window, $2)
                    AS after
                OFFSET 0
            ) s)
        RETURNING blocked_until
        """,
        subject,
        limit,
    )
    return None if until is None else seconds_until(until)


async def reset_attempts(conn: Connection, subject: bytes) -> None:
    await conn.execute("DELETE FROM throttles WHERE subject = $1", subject)


_IDLE = "bucket_ends[cardinality(bucket_ends)] < now() - interval '2 minutes'"


async def delete_idle_windows(conn: Connection, limit: int) -> int:
    """Of all tenants: windows without a request in the last two minutes."""
    return await delete_batch(conn, "rate_windows", _IDLE, limit)


async def delete_idle_throttles(conn: Connection, limit: int) -> int:
    return await delete_batch(conn, "throttles", _IDLE, limit)
