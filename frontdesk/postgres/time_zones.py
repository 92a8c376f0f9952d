"""The database's copy of the time-zone rules, written from the wheel that Python computes with.

PostgreSQL brings rules of its own, as old as its packages, so no statement uses them. A zone is copied when the first
business in it is made, and copied again at the first start with a newer wheel.
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

RELEASE: str = tzdata.IANA_VERSION  # such as 2026f; later ones sort behind earlier ones
# Requests name moments between 1970 and 2200; appointments that begin at the end of that time run on a little.
_FIRST, _LAST_YEAR = datetime(1969, 1, 1, tzinfo=UTC), 2200
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_WEEK, _SECOND = timedelta(weeks=1), timedelta(seconds=1)
_HEADER = struct.Struct(">4sc15x6L")  # RFC 9636: the counts of what follows


class Offset(NamedTuple):
    """From this instant until the next one of its zone."""

    starts: datetime
    shift: timedelta
    form: str  # for to_char(), with the offset as text


def zone_offsets(name: str) -> list[Offset]:
    zone, found = get_zone(name), list[Offset]()
    for starts in (_FIRST, *_changes(name, zone)):
        shift = _shift(starts, zone)
        if not found or shift != found[-1].shift:
            form = f'YYYY-MM-DD"T"HH24:MI:SS"{format_offset(starts, zone)[19:]}"'
            found.append(Offset(starts, shift, form))
    return found


def _changes(name: str, zone: ZoneInfo) -> Iterator[datetime]:
    """Those that the zone's file lists, then those of the yearly rule that follows them.

    Under such a rule years with the same calendar have the same changes, so at most fourteen years are searched.
    """
    listed = [change for change in _listed_changes(read_zone_file(name)) if change > _FIRST]
    yield from listed
    last = listed[-1] if listed else _FIRST
    ruled = _new_year(last.year + 1)
    yield from _search(zone, last, ruled)
    years = dict[tuple[bool, int], list[timedelta]]()
    for first in map(_new_year, range(ruled.year, _LAST_YEAR + 1)):
        calendar = isleap(first.year), first.weekday()
        if calendar not in years:
            years[calendar] = [change - first for change in _search(zone, first, _new_year(first.year + 1))]
        yield from (first + passed for passed in years[calendar])


def _listed_changes(file: bytes) -> list[datetime]:
    """The file begins with a block in 32 bits for old readers; the one in 64 bits follows."""
    _magic, _version, utc, standard, leaps, changes, types, letters = _HEADER.unpack_from(file)
    at = _HEADER.size + changes * 5 + types * 6 + letters + leaps * 8 + standard + utc
    changes = _HEADER.unpack_from(file, at)[5]
    return [_EPOCH + moment * _SECOND for (moment,) in struct.iter_unpack(">q", file[at + 44 : at + 44 + 8 * changes])]


def _search(zone: ZoneInfo, start: datetime, end: datetime) -> Iterator[datetime]:
    """Week by week: a yearly rule has two changes, months apart."""
    while start < end:
        shift, stop = _shift(start, zone), min(start + _WEEK, end)
        if _shift(stop, zone) != shift:
            yield _first_other(zone, start, (stop - start) // _SECOND)
        start = stop


def _first_other(zone: ZoneInfo, start: datetime, seconds: int) -> datetime:
    shift = _shift(start, zone)
    passed = bisect_left(range(seconds), True, key=lambda n: _shift(start + n * _SECOND, zone) != shift)  # noqa: FBT003
    return start + passed * _SECOND


def _new_year(year: int) -> datetime:
    return datetime(year, 1, 1, tzinfo=UTC)


def _shift(instant: datetime, zone: ZoneInfo) -> timedelta:
    return instant.astimezone(zone).utcoffset() or timedelta()


async def store_zone(conn: Connection, name: str) -> None:
    """In the transaction that makes a business. Nothing is written where the zone is stored already."""
    row = await conn.fetchrow("SELECT max(release) AS newest, bool_or(name = $1) AS stored FROM time_zones", name)
    newest, stored = (row["newest"], row["stored"]) if row else (None, False)
    _check_release(newest)
    if not stored:
        await _write_zone(conn, name)


async def refresh_zones(conn: Connection) -> None:
    """At start: bring the stored zones to this process's release."""
    rows = await conn.fetch("SELECT name, release FROM time_zones ORDER BY name")
    _check_release(max((row["release"] for row in rows), default=None))
    async with conn.transaction():
        for row in rows:
            if row["release"] < RELEASE:
                await _refresh_zone(conn, row["name"])


async def _refresh_zone(conn: Connection, name: str) -> None:
    try:
        await _write_zone(conn, name)
    except UnknownZoneError as unknown:
        raise StartupError(
            f"a business has the time zone {name!r}, which release {RELEASE} of tzdata does not have: "
            "install a release that has it, or give the business another zone"
        ) from unknown


def _check_release(newest: str | None) -> None:
    """The newest rules win: a process with older ones would offer other hours than the database shows."""
    if newest is not None and newest > RELEASE:
        raise StartupError(
            f"the database has the time-zone rules of {newest}, this installation those of {RELEASE}: "
            "upgrade the Python package tzdata here, then start again"
        )


async def _write_zone(conn: Connection, name: str) -> None:
    """A second writer waits at the first statement, and finds nothing left to do."""
    offsets = zone_offsets(name)
    newer = await conn.fetchval(
        """
        INSERT INTO time_zones (name, release) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE
        SET release = excluded.release WHERE time_zones.release < excluded.release RETURNING true
        """,
        name,
        RELEASE,
    )
    if newer:
        await conn.execute("DELETE FROM time_zone_offsets WHERE zone = $1", name)
        await conn.copy_rows("time_zone_offsets", ("zone", *Offset._fields), [(name, *offset) for offset in offsets])
