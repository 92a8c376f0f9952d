"""Statements for calendar feeds: what one contains, and its state on the pages of its owner."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.calendar_sync.types import CustomerNames, Feed, FeedContent, FeedOwner
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import Query, found, found_decoded, optional

MAX_READS = 30  # of a feed in a minute
_MAX_BOOKINGS = 5000  # of a feed; those that are furthest ahead are left out


class FeedAnswer(NamedTuple):
    """`content` is None if the caller already has it, or may not read for a while."""

    feed_id: UUID
    content_hash: str | None
    content: FeedContent | None
    blocked_until: datetime | None
    notes_read: bool  # the last noted read is an hour ago


def read_feed(secret_hash: bytes, first: datetime, last: datetime, known: Sequence[str]) -> Query[FeedAnswer | None]:
    """Bookings that begin between two instants. `known` are hashes of contents that the caller has."""
    return Query(_FEED, (secret_hash, first, last, list(known), MAX_READS), optional(_feed_answer))


_BOOKINGS = f"""
    SELECT coalesce(json_agg(json_build_object('id', k.id, 'order_id', o.id, 'version', o.version,
        'starts_at', format_utc(lower(k.during)), 'ends_at', format_utc(upper(k.during)),
        'changed_at', format_utc(o.updated_at), 'service', i.name, 'staff', k.staff,
        'first_name', c.first_name, 'last_name', c.last_name) ORDER BY lower(k.during), k.id), '[]')
    FROM (
        SELECT b.id, b.order_id, b.item_id, b.during, m.name AS staff FROM members m
        JOIN bookings b ON b.tenant_id = $1 AND b.staff_id = m.id AND b.is_active
            AND lower(b.during) >= $3::timestamptz AND lower(b.during) < $4::timestamptz
        ORDER BY lower(b.during), b.id LIMIT {_MAX_BOOKINGS}
    ) k
    JOIN orders o ON o.tenant_id = $1 AND o.id = k.order_id
    JOIN items i ON i.tenant_id = $1 AND i.id = k.item_id
    LEFT JOIN customers c ON c.tenant_id = $1 AND c.id = o.customer_id"""
_TIME_OFF = """
    SELECT coalesce(json_agg(json_build_object('id', t.id, 'version', t.version,
        'starts_at', format_utc(lower(t.during)), 'ends_at', format_utc(upper(t.during)),
        'changed_at', format_utc(t.updated_at), 'staff', m.name) ORDER BY lower(t.during), t.id), '[]')
    FROM members m
    JOIN time_off t ON t.tenant_id = $1 AND t.staff_id = m.id AND t.status = 'approved' AND upper(t.during) > $3
        AND lower(t.during) < $4"""
_FEED = f"""
    WITH feed AS MATERIALIZED (
        SELECT f.*, b.name AS branch, b.address, coalesce(s.name, b.name) AS owner
        FROM calendar_feeds f
        LEFT JOIN staff s ON s.tenant_id = $1 AND s.id = f.staff_id AND s.active
        JOIN branches b ON b.tenant_id = $1 AND b.id = coalesce(f.branch_id, s.branch_id) AND b.status
        WHERE f.tenant_id = $1 AND f.secret_hash = $2 AND context.suspended_at IS NULL
    ), members AS MATERIALIZED (
        SELECT s.id, s.name FROM feed f JOIN staff s ON s.tenant_id = $1
            AND CASE WHEN f.staff_id IS NULL THEN s.branch_id = f.branch_id ELSE s.id = f.staff_id END
    ), content AS MATERIALIZED (
        SELECT json_build_object('business', context.name, 'owner', f.owner, 'is_branch', f.staff_id IS NULL,
            'branch', f.branch, 'address', f.address, 'language', f.language, 'languages', context.languages,
            'timezone', context.timezone, 'customer_names', coalesce(n.customer_names, 'short'),
            'changed_at', format_utc(greatest(f.created_at, n.updated_at)),
            'bookings', ({_BOOKINGS}), 'time_off', ({_TIME_OFF}))::text AS content
        FROM feed f LEFT JOIN calendar_settings n ON n.tenant_id = $1
    )
    SELECT f.id, limited.blocked_until, coalesce(f.read_at < now() - interval '1 hour', true) AS notes_read,
           found.hash, CASE WHEN found.hash <> ALL ($5::text[]) THEN found.content END AS content
    FROM feed f CROSS JOIN LATERAL consume_rate_limit($1, f.id, $6::integer) limited
    LEFT JOIN LATERAL (SELECT content, md5(content) AS hash FROM content WHERE limited.blocked_until IS NULL) found
        ON true
    """
_CONTENT = msgspec.json.Decoder(FeedContent)


def _feed_answer(row: Record) -> FeedAnswer:
    content = None if row["content"] is None else _CONTENT.decode(row["content"])
    return FeedAnswer(row["id"], row["hash"], content, row["blocked_until"], row["notes_read"])


async def note_read(conn: Connection, tenant_id: UUID, feed_id: UUID) -> None:
    await conn.execute("UPDATE calendar_feeds SET read_at = now() WHERE tenant_id = $1 AND id = $2", tenant_id, feed_id)


class FeedToChange(NamedTuple):
    """The name of the owner, and the feed if there is one."""

    owner: str
    feed: Feed | None


def feed_of(owner: FeedOwner) -> Query[FeedToChange]:
    return Query(
        _FEED_OF_STAFF if owner.staff_id else _FEED_OF_BRANCH,
        (owner.staff_id or owner.branch_id,),
        found("branch or staff member", _feed_to_change),
    )


_FEED_OF_STAFF = """
    SELECT s.name, f.id, f.secret, f.version, f.created_at, f.read_at FROM staff s
    LEFT JOIN calendar_feeds f ON f.tenant_id = $1 AND f.staff_id = s.id
    WHERE s.tenant_id = $1 AND s.id = $2
    """
_FEED_OF_BRANCH = """
    SELECT b.name, f.id, f.secret, f.version, f.created_at, f.read_at FROM branches b
    LEFT JOIN calendar_feeds f ON f.tenant_id = $1 AND f.branch_id = b.id
    WHERE b.tenant_id = $1 AND b.id = $2
    """


def _feed_to_change(row: Record) -> FeedToChange:
    name, *feed = row
    return FeedToChange(name, None if feed[0] is None else Feed(*feed))


class ListedCalendars(msgspec.Struct, frozen=True):
    """One branch or staff member of the page of settings."""

    id: UUID
    name: str
    is_branch: bool
    feed_since: datetime | None
    feed_read_at: datetime | None
    external_host: str | None
    external_fetched_at: datetime | None
    external_failing: bool


class CalendarSettings(msgspec.Struct, frozen=True):
    customer_names: CustomerNames
    version: int  # 0: the defaults
    calendars: list[ListedCalendars]  # that are in use


def get_calendar_settings() -> Query[CalendarSettings]:
    return Query(_SETTINGS, (), found_decoded("business", CalendarSettings))


_SETTINGS = """
    SELECT json_build_object('customer_names', coalesce(n.customer_names, 'short'), 'version', coalesce(n.version, 0),
        'calendars', (
            SELECT coalesce(json_agg(json_build_object('id', l.id, 'name', l.name, 'is_branch', l.is_branch,
                'feed_since', l.created_at, 'feed_read_at', l.read_at, 'external_host', l.host,
                'external_fetched_at', l.fetched_at, 'external_failing', coalesce(l.failing, false))
                ORDER BY l.is_branch DESC, l.name, l.id), '[]')
            FROM (
                SELECT b.id, b.name, true AS is_branch, f.created_at, f.read_at, NULL::text AS host,
                       NULL::timestamptz AS fetched_at, NULL::boolean AS failing
                FROM branches b JOIN calendar_feeds f ON f.tenant_id = $1 AND f.branch_id = b.id
                WHERE b.tenant_id = $1
                UNION ALL
                SELECT s.id, s.name, false, f.created_at, f.read_at, o.host, o.fetched_at, o.failing_since IS NOT NULL
                FROM staff s
                LEFT JOIN calendar_feeds f ON f.tenant_id = $1 AND f.staff_id = s.id
                LEFT JOIN external_calendars o ON o.tenant_id = $1 AND o.staff_id = s.id
                WHERE s.tenant_id = $1 AND s.active AND (f.id IS NOT NULL OR o.staff_id IS NOT NULL)
                LIMIT 500
            ) l))::text AS document
    FROM (SELECT) one LEFT JOIN calendar_settings n ON n.tenant_id = $1
    """
