"""The reads of the page on which an appointment is moved."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.orders.new_order import Booking
from frontdesk.orders.types import Notice
from frontdesk.postgres.query import Query, decoded, found


class BookedLine(msgspec.Struct, frozen=True):
    """A service of the order with its booked time."""

    id: UUID
    name: str
    staff_id: UUID
    start: datetime
    end: datetime

    @property
    def minutes(self) -> int:
        return int((self.end - self.start).total_seconds() // 60)


class Provider(msgspec.Struct, frozen=True):
    id: UUID
    name: str


class MovableOrder(msgspec.Struct, frozen=True):
    id: UUID
    version: int
    number: int
    status: str
    customer: str | None
    total: Decimal
    notice: Notice | None
    lines: list[BookedLine]  # in the order in which they are performed
    staff: list[Provider]  # who works in the branch, and who performs the order now


class Obstacle(msgspec.Struct, frozen=True):
    """A booking that takes the time."""

    start: datetime
    end: datetime
    customer: str | None


def movable_order(order_id: UUID, language: str | None) -> Query[MovableOrder]:
    """`language` is for the names of the services; None means the tenant's first language."""
    return Query(_ORDER, (order_id, language), found("order", lambda row: _movable.decode(row["document"])))


_ORDER = """
    SELECT convert_to(json_build_object(
        'id', o.id, 'version', o.version, 'number', o.order_number, 'status', o.status, 'total', o.total::text,
        'customer', nullif(concat_ws(' ', c.first_name, c.last_name), ''),
        'notice', CASE WHEN o.status = 'confirmed' THEN notice_json($1, 'change', o.created_by_type,
            message_address(o.created_by_type, o.contact_email, c.email), c.phone) END,
        'lines', (
            SELECT coalesce(json_agg(json_build_object(
                'id', l.id, 'name', coalesce(i.name ->> $3::text, l.name), 'staff_id', k.staff_id,
                'start', format_utc(lower(k.during)), 'end', format_utc(upper(k.during))) ORDER BY l.position), '[]')
            FROM bookings k
            JOIN order_lines l ON l.tenant_id = $1 AND l.id = k.line_id
            LEFT JOIN items i ON i.tenant_id = $1 AND i.id = l.item_id
            WHERE k.tenant_id = $1 AND k.order_id = o.id),
        'staff', (
            SELECT coalesce(json_agg(json_build_object('id', s.id, 'name', s.name) ORDER BY s.name, s.id), '[]')
            FROM staff s WHERE s.tenant_id = $1 AND (
                s.active AND s.branch_id = o.branch_id
                OR s.id IN (SELECT k.staff_id FROM bookings k WHERE k.tenant_id = $1 AND k.order_id = o.id)))
        )::text, 'UTF8') AS document
    FROM orders o LEFT JOIN customers c ON c.tenant_id = $1 AND c.id = o.customer_id
    WHERE o.tenant_id = $1 AND o.id = $2"""
_movable = msgspec.json.Decoder(MovableOrder)


def list_obstacles(order_id: UUID, staff_id: UUID, start: datetime, end: datetime) -> Query[list[Obstacle]]:
    """The other bookings of a staff member in a period, with their buffers, by time."""
    return Query(_OBSTACLES, (order_id, staff_id, start, end), decoded(list[Obstacle]))


_OBSTACLES = """
    SELECT convert_to(coalesce(json_agg(json_build_object(
        'start', format_utc(lower(k.during)), 'end', format_utc(upper(k.during)),
        'customer', nullif(concat_ws(' ', c.first_name, c.last_name), '')) ORDER BY lower(k.during)), '[]'
        )::text, 'UTF8') AS document
    FROM bookings k
    JOIN orders o ON o.tenant_id = $1 AND o.id = k.order_id
    LEFT JOIN customers c ON c.tenant_id = $1 AND c.id = o.customer_id
    WHERE k.tenant_id = $1 AND k.staff_id = $3 AND k.is_active AND k.order_id <> $2
      AND (CASE WHEN k.is_extra THEN k.during ELSE k.busy END) && tstzrange($4, $5)"""


class ReplacedBookings(msgspec.Struct, frozen=True):
    """What a move has replaced."""

    arrived_at: datetime | None
    bookings: list[Booking]


class MoveToUndo(NamedTuple):
    order_id: UUID
    version: int
    previous_start: datetime | None
    replaced: ReplacedBookings | None  # None: the last change of the order is not a move
    schedule_versions: Mapping[UUID, int]  # of the providers now who still work here


def move_to_undo(order_id: UUID) -> Query[MoveToUndo]:
    return Query(_TO_UNDO, (order_id,), found("order", _to_undo))


_TO_UNDO = """
    SELECT o.id, o.version, h.previous_start, h.replaced, (
        SELECT coalesce(json_object_agg(s.id, s.schedule_version), '{}') FROM staff s
        WHERE s.tenant_id = $1 AND s.active AND s.id IN (
            SELECT (b ->> 'staff_id')::uuid FROM jsonb_array_elements(h.replaced -> 'bookings') b)) AS schedule_versions
    FROM orders o
    LEFT JOIN LATERAL (
        SELECT previous_start, replaced FROM order_status_history
        WHERE tenant_id = $1 AND order_id = o.id ORDER BY created_at DESC, id DESC LIMIT 1) h ON true
    WHERE o.tenant_id = $1 AND o.id = $2"""


def _to_undo(row: Record) -> MoveToUndo:
    replaced = None if row["replaced"] is None else msgspec.json.decode(row["replaced"], type=ReplacedBookings)
    versions = msgspec.json.decode(row["schedule_versions"], type=dict[UUID, int])
    return MoveToUndo(row["id"], row["version"], row["previous_start"], replaced, versions)
