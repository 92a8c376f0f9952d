"""The sliding window is exact with several processes: never more than the limit in any sixty seconds."""

import asyncio
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

import httpx2
import pytest

from frontdesk.auth.rate_limit import RateLimitStatus
from frontdesk.postgres.pool import Connection
from frontdesk.values.ids import uuid7
from tests.factories.credentials import ApiClient, make_client
from tests.support.http_errors import assert_error
from tests.support.programs.process import running_process
from tests.support.service import Service, running_service
from tests.support.shop import NO_CERTIFICATES, OPEN_API, Shop

pytestmark = pytest.mark.both_servers

LIMIT = 15


async def test_a_client_without_a_number_of_its_own_has_sixty_a_minute(service: Service, shop: Shop) -> None:
    assert await _passed([service], await make_client(shop), 75) == 60


async def test_the_operator_sets_the_limit_of_clients_without_a_number(dsn: str, shop: Shop) -> None:
    plain, own = await make_client(shop), await make_client(shop, rate_limit=9)
    async with running_service(dsn, rate_limit=7) as strict:
        assert await _passed([strict], plain, 20) == 7
        assert await _passed([strict], own, 20) == 9


async def test_exactly_the_limit_passes_when_two_services_are_called_at_once(service: Service, dsn: str) -> None:
    shop = await service.new_shop()
    async with running_service(dsn) as second:
        for _ in range(3):
            client = await make_client(shop, rate_limit=LIMIT)
            assert await _passed([service, second], client, 4 * LIMIT) == LIMIT


@pytest.mark.one_server
async def test_exactly_the_limit_passes_when_two_processes_share_the_port(dsn: str, shop: Shop, tmp_path: Path) -> None:
    client = await make_client(shop, rate_limit=LIMIT)
    async with running_process(dsn, tmp_path, FRONTDESK_WORKERS="2") as running:
        statuses = await _call_at_once([running.origin], await client.token(), 4 * LIMIT)
    assert sorted(statuses) == [200] * LIMIT + [429] * 3 * LIMIT


async def test_all_tokens_of_a_client_draw_on_one_minute_and_other_clients_on_theirs(shop: Shop) -> None:
    client, other = await make_client(shop, rate_limit=2), await make_client(shop, rate_limit=2)
    for token in (await client.token(), await client.token("branches:read")):
        assert (await shop.get("/branches", token=token)).status_code == 200
    assert_error(await shop.get("/branches", token=await client.token()), 429, "rate_limit_exceeded")
    assert (await shop.get("/branches", token=await other.token())).headers["x-ratelimit-remaining"] == "1"


async def test_token_requests_do_not_count_towards_the_rate_limit(shop: Shop) -> None:
    client = await make_client(shop, rate_limit=1)
    for _ in range(3):
        token = await client.token()
    assert (await shop.get("/branches", token=token)).status_code == 200


async def test_a_rate_limited_request_does_not_count(shop: Shop) -> None:
    client = await make_client(shop, rate_limit=2)
    token = await client.token()
    for _ in range(2):
        await shop.get("/branches", token=token)
    before = await _window(shop, client.id)
    for _ in range(5):
        assert_error(await shop.get("/branches", token=token), 429, "rate_limit_exceeded")
    after = await _window(shop, client.id)
    assert (after["bucket_ends"], after["bucket_counts"], after["total"]) == (
        before["bucket_ends"],
        before["bucket_counts"],
        2,
    )


async def test_a_request_after_retry_after_is_not_rate_limited(shop: Shop) -> None:
    """Moved back by the wait that was announced, the next request passes; by less, it does not."""
    client = await make_client(shop, rate_limit=2)
    token = await client.token()
    began = time.monotonic()
    await shop.get("/branches", token=token)
    await _go_on(shop, client.id, 20)
    await shop.get("/branches", token=token)
    wait = int((await shop.get("/branches", token=token)).headers["retry-after"])
    assert 39 - (time.monotonic() - began) <= wait <= 40
    await _go_on(shop, client.id, wait - 15)  # the test itself takes time too
    assert_error(await shop.get("/branches", token=token), 429, "rate_limit_exceeded")
    await _go_on(shop, client.id, 15)
    assert (await shop.get("/branches", token=token)).headers["x-ratelimit-remaining"] == "0"
    assert_error(await shop.get("/branches", token=token), 429, "rate_limit_exceeded")


async def test_the_rate_limit_is_free_again_after_a_quiet_minute(shop: Shop) -> None:
    client = await make_client(shop, rate_limit=3)
    token = await client.token()
    for _ in range(4):
        await shop.get("/branches", token=token)
    await _go_on(shop, client.id, 60)
    assert (await shop.get("/branches", token=token)).headers["x-ratelimit-remaining"] == "2"


async def test_a_lowered_limit_acts_at_once_and_a_raised_one_too(shop: Shop) -> None:
    client = await make_client(shop, rate_limit=5)
    token = await client.token()
    for _ in range(3):
        await shop.get("/branches", token=token)
    await client.change("rate_limit = 2")
    answer = await shop.get("/branches", token=token)
    assert_error(answer, 429, "rate_limit_exceeded")
    assert answer.headers["x-ratelimit-remaining"] == "0"
    await client.change("rate_limit = 4")
    assert (await shop.get("/branches", token=token)).headers["x-ratelimit-remaining"] == "0"


