"""Requests that a busy caller with a high limit takes from its minute together: never more of them than one by one."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from frontdesk.auth import rate_limit as ratelimit
from frontdesk.auth.rate_limit import PrefetchedQuota, RateLimitStatus
from frontdesk.postgres.pool import Connection
from tests.factories.credentials import make_client
from tests.support.http_errors import assert_error
from tests.support.shop import Shop


class Time:
    """A clock that a test turns."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now

    def time(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Time:
    clock = Time()
    monkeypatch.setattr(ratelimit, "time", clock)
    return clock


def _rate(limit: int, used: int) -> RateLimitStatus:
    return RateLimitStatus(limit, used, None, datetime.now(UTC) + timedelta(seconds=60))


def _busy(clock: Time, limit: int, requests: int) -> tuple[PrefetchedQuota, int]:
    """A caller who made so many requests in the second before, one by one; and what the next one asks for."""
    allowance = PrefetchedQuota()
    for used in range(1, requests + 1):
        assert allowance.take() == 1
        allowance.grant(1, _rate(limit, used))
    clock.now += 1
    return allowance, allowance.take()


def test_who_was_never_seen_takes_one(clock: Time) -> None:
    assert PrefetchedQuota().take() == 1


@pytest.mark.parametrize(
    ("limit", "pace", "wanted"),
    [(60, 59, 1), (999, 500, 1), (5_000, 500, 5), (1_000_000, 5, 1), (1_000_000, 200, 20)],
)
def test_few_requests_or_a_low_limit_are_counted_one_by_one(clock: Time, limit: int, pace: int, wanted: int) -> None:
    assert _busy(clock, limit, pace)[1] == wanted


def test_a_pause_ends_the_taking_in_advance(clock: Time) -> None:
    allowance, _ = _busy(clock, 1_000_000, 500)
    clock.now += 2
    assert allowance.take() == 1


def test_what_was_taken_is_used_once_and_told_as_if_it_were_counted_one_by_one(clock: Time) -> None:
    allowance, wanted = _busy(clock, 1_000_000, 30)
    assert wanted == 3
    allowance.grant(3, _rate(1_000_000, 33))
    told = [allowance.rate and allowance.rate.used]
    for _ in range(2):
        assert allowance.take() == 0
        told.append(allowance.rate and allowance.rate.used)
    assert told == [31, 32, 33]
    assert allowance.take() == 3


def test_only_one_asks_for_many_at_a_time(clock: Time) -> None:
    allowance, wanted = _busy(clock, 1_000_000, 100)
    assert (wanted, allowance.take(), allowance.take()) == (10, 1, 1)
    allowance.grant(10, _rate(1_000_000, 110))
    allowance.grant(1, _rate(1_000_000, 111))
    assert allowance.rate is not None
    assert allowance.rate.used == 102  # the hundred, whoever asked for ten, and one of those who came meanwhile
    assert [allowance.take() for _ in range(10)] == [0] * 9 + [10]


def test_who_asked_and_never_heard_holds_nobody_up_for_long(clock: Time) -> None:
    allowance, wanted = _busy(clock, 1_000_000, 100)
    assert wanted == 10
    clock.now += 0.5
    assert allowance.take() == 10


def test_what_was_taken_is_good_for_a_second_from_the_asking(clock: Time) -> None:
    allowance, _ = _busy(clock, 1_000_000, 30)
    clock.now += 0.4  # so long the database took
    allowance.grant(3, _rate(1_000_000, 33))
    clock.now += 0.59
    assert allowance.take() == 0
    clock.now += 0.02
    assert allowance.take() > 0


async def _spend(conn: Connection, used: int, most: int, many: int) -> Any:
    return await conn.fetchrow(
        """
        SELECT s.*, clock_timestamp() AS now
        FROM (SELECT ARRAY[clock_timestamp() - interval '10 seconds'] AS ends) before,
             spend_rate(ROW(before.ends, ARRAY[$1::integer], $1, NULL)::rate_state, $2, $3) s
        """,
        used,
        most,
        many,
    )


async def test_many_are_given_where_so_many_are_left_and_count_a_second_longer(conn: Connection) -> None:
    given = await _spend(conn, 10, 100, 20)
    assert (given["granted"], given["used"], given["run_sizes"]) == (20, 30, [10, 20])
    assert timedelta(seconds=0.9) < given["run_ends"][1] - given["now"] <= timedelta(seconds=1)
    single = await _spend(conn, 10, 100, 1)
    assert (single["granted"], single["used"]) == (1, 11)
    assert single["run_ends"][1] <= single["now"]


@pytest.mark.parametrize(("used", "granted"), [(80, 20), (81, 1), (99, 1), (100, 0)])
async def test_never_more_than_are_left(conn: Connection, used: int, granted: int) -> None:
    given = await _spend(conn, used, 100, 20)
    assert (given["granted"], given["used"]) == (granted, used + granted)
    assert (given["refused_until"] is None) == (granted > 0)


async def test_a_busy_client_is_counted_whole_and_a_lowered_limit_acts_at_once(shop: Shop) -> None:
    client = await make_client(shop, rate_limit=50_000)
    token = await client.token()

    async def rush(calls: int) -> set[int]:
        answers = await asyncio.gather(*(shop.get("/branches", token=token) for _ in range(calls)))
        return {answer.status_code for answer in answers}

    for _ in range(6):
        assert await rush(60) == {200}
    (row,) = await shop.sql("SELECT used FROM rate_windows WHERE tenant_id = $1 AND caller_id = $2", client.id)
    assert 360 <= row["used"] < 420
    await client.change("rate_limit = 5")
    for _ in range(3):
        assert_error(await shop.get("/branches", token=token), 429, "rate_limit_exceeded")
