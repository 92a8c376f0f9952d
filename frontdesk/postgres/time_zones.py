"""Stores time-zone rules in the database, from the tzdata package that Python uses.

PostgreSQL has its own rules, which may be older, so no statement uses them. A zone is stored with the first tenant in
it, and updated at the first start with a newer tzdata.
"""

from datetime import datetime, timedelta
from typing import NamedTuple

import tzdata

from frontdesk.errors import StartupError
from frontdesk.postgres.pool import Connection
from frontdesk.values.time import UnknownZoneError, format_offset, get_zone
from frontdesk.values.zone_changes import zone_changes

RELEASE: str = tzdata.IANA_VERSION  # for example 2026f; releases sort by name


class Offset(NamedTuple):
    """Valid from `starts` until the next offset of the zone."""

    starts: datetime
    shift: timedelta
    form: str  # for to_char(), with the offset as text


def zone_offsets(name: str) -> list[Offset]:
    zone = get_zone(name)
    return [
        Offset(starts, shift, f'YYYY-MM-DD"T"HH24:MI:SS"{format_offset(starts, zone)[19:]}"')
        for starts, shift in zone_changes(name)
    ]


async def store_zone(conn: Connection, name: str) -> None:
    """Called in the transaction that creates a tenant. Does nothing if the zone is already stored."""
    row = await conn.fetchrow("SELECT max(release) AS newest, bool_or(name = $1) AS stored FROM time_zones", name)
    newest, stored = (row["newest"], row["stored"]) if row else (None, False)
    _check_release(newest)
    if not stored:
        await _write_zone(conn, name)


def zone_rules(name: str, newest: str | None) -> dict[str, object]:
    """Of a zone that is not stored, for the database function know_time_zone. `newest`: the newest release stored."""
    _check_release(newest)
    offsets = [
        {"starts": offset.starts.isoformat(), "seconds": round(offset.shift.total_seconds()), "form": offset.form}
        for offset in zone_offsets(name)
    ]
    return {"name": name, "release": RELEASE, "offsets": offsets}


async def refresh_zones(conn: Connection) -> None:
    """Updates the stored zones to the release of this installation, at start."""
    rows = await conn.fetch("SELECT name, release FROM time_zones ORDER BY name")
    _check_release(max((row["release"] for row in rows), default=None))
    outdated = [row["name"] for row in rows if row["release"] < RELEASE]
    if not outdated:
        return
    async with conn.transaction():
        for name in outdated:
            await _refresh_zone(conn, name)


async def _refresh_zone(conn: Connection, name: str) -> None:
    """Documents of orders that were rendered with other rules are outdated with the version of their business."""
    try:
        if await _write_zone(conn, name):
            await conn.execute("UPDATE tenants SET version = version + 1 WHERE timezone = $1", name)
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


async def _write_zone(conn: Connection, name: str) -> bool:
    """Whether its rules have changed. A concurrent writer waits at the first statement and then has nothing to do."""
    offsets = zone_offsets(name)
    updated = await conn.fetchval(
        """
        INSERT INTO time_zones (name, release) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE
        SET release = excluded.release WHERE time_zones.release < excluded.release RETURNING true
        """,
        name,
        RELEASE,
    )
    stored = await conn.fetch("SELECT starts, shift, form FROM time_zone_offsets WHERE zone = $1 ORDER BY 1", name)
    is_changed = bool(updated) and [tuple(row) for row in stored] != offsets
    if is_changed:
        await conn.execute("DELETE FROM time_zone_offsets WHERE zone = $1", name)
        await conn.copy_rows("time_zone_offsets", ("zone", *Offset._fields), [(name, *offset) for offset in offsets])
    return is_changed
