"""Python and the database have one set of time-zone rules, for every zone that there is."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from functools import cache
from random import Random

import pytest

from frontdesk.errors import StartupError
from frontdesk.orders.json_sql import LocalTimeFormat
from frontdesk.postgres import time_zones as zone_rules
from frontdesk.postgres.pool import Connection, connect
from frontdesk.postgres.time_zones import RELEASE, refresh_zones, store_zone, zone_offsets
from frontdesk.server.database import migrate_now
from frontdesk.values.time import (
    ZONE_NAMES,
    SkippedLocalTimeError,
    format_offset,
    get_zone,
    local_day_bounds,
    read_zone_file,
    to_instant,
    to_local,
)
from tests.factories.installation import insert_unknown_zone
from tests.factories.settings import make_tenant
from tests.support.repetitions import repetitions, share

pytestmark = pytest.mark.every_statement

FIRST, LAST = datetime(2020, 1, 1, tzinfo=UTC), datetime(2041, 1, 1, tzinfo=UTC)
SECOND = timedelta(seconds=1)
PARTS = 8  # `make test` asks the database about each eighth zone
AT_RANDOM = repetitions(2, long=5000)  # instants of each zone, over its changes


@pytest.fixture
async def empty(empty_dsn: str) -> AsyncIterator[Connection]:
    raw = await connect(empty_dsn)
    yield Connection(raw)
    await raw.close()


def different_zones() -> dict[str, list[str]]:
    """One name of each set of rules, with all the names it has: their files are the same to the byte."""
    by_file = dict[bytes, list[str]]()
    for name in sorted(ZONE_NAMES):
        by_file.setdefault(read_zone_file(name), []).append(name)
    assert len(by_file) > 300
    return {names[0]: names for names in by_file.values()}


@cache
def changes(name: str) -> list[datetime]:
    return [offset.starts for offset in zone_offsets(name) if FIRST < offset.starts < LAST]


def instants(name: str, rng: Random) -> list[datetime]:
    around = [change + n * SECOND for change in changes(name) for n in (-1, 0, 1)]
    seconds = (LAST - FIRST) // SECOND
    return [FIRST, LAST, *around, *(FIRST + rng.randrange(seconds) * SECOND for _ in range(AT_RANDOM))]


async def shown(conn: Connection, form: str, zone: str, moments: list[datetime]) -> list[str]:
    texts: list[str] = await conn.fetchval(
        f"SELECT array_agg({form} ORDER BY place) FROM unnest($2::timestamptz[]) WITH ORDINALITY AS u (m, place)",
        zone,
        moments,
    )
    return texts


@pytest.mark.one_server  # the rules are in our own tables
@pytest.mark.torture
@pytest.mark.timeout(600)
async def test_every_zone_shows_every_instant_alike_in_python_and_sql(empty: Connection) -> None:
    rng, count = Random(11), 0
    for name in share(list(different_zones()), 0, PARTS):
        zone, moments = get_zone(name), instants(name, rng)
        await store_zone(empty, name)
        wanted = [format_offset(moment, zone) for moment in moments]
        assert await shown(empty, LocalTimeFormat("$1").text("m"), name, moments) == wanted, name
        assert await shown(empty, "format_local(m, $1)", name, moments[:12]) == wanted[:12], name
        count += len(changes(name))
    assert count > 3000 // PARTS


def test_every_zone_turns_local_time_into_the_instant_that_shows_it() -> None:
    for name in different_zones():
        zone = get_zone(name)
        for change in changes(name):
            for moment in (change - SECOND, change, change + SECOND):
                assert_found_again(name, moment)
            skipped = to_local(change, zone) - SECOND
            if skipped > to_local(change - SECOND, zone):
                with pytest.raises(SkippedLocalTimeError):
                    to_instant(skipped, zone)


def assert_found_again(name: str, moment: datetime) -> None:
    """By its local time, or else by the first instant that shows the same; and in the local day it belongs to."""
    zone = get_zone(name)
    local = to_local(moment, zone)
    found = to_instant(local, zone)
    assert to_local(found, zone) == local
    assert found <= moment
    assert found == moment or (moment - found) < timedelta(hours=25), name
    start, end = local_day_bounds(local.date(), zone)
    assert start <= moment < end, (name, moment)


def test_names_of_one_zone_share_its_offsets() -> None:
    names = next(names for names in different_zones().values() if "Asia/Riyadh" in names)
    assert len({tuple(zone_offsets(name)) for name in names}) == 1
    assert "Asia/Kuwait" in names


async def test_a_zone_is_stored_once_however_many_store_it(empty_dsn: str, empty: Connection) -> None:
    others = [await connect(empty_dsn) for _ in range(4)]
    try:
        await asyncio.gather(*(store(Connection(raw)) for raw in others))
    finally:
        for raw in others:
            await raw.close()
    assert await stored(empty, "Asia/Gaza") == len(zone_offsets("Asia/Gaza"))


async def store(conn: Connection) -> None:
    async with conn.transaction():
        await store_zone(conn, "Asia/Gaza")


async def stored(conn: Connection, name: str) -> int:
    count: int = await conn.fetchval("SELECT count(*) FROM time_zone_offsets WHERE zone = $1", name)
    return count


async def test_a_start_replaces_rules_of_an_older_release(empty_dsn: str, empty: Connection) -> None:
    await empty.execute("UPDATE time_zones SET release = '2019a'")
    await empty.execute("UPDATE time_zone_offsets SET shift = '1 hour' WHERE zone = 'America/Edmonton'")
    tenants = [await make_tenant(empty, timezone=zone) for zone in ("America/Edmonton", "Asia/Riyadh")]
    await asyncio.to_thread(migrate_now, empty_dsn)
    assert await empty.fetchval("SELECT array_agg(DISTINCT release) FROM time_zones") == [RELEASE]
    rows = await empty.fetch(
        "SELECT starts, shift, form FROM time_zone_offsets WHERE zone = 'America/Edmonton' ORDER BY 1"
    )
    assert [tuple(row) for row in rows] == zone_offsets("America/Edmonton")
    # Documents name the version of their business, so those with other rules are rendered again.
    versions = [await empty.fetchval("SELECT version FROM tenants WHERE id = $1", tenant) for tenant in tenants]
    assert versions == [2, 1]


async def test_a_start_with_older_rules_than_the_database_is_refused(
    empty: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    await store_zone(empty, "Asia/Tokyo")
    monkeypatch.setattr(zone_rules, "RELEASE", "2019a")
    with pytest.raises(StartupError, match=f"rules of {RELEASE}, this installation those of 2019a: upgrade"):
        await refresh_zones(empty)
    with pytest.raises(StartupError):
        await store_zone(empty, "Asia/Seoul")
    assert await stored(empty, "Asia/Seoul") == 0


async def test_a_start_names_a_zone_that_the_wheel_does_not_have(empty: Connection) -> None:
    await insert_unknown_zone(empty, "Mars/Olympus")
    with pytest.raises(StartupError, match=f"'Mars/Olympus', which release {RELEASE} of tzdata does not have"):
        await refresh_zones(empty)


@pytest.mark.one_server
@pytest.mark.torture
async def test_every_zone_starts_a_day_and_reads_a_local_time_alike_in_python_and_sql(empty: Connection) -> None:
    for name in share(list(different_zones()), 1, PARTS):
        zone = get_zone(name)
        locals_ = [
            to_local(change, zone) + shift for change in changes(name) for shift in (-SECOND, timedelta(), SECOND)
        ]
        locals_ = locals_ or [datetime(2030, 5, 6, 7, 8)]  # noqa: DTZ001 - local times
        days = sorted({local.date() + timedelta(days=n) for local in locals_ for n in (-1, 0, 1)})
        await store_zone(empty, name)
        row = await empty.fetchrow(
            """
            SELECT ARRAY(SELECT day_start(d, $1) FROM unnest($2::date[]) WITH ORDINALITY AS u (d, n) ORDER BY n)
                       AS days,
                   ARRAY(SELECT local_to_utc(t, $1) FROM unnest($3::timestamp[]) WITH ORDINALITY AS u (t, n) ORDER BY n)
                       AS instants
            """,
            name,
            days,
            locals_,
        )
        assert row is not None
        assert row["days"] == [local_day_bounds(day, zone)[0] for day in days], name
        assert row["instants"] == [instant_or_none(local, name) for local in locals_], name


def instant_or_none(local: datetime, name: str) -> datetime | None:
    try:
        return to_instant(local, get_zone(name))
    except SkippedLocalTimeError:
        return None
