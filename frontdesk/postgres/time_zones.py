"""Stores time-zone rules in the database, from the tzdata package that Python uses.

PostgreSQL has its own rules, which may be older, so no statement uses them. A zone is stored when the first tenant in
it is created, and updated at the first start with a newer tzdata.
"""

import struct
from bisect import bisect_left
from calendar import isleap
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

import tzdata

from frontdesk.errors import StartupError
from frontdesk.postgres.pool import Connection
from frontdesk.values.time import UnknownZoneError, format_offset, get_zone, read_zone_file

RELEASE: str = tzdata.IANA_VERSION  # for example 2026f; releases sort by name
# Requests may use dates from 1970 to 2200; the margin covers appointments that end after that.
_START, _LAST_YEAR = datetime(1969, 1, 1, tzinfo=UTC), 2200
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_WEEK, _SECOND = timedelta(weeks=1), timedelta(seconds=1)
_HEADER = struct.Struct(">4sc15x6L")  # RFC 9636: the counts of the data that follows


class Offset(NamedTuple):
    """Valid from `starts` until the next offset of the zone."""

    starts: datetime
    shift: timedelta
    form: str  # for to_char(), with the offset as text


def zone_offsets(name: str) -> list[Offset]:
    zone, found = get_zone(name), list[Offset]()
    for starts in (_START, *_changes(name, zone)):
        shift = _shift(starts, zone)
        if not found or shift != found[-1].shift:
            form = f'YYYY-MM-DD"T"HH24:MI:SS"{format_offset(starts, zone)[19:]}"'
            found.append(Offset(starts, shift, form))
    return found


def _changes(name: str, zone: ZoneInfo) -> Iterator[datetime]:
    """The transitions listed in the zone's file, then those of the yearly rule after them.

    Under a yearly rule, years with the same calendar have the same transitions, so at most 14 years are searched.
    """
    listed = [change for change in _listed_changes(read_zone_file(name)) if change > _START]
    yield from listed
    last = listed[-1] if listed else _START
    ruled = _new_year(last.year + 1)
    yield from _search(zone, last, ruled)
    years = dict[tuple[bool, int], list[timedelta]]()
    for first in map(_new_year, range(ruled.year, _LAST_YEAR + 1)):
        calendar = isleap(first.year), first.weekday()
        if calendar not in years:
            years[calendar] = [change - first for change in _search(zone, first, _new_year(first.year + 1))]
        yield from (first + passed for passed in years[calendar])


def _listed_changes(file: bytes) -> list[datetime]:
    """Skips the 32-bit block at the beginning of the file and reads the 64-bit one."""
    _magic, _version, utc, standard, leaps, changes, types, letters = _HEADER.unpack_from(file)
    at = _HEADER.size + changes * 5 + types * 6 + letters + leaps * 8 + standard + utc
    changes = _HEADER.unpack_from(file, at)[5]
    return [_EPOCH + moment * _SECOND for (moment,) in struct.iter_unpack(">q", file[at + 44 : at + 44 + 8 * changes])]


def _search(zone: ZoneInfo, start: datetime, end: datetime) -> Iterator[datetime]:
    """Searches week by week, because a yearly rule has two transitions that are months apart."""
    while start < end:
        shift, stop = _shift(start, zone), min(start + _WEEK, end)
        if _shift(stop, zone) != shift:
            yield _find_transition(zone, start, (stop - start) // _SECOND)
        start = stop


def _find_transition(zone: ZoneInfo, start: datetime, seconds: int) -> datetime:
    shift = _shift(start, zone)
    passed = bisect_left(range(seconds), True, key=lambda n: _shift(start + n * _SECOND, zone) != shift)  # noqa: FBT003
    return start + passed * _SECOND


def _new_year(year: int) -> datetime:
    return datetime(year, 1, 1, tzinfo=UTC)


def _shift(instant: datetime, zone: ZoneInfo) -> timedelta:
    return instant.astimezone(zone).utcoffset() or timedelta()


async def store_zone(conn: Connection, name: str) -> None:
    """Called in the transaction that creates a tenant. Does nothing if the zone is already stored."""
    row = await conn.fetchrow("SELECT max(release) AS newest, bool_or(name = $1) AS stored FROM time_zones", name)
    newest, stored = (row["newest"], row["stored"]) if row else (None, False)
    _check_release(newest)
    if not stored:
        await _write_zone(conn, name)


async def refresh_zones(conn: Connection) -> None:
    """Updates the stored zones to the release of this installation, at start."""
    rows = await conn.fetch("SELECT name, release FROM time_zones ORDER BY name")
    _check_release(max((row["release"] for row in rows), default=None))
    async with conn.transaction():
        for row in rows:
            if row["release"] < RELEASE:
                await _refresh_zone(conn, row["name"])


async def _refresh_zone(conn: Connection, name: str) -> None:
    try:
        await _write_zone(conn, name)
    except UnknownZoneError as error:
        raise StartupError(
            f"a business has the time zone {name!r}, which release {RELEASE} of tzdata does not have: "
            "install a release that has it, or give the business another zone"
        ) from error


def _check_release(newest: str | None) -> None:
    """A process with older rules than the database would compute other times, so it must not start."""
    if newest is not None and newest > RELEASE:
        raise StartupError(
            f"the database has the time-zone rules of {newest}, this installation those of {RELEASE}: "
            "upgrade the Python package tzdata here, then start again"
        )


async def _write_zone(conn: Connection, name: str) -> None:
    """A concurrent writer waits at the first statement and then has nothing to do."""
    offsets = zone_offsets(name)
    updated = await conn.fetchval(
        """
        INSERT INTO time_zones (name, release) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE
        SET release = excluded.release WHERE time_zones.release < excluded.release RETURNING true
        """,
        name,
        RELEASE,
    )
    if updated:
        await conn.execute("DELETE FROM time_zone_offsets WHERE zone = $1", name)
        await conn.copy_rows("time_zone_offsets", ("zone", *Offset._fields), [(name, *offset) for offset in offsets])
