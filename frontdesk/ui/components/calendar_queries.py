"""Reads bookings as the calendar draws them."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

import msgspec

from frontdesk.customers.care_queries import CARE_NOTES, CareNote
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import Query, found_decoded
from frontdesk.values.clock import current_time


class CalendarBooking(NamedTuple):
    """One line of an order with its time. Ids are text and times are minutes of the epoch: they are only written
    into a page, and there are hundreds of them.
    """

    order_id: str
    version: int
    status: str
    payment_status: str
    no_show: bool
    arrived: bool
    staff_id: str
    start: int
    end: int
    customer: str | None
    service: str
    takes_time: bool  # drafts and canceled orders hold none
    order_number: int
    every_weeks: int | None  # it repeats
    line_id: str | None  # None: the order has one service only
    is_extra: bool  # on purpose over another booking, or outside the hours


_COLUMNS = "o.id::text, o.version, o.status, o.payment_status, o.no_show, o.arrived_at IS NOT NULL AS arrived"
_CUSTOMER = "nullif(concat_ws(' ', c.first_name, c.last_name), '') AS customer"
_REPEATS = """CASE WHEN o.series_id IS NOT NULL THEN (
            SELECT r.every_weeks FROM order_series r WHERE r.tenant_id = $1 AND r.id = o.series_id) END"""
# The name that the service has now: that of the line would be another row to read for each of hundreds of bookings.
_SERVICE = """coalesce(i.name ->> coalesce($5::text, (SELECT t.languages[1] FROM tenants t WHERE t.id = $1)),
            (SELECT value FROM jsonb_each_text(i.name) LIMIT 1)) AS service"""
# date_part computes with floats, extract with decimals, which takes several times as long.
# What was done early ends when it was done.
_TIMES = """(date_part('epoch', lower(k.during)) / 60)::integer AS starts,
        (date_part('epoch', CASE WHEN k.ended_at IS NULL THEN upper(k.during)
            ELSE greatest(lower(k.during) + interval '5 minutes', least(upper(k.during), k.ended_at)) END)
            / 60)::integer AS ends"""
_JOINS = """JOIN items i ON i.tenant_id = $1 AND i.id = k.item_id
        LEFT JOIN customers c ON c.tenant_id = $1 AND c.id = o.customer_id"""
_LINE = """CASE WHEN EXISTS (
            SELECT FROM bookings b WHERE b.tenant_id = $1 AND b.order_id = k.order_id AND b.id <> k.id
        ) THEN k.line_id::text END"""
# Bookings that began on the day before and go on are read too. Canceled ones and drafts are found by the order's start.
_BOOKINGS = f"""
    SELECT {_COLUMNS}, k.staff_id::text, {_TIMES}, {_CUSTOMER}, {_SERVICE}, true AS takes_time, o.order_number,
        {_REPEATS}, {_LINE}, k.is_extra
    FROM bookings k
    JOIN orders o ON o.tenant_id = $1 AND o.id = k.order_id
    {_JOINS}
    WHERE k.tenant_id = $1 AND k.staff_id = ANY ($2::uuid[]) AND k.is_active
        AND lower(k.during) >= $3::timestamptz - interval '1 day' AND lower(k.during) < $4::timestamptz
        AND upper(k.during) > $3 AND ($6::uuid[] IS NULL OR k.order_id = ANY ($6))
        AND (k.ended_at IS NULL OR NOT isempty(k.busy))
    UNION ALL
    SELECT {_COLUMNS}, k.staff_id::text, {_TIMES}, {_CUSTOMER}, {_SERVICE}, false, o.order_number, {_REPEATS},
        {_LINE}, false
    FROM orders o
    JOIN bookings k ON k.tenant_id = $1 AND k.order_id = o.id AND k.staff_id = ANY ($2) AND NOT k.is_active
        AND lower(k.during) < $4 AND upper(k.during) > $3
    {_JOINS}
    WHERE o.tenant_id = $1 AND o.starts_at >= $3 - interval '1 day' AND o.starts_at < $4 AND o.status = 'canceled'
        AND ($6 IS NULL OR o.id = ANY ($6))
    UNION ALL
    SELECT {_COLUMNS}, l.staff_id::text, (date_part('epoch', o.starts_at) / 60)::integer + l.after,
        (date_part('epoch', o.starts_at) / 60)::integer + l.after + l.duration, {_CUSTOMER}, {_SERVICE}, false,
        o.order_number, {_REPEATS}, NULL, false
    FROM orders o
    CROSS JOIN LATERAL (
        SELECT d.staff_id, d.item_id, d.duration,
               (sum(d.duration) OVER (ORDER BY d.position) - d.duration)::integer AS after
        FROM order_lines d WHERE d.tenant_id = $1 AND d.order_id = o.id AND d.type = 'service' AND d.duration > 0
    ) l
    JOIN items i ON i.tenant_id = $1 AND i.id = l.item_id
    LEFT JOIN customers c ON c.tenant_id = $1 AND c.id = o.customer_id
    WHERE o.tenant_id = $1 AND o.starts_at >= $3 AND o.starts_at < $4 AND o.status = 'draft'
        AND l.staff_id = ANY ($2) AND ($6 IS NULL OR o.id = ANY ($6))
    ORDER BY 8, 9
    """


async def list_calendar_bookings(
    conn: Connection,
    tenant_id: UUID,
    staff_ids: Sequence[UUID],
    period: tuple[datetime, datetime],
    language: str | None,
    order_ids: Sequence[UUID] | None = None,
) -> list[CalendarBooking]:
    """By start, of some staff members; of some orders only, if given. `language` is for the services; None means the
    tenant's first.
    """
    rows = await conn.fetch(_BOOKINGS, tenant_id, staff_ids, *period, language, order_ids)
    return [CalendarBooking(*row) for row in rows]


class DayCount(NamedTuple):
    """The orders that one staff member has on one day."""

    staff_id: UUID
    day: int  # counted from the first
    later: int  # that begin after the night
    night: list[int]  # the minutes, counted from midnight, at which the others begin


async def count_bookings_by_day(
    conn: Connection, tenant_id: UUID, staff_ids: Sequence[UUID], midnights: Sequence[datetime], night: int
) -> list[DayCount]:
    """`midnights` are those of the days and of the day after the last; of that one only the night is counted."""
    rows = await conn.fetch(
        """
        SELECT staff_id, day - 1, count(DISTINCT order_id) FILTER (WHERE minute >= $4),
               coalesce(array_agg(minute) FILTER (WHERE minute < $4), '{}')
        FROM (
            SELECT k.staff_id, k.order_id, b.day,
                   (extract(epoch FROM lower(k.during) - ($3::timestamptz[])[b.day]) / 60)::integer AS minute
            FROM bookings k
            CROSS JOIN LATERAL (SELECT width_bucket(lower(k.during), $3::timestamptz[]) AS day) b
            WHERE k.tenant_id = $1 AND k.staff_id = ANY ($2::uuid[]) AND k.is_active
                AND lower(k.during) >= ($3)[1]
                AND lower(k.during) < ($3)[cardinality($3)] + make_interval(mins => $4::integer)
        ) found GROUP BY staff_id, day
        """,
        tenant_id,
        staff_ids,
        midnights,
        night,
    )
    return [DayCount(*row) for row in rows]


class CalendarCustomer(msgspec.Struct, frozen=True):
    id: UUID
    name: str
    phone: str | None
    blocked: bool
    blocked_reason: str | None
    note: str | None
    allergies: str | None
    notes: list[CareNote]  # warnings first
    missed: int  # appointments to which they did not come


class CalendarLine(msgspec.Struct, frozen=True):
    name: str
    type: str
    staff_id: UUID | None
    staff: str | None
    start: datetime | None
    end: datetime | None


class CalendarSeries(msgspec.Struct, frozen=True):
    """Which of the bookings that are left a repeating one is."""

    every_weeks: int
    number: int
    total: int
    next_start: datetime | None


class CalendarOrder(msgspec.Struct, frozen=True):
    """The selected booking, with the whole order that it belongs to."""

    id: UUID
    version: int
    number: int
    status: str
    payment_status: str
    arrived_at: datetime | None
    no_show: bool
    reason: str | None  # the note of the cancellation
    cancel_reason: dict[str, str] | None  # by language
    note: str | None
    starts_at: datetime | None
    customer: CalendarCustomer | None
    lines: list[CalendarLine]
    total: Decimal
    paid_amount: Decimal
    deposit: Decimal  # of what was paid
    refunded_amount: Decimal
    invoiced: bool
    is_extra: bool  # on purpose over another booking, or outside the hours
    series: CalendarSeries | None = None

    @property
    def remaining(self) -> Decimal:
        return max(self.total - self.paid_amount, Decimal(0))

    @property
    def to_refund(self) -> Decimal:
        """What was paid for a canceled order and not given back."""
        return self.paid_amount - self.refunded_amount if self.status == "canceled" else Decimal(0)

    @property
    def can_come_back(self) -> bool:
        """Whether a canceled order can be confirmed again, as far as its money goes."""
        return self.refunded_amount == 0 and not self.invoiced

    @property
    def has_begun(self) -> bool:
        return self.starts_at is not None and self.starts_at <= current_time()

    def is_early(self, act: str) -> bool:
        """Whether an act is before the time of the appointment. A customer who is here can be served earlier."""
        is_upcoming = self.starts_at is not None and not self.has_begun and self.arrived_at is None
        return act in ("in-progress", "completed") and is_upcoming and self.status != act


def calendar_order(order_id: UUID, language: str | None) -> Query[CalendarOrder]:
    """`language` is for the names of the lines; None means the tenant's first."""

    return Query(
        _ORDER,
        (order_id, language),
        found_decoded("order", CalendarOrder),
    )


