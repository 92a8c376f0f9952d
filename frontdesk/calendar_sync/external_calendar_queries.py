"""Statements for calendars elsewhere that make staff busy: their state, and the queue of those to fetch."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.calendar_sync.problems import FetchProblem
from frontdesk.calendar_sync.types import ExternalCalendar, Feed
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import Query, found
from frontdesk.problems import Problem, decode_problem, encode_problem

STALE_HOURS = 6
# Longer than a fetch. A calendar that a killed worker had claimed is fetched after this time.
LEASE_SECONDS = 120
FETCH_NOW_SECONDS = 60  # between two fetches that people ask for


class StaffCalendars(NamedTuple):
    """The name of a staff member, their feed, and the calendar elsewhere that makes them busy."""

    owner: str
    active: bool
    feed: Feed | None
    external: ExternalCalendar | None


def calendars_of(staff_id: UUID) -> Query[StaffCalendars]:
    return Query(_CALENDARS, (staff_id,), found("staff member", _staff_calendars))


_CALENDARS = f"""
    SELECT s.name, s.active, f.id, f.secret, f.version, f.created_at, f.read_at,
           o.host, o.version, o.fetched_at, o.failing_since, o.error,
           (SELECT count(*) FROM time_off b
            WHERE b.tenant_id = $1 AND b.staff_id = s.id AND upper(b.during) > now() AND b.status = 'outside'),
           coalesce(o.fetched_at, o.created_at) < pg_catalog.now() - interval '{STALE_HOURS} hours'
    FROM staff s
    LEFT JOIN calendar_feeds f ON f.tenant_id = $1 AND f.staff_id = s.id
    LEFT JOIN external_calendars o ON o.tenant_id = $1 AND o.staff_id = s.id
    WHERE s.tenant_id = $1 AND s.id = $2
    """


def _staff_calendars(row: Record) -> StaffCalendars:
    values = tuple(row)
    feed, external = values[2:7], values[7:]
    host, version, fetched_at, failing_since, error, *rest = external
    problem = None if error is None else decode_problem(FetchProblem, error)
    return StaffCalendars(
        values[0],
        values[1],
        None if feed[0] is None else Feed(*feed),
        None if host is None else ExternalCalendar(host, version, fetched_at, failing_since, problem, *rest),
    )


class DueCalendar(msgspec.Struct, frozen=True):
    """A calendar that this worker has claimed."""

    tenant_id: UUID
    staff_id: UUID
    host: str
    url_secret: bytes
    version: int
    etag: str | None
    last_modified: str | None
    content_hash: bytes | None
    parsed_at: datetime | None
    failures: int
    timezone: str  # of the business, for times without a zone


class WaitingCalendar(NamedTuple):
    tenant_id: UUID
    staff_id: UUID
    host: str
    timezone: str


async def list_due(conn: Connection, limit: int, of_a_business: int) -> list[WaitingCalendar]:
    """Of businesses that are not suspended, a few of each: one with many calendars does not hide the others."""
    due = await conn.fetch(
        """
        SELECT tenant_id, staff_id, host, timezone FROM (
            SELECT o.tenant_id, o.staff_id, o.host, n.timezone, o.next_fetch_at,
                   row_number() OVER (PARTITION BY o.tenant_id ORDER BY o.next_fetch_at) AS position
            FROM external_calendars o
            JOIN tenants n ON n.id = o.tenant_id AND n.suspended_at IS NULL
            JOIN staff s ON s.tenant_id = o.tenant_id AND s.id = o.staff_id AND s.active
            WHERE o.next_fetch_at <= now()) due
        WHERE position <= $2 ORDER BY next_fetch_at LIMIT $1
        """,
        limit,
        of_a_business,
    )
    return [WaitingCalendar(*row) for row in due]


async def claim(conn: Connection, waiting: Sequence[WaitingCalendar]) -> list[DueCalendar]:
    """Each row is claimed by itself, so that no two workers fetch the same."""
    claimed = []
    for tenant_id, staff_id, _, timezone in waiting:
        row = await conn.fetchrow(
            """
            UPDATE external_calendars SET next_fetch_at = now() + $3::float8 * interval '1 second', tried_at = now()
            WHERE tenant_id = $1 AND staff_id = $2 AND next_fetch_at <= now()
            RETURNING tenant_id, staff_id, host, url_secret, version, etag, last_modified, content_hash, parsed_at,
                failures
            """,
            tenant_id,
            staff_id,
            float(LEASE_SECONDS),
        )
        if row is not None:
            claimed.append(DueCalendar(**row, timezone=timezone))
    return claimed


async def store_fetched(conn: Connection, tenant_id: UUID, found: bytes) -> None:
    """`found` is the argument of `store_external_busy` as JSON."""
    await conn.execute("SELECT store_external_busy($1, $2::jsonb)", tenant_id, found.decode())


async def store_failure(conn: Connection, calendar: DueCalendar, problem: Problem, pause: float) -> None:
    """The busy times of the last fetch that succeeded stay."""
    await conn.execute(
        """
        UPDATE external_calendars SET failures = failures + 1, failing_since = least(failing_since, now()),
            error = $4, next_fetch_at = now() + $5::float8 * interval '1 second'
        WHERE tenant_id = $1 AND staff_id = $2 AND version = $3
        """,
        calendar.tenant_id,
        calendar.staff_id,
        calendar.version,
        encode_problem(problem),
        pause,
    )


async def fetch_soon(conn: Connection, tenant_id: UUID, staff_id: UUID) -> bool:
    """False if the staff member has no calendar elsewhere, or its last fetch began less than a minute ago."""
    found: bool | None = await conn.fetchval(
        """
        UPDATE external_calendars SET next_fetch_at = now()
        WHERE tenant_id = $1 AND staff_id = $2
          AND (tried_at IS NULL OR tried_at < now() - $3::float8 * interval '1 second')
        RETURNING true
        """,
        tenant_id,
        staff_id,
        float(FETCH_NOW_SECONDS),
    )
    return found is not None