@pytest.mark.parametrize("gaps", [[0.0], [0.3], [1.0], [7.0], [0.0, 0.0, 25.0], [59.0, 0.5], [0.1, 0.9, 30.0, 2.0]])
async def test_never_more_than_the_limit_in_any_sliding_minute(conn: Connection, gaps: list[float]) -> None:
    """Time is played by moving the stored window back, so minutes pass in milliseconds. What really passes counts too:
    a request was made between the two moments at which it began and ended.
    """
    window, passed, played, most = uuid7(), list[tuple[float, float]](), 0.0, 4
    for turn in range(60):
        began = played + time.monotonic()
        if await _spend(conn, window, most):
            passed.append((began, played + time.monotonic()))
        gap = gaps[turn % len(gaps)]
        played += gap
        await _shift(conn, window, gap)
    for first, _ in passed:
        assert sum(first <= began and ended < first + 60 for began, ended in passed) <= most
    assert len(passed) >= most


async def test_requests_are_given_back_as_they_grow_old_and_not_all_at_once(conn: Connection) -> None:
    window = uuid7()
    for _ in range(3):
        assert await _spend(conn, window, 3)
        await _shift(conn, window, 15)
    assert not await _spend(conn, window, 3)  # at 45 s
    await _shift(conn, window, 15)
    assert await _spend(conn, window, 3)  # the first is a minute old
    assert not await _spend(conn, window, 3)
    await _shift(conn, window, 15)
    assert await _spend(conn, window, 3)  # and now the second


async def test_a_window_never_keeps_more_than_a_minute_of_seconds(conn: Connection) -> None:
    window = uuid7()
    for _ in range(90):
        await _spend(conn, window, 1_000_000)
        await _shift(conn, window, 1)
    runs = await conn.fetchval("SELECT cardinality(bucket_ends) FROM rate_windows WHERE tenant_id = $1", window)
    assert runs <= 61


def test_rate_limit_headers_stay_within_their_bounds() -> None:
    now = datetime.now(UTC)
    over = RateLimitStatus(
        limit=2, used=5, blocked_until=now - timedelta(seconds=3), resets_at=now - timedelta(seconds=3)
    )
    assert over.headers()["x-ratelimit-remaining"] == "0"
    assert over.retry_after == 1
    assert RateLimitStatus(2, 1, None, now + timedelta(seconds=0.2)).headers()["x-ratelimit-reset"] == "1"


async def _passed(services: list[Service], client: ApiClient, calls: int) -> int:
    statuses = await _call_at_once([service.origin for service in services], await client.token(), calls)
    assert set(statuses) <= {200, 429}
    return statuses.count(200)


async def _call_at_once(origins: list[str], token: str, calls: int) -> list[int]:
    limits = httpx2.Limits(max_connections=10 * len(origins))  # of more, some could wait too long on a busy machine
    headers = {"authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(headers=headers, limits=limits, timeout=120, verify=NO_CERTIFICATES) as http:
        answers = await asyncio.gather(
            *(http.get(f"{origins[number % len(origins)]}{OPEN_API}/branches") for number in range(calls))
        )
    return [answer.status_code for answer in answers]


async def _window(shop: Shop, caller_id: UUID) -> dict[str, object]:
    rows = await shop.sql("SELECT * FROM rate_windows WHERE tenant_id = $1 AND caller_id = $2", caller_id)
    return dict(rows[0])


async def _go_on(shop: Shop, caller_id: UUID, seconds: float) -> None:
    """As if so much time had passed for this caller."""
    await shop.sql(
        """
        UPDATE rate_windows
        SET bucket_ends = (SELECT array_agg(e - $3 * interval '1 second' ORDER BY n) FROM unnest(bucket_ends)
                        WITH ORDINALITY AS r (e, n))
        WHERE tenant_id = $1 AND caller_id = $2
        """,
        caller_id,
        seconds,
    )


async def _spend(conn: Connection, window: UUID, most: int) -> bool:
    """One request against a window that belongs to nobody, by the function that the guard's statement uses."""
    blocked_until = await conn.fetchval(
        """
        INSERT INTO rate_windows AS w (tenant_id, caller_id, bucket_ends, bucket_counts, total)
        VALUES ($1, $1, ARRAY[clock_timestamp()], ARRAY[1], 1)
        ON CONFLICT (tenant_id, caller_id) DO UPDATE SET (bucket_ends, bucket_counts, total, blocked_until) = (
            SELECT (s.after).* FROM (
                SELECT count_request(ROW(w.bucket_ends, w.bucket_counts, w.total, w.blocked_until)::rate_window, $2)
                    AS after
                OFFSET 0
            ) s)
        RETURNING blocked_until
        """,
        window,
        most,
    )
    return blocked_until is None


async def _shift(conn: Connection, window: UUID, seconds: float) -> None:
    await conn.execute(
        """
        UPDATE rate_windows
        SET bucket_ends = (SELECT array_agg(e - $2 * interval '1 second' ORDER BY n) FROM unnest(bucket_ends)
                        WITH ORDINALITY AS r (e, n))
        WHERE tenant_id = $1
        """,
        window,
        seconds,
    )