_ORDER = f"""
    SELECT json_build_object(
        'id', o.id, 'version', o.version, 'number', o.order_number, 'status', o.status, 'note', o.note,
        'payment_status', o.payment_status, 'no_show', o.no_show, 'reason', CASE WHEN o.status = 'canceled' THEN (
            SELECT h.note FROM order_status_history h WHERE h.tenant_id = $1 AND h.order_id = o.id
            ORDER BY h.created_at DESC, h.id DESC LIMIT 1) END, 'arrived_at', format_utc(o.arrived_at),
        'starts_at', format_utc(o.starts_at), 'total', o.total::text, 'paid_amount', o.paid_amount::text,
        'refunded_amount', o.refunded_amount::text, 'cancel_reason', o.cancel_reason,
        'is_extra', EXISTS (SELECT FROM bookings x WHERE x.tenant_id = $1 AND x.order_id = o.id AND x.is_extra),
        'invoiced', EXISTS (SELECT FROM invoices v WHERE v.tenant_id = $1 AND v.order_id = o.id),
        'deposit', (SELECT coalesce(sum(t.amount), 0)::text FROM transactions t
            WHERE t.tenant_id = $1 AND t.order_id = o.id AND t.is_deposit AND t.status = 'confirmed'),
        'series', (SELECT json_build_object(
                'every_weeks', r.every_weeks, 'total', count(*),
                'number', count(*) FILTER (WHERE n.starts_at <= o.starts_at),
                'next_start', format_utc(min(n.starts_at) FILTER (WHERE n.starts_at > o.starts_at)))
            FROM order_series r JOIN orders n ON n.tenant_id = $1 AND n.series_id = r.id
                AND (n.status <> 'canceled' OR n.id = o.id)
            WHERE r.tenant_id = $1 AND r.id = o.series_id GROUP BY r.every_weeks),
        'customer', CASE WHEN c.id IS NOT NULL THEN json_build_object(
            'id', c.id, 'name', concat_ws(' ', c.first_name, c.last_name), 'phone', c.phone, 'blocked', c.blocked,
            'blocked_reason', c.blocked_reason, 'note', c.note, 'allergies', c.allergies, 'notes', {CARE_NOTES},
            'missed', (SELECT count(*) FROM orders m WHERE m.tenant_id = $1 AND m.customer_id = c.id AND m.no_show))
            END,
        'lines', (SELECT coalesce(json_agg(json_build_object(
                'name', coalesce(coalesce(i.name, g.name) ->> $3::text, l.name), 'type', l.type, 'staff_id', l.staff_id,
                'staff', s.name, 'start', format_utc(lower(k.during)), 'end', format_utc(upper(k.during)))
                ORDER BY l.position), '[]')
            FROM order_lines l
            LEFT JOIN items i ON i.tenant_id = $1 AND i.id = l.item_id
            LEFT JOIN packages g ON g.tenant_id = $1 AND g.id = l.package_id
            LEFT JOIN bookings k ON k.tenant_id = $1 AND k.line_id = l.id
            LEFT JOIN staff s ON s.tenant_id = $1 AND s.id = l.staff_id
            WHERE l.tenant_id = $1 AND l.order_id = o.id))::text AS document
    FROM orders o
    LEFT JOIN customers c ON c.tenant_id = $1 AND c.id = o.customer_id
    WHERE o.tenant_id = $1 AND o.id = $2
    """
