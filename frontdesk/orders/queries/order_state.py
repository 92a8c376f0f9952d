"""The reads of writes that change an order. An API key that is bound to a branch finds no orders of another branch."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import NamedTuple, TypeVar
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.availability.check import days_to_read
from frontdesk.availability.queries import SCHEDULE_COLUMNS, SCHEDULES, read_schedules, schedules_sql
from frontdesk.availability.types import StaffSchedule
from frontdesk.orders.stock import ProductStock
from frontdesk.orders.types import DraftService, DraftStock, OrderLineRequest, OrderState, ScheduledService, Status
from frontdesk.payments.queries import METHOD_INFO
from frontdesk.payments.types import MethodInfo
from frontdesk.postgres.query import Lock, Query, found
from frontdesk.postgres.records import from_row

T = TypeVar("T")
STATE = """o.id, o.version, o.status, o.branch_id, o.customer_id, o.parent_id, o.currency, o.total, o.paid_amount,
        o.refunded_amount, o.payment_status, o.starts_at, o.on_account,
        (SELECT min(lower(b.during)) FROM bookings b
         WHERE b.tenant_id = $1 AND b.order_id = o.id AND b.is_active) AS first_booking_at,
        EXISTS (SELECT FROM bookings b WHERE b.tenant_id = $1 AND b.order_id = o.id) AS has_bookings,
        EXISTS (SELECT FROM invoices i WHERE i.tenant_id = $1 AND i.order_id = o.id) AS invoiced,
        EXISTS (SELECT FROM orders r WHERE r.tenant_id = $1 AND r.parent_id = o.id) AS refunded"""
WHERE = "o.tenant_id = $1 AND o.id = $2 AND o.branch_id = coalesce(context.branch_id, o.branch_id)"
METHODS = f"""(SELECT coalesce(json_agg({METHOD_INFO} ORDER BY m.created_at, m.id), '[]')::text
        FROM payment_methods m LEFT JOIN installs i ON i.tenant_id = $1 AND i.id = m.install_id
        WHERE m.tenant_id = $1 AND (m.id = $3 OR m.type = $4)) AS methods"""


def lock_resources(order_id: UUID | None, lines: Sequence[OrderLineRequest] = ()) -> Lock:
    """For a write that takes time or stock: locks what the order holds, and what the given lines need."""
    return Lock("SELECT lock_order_resources($1, $2, $3)", (order_id, [line.item_id for line in lines]))


def read_state(row: Record) -> OrderState:
    return from_row(OrderState, row, status=Status(row["status"]))


class OrderToPay(NamedTuple):
    order: OrderState
    methods: list[MethodInfo]


def order_to_pay(order_id: UUID, method_id: UUID | None, method_type: str | None) -> Query[OrderToPay]:
    return Query(
        _TO_PAY,
        (order_id, method_id, method_type),
        found("order", lambda row: OrderToPay(read_state(row), read_methods(row))),
    )


_TO_PAY = f"SELECT {STATE}, {METHODS} FROM orders o WHERE {WHERE}"


def read_methods(row: Record) -> list[MethodInfo]:
    return msgspec.json.decode(row["methods"], type=list[MethodInfo])


# The minutes that a line `l` of the service `i` takes with the provider `ss`.
_MINUTES = """l.quantity * coalesce(
                    (SELECT nullif(sum(v.duration), 0) FROM item_options v
                     WHERE v.tenant_id = $1 AND v.id = ANY (l.option_ids)), ss.duration, i.duration)::integer"""
_CANDIDATES = f"""(
                SELECT coalesce(json_object_agg(ss.staff_id, {_MINUTES}), '{{}}')
                FROM staff_services ss
                JOIN staff s ON s.tenant_id = $1 AND s.id = ss.staff_id AND s.active AND s.branch_id = o.branch_id
                WHERE ss.tenant_id = $1 AND ss.item_id = l.item_id)"""
# Who costs as much as the provider of the booking `k`, or as was charged if that one no longer performs the service.
# Options have prices of their own, which are the same with everybody.
_CATALOG_PRICE = """coalesce({}.price, offer_today(i.offer_price, i.offer_from, i.offer_until, context.timezone),
                    i.price)"""
_SAME_PRICE = f"""ARRAY(
                SELECT ss.staff_id FROM staff_services ss
                WHERE ss.tenant_id = $1 AND ss.item_id = l.item_id AND (
                    cardinality(l.option_ids) > 0 OR {_CATALOG_PRICE.format("ss")} = coalesce((
                        SELECT {_CATALOG_PRICE.format("own")} FROM staff_services own
                        WHERE own.tenant_id = $1 AND own.item_id = l.item_id AND own.staff_id = k.staff_id),
                    l.price)))"""
_PERFORMERS = """
            SELECT DISTINCT ss.staff_id, NULL::integer AS duration
            FROM order_lines l JOIN staff_services ss ON ss.tenant_id = $1 AND ss.item_id = l.item_id
            WHERE l.tenant_id = $1 AND l.order_id = $2 AND l.type = 'service'"""


class OrderToSchedule(NamedTuple):
    """An order with its service lines, and the schedules of all who may perform them."""

    order: OrderState
    unbooked: list[DraftService]
    booked: list[ScheduledService]
    schedules: Mapping[UUID, StaffSchedule]
    needs: Sequence[DraftStock] = ()  # of an order that holds no stock
    products: Sequence[ProductStock] = ()
    is_customer_blocked: bool = False
    has_inactive_items: bool = False


def order_to_confirm(order_id: UUID) -> Query[OrderToSchedule]:
    """Includes the schedules of the days around the start of an order that has no bookings yet."""
    return Query(_to_confirm_sql(), (order_id,), found("order", _to_confirm))


@cache
def _to_confirm_sql() -> str:
    middle = "(SELECT greatest(starts_at, now())::date FROM orders WHERE tenant_id = $1 AND id = $2)"
    days = days_to_read(_EPOCH, _EPOCH)
    before, after = (_EPOCH.date() - days.first).days, (days.last - _EPOCH.date()).days
    schedules = schedules_sql(
        f"""{_PERFORMERS} AND EXISTS (
                SELECT FROM orders WHERE tenant_id = $1 AND id = $2 AND status IN ('draft', 'canceled')
                AND starts_at IS NOT NULL)""",
        f"({middle} - {before})",
        f"({middle} + {after})",
    )
    services = f"""(
            SELECT coalesce(json_agg(json_build_object(
                'line_id', l.id, 'item_id', l.item_id, 'staff_id', l.staff_id, 'minutes', l.duration,
                'buffer_before', i.buffer_before, 'buffer_after', i.buffer_after, 'candidates', {_CANDIDATES})
                ORDER BY l.position), '[]')::text
            FROM order_lines l JOIN items i ON i.tenant_id = $1 AND i.id = l.item_id
            WHERE l.tenant_id = $1 AND l.order_id = o.id AND l.type = 'service') AS services"""
    return f"""
        WITH {schedules}
        SELECT {STATE}, {services}, {_NEEDS}, {_PRODUCTS}, {_OFFERED}, {SCHEDULE_COLUMNS}
        FROM orders o, {SCHEDULES} WHERE {WHERE}"""


_NEEDS = """(
            SELECT coalesce(json_agg(json_build_object(
                'line_id', l.id, 'item_id', s.item_id, 'units', s.units * l.quantity,
                'option_ids', CASE WHEN s.option_id IS NOT NULL THEN ARRAY[s.option_id]
                    WHEN l.type = 'product' THEN l.option_ids ELSE '{}' END)
                ORDER BY l.position, s.item_id), '[]')::text
            FROM order_line_stock s JOIN order_lines l ON l.tenant_id = $1 AND l.id = s.line_id
            WHERE s.tenant_id = $1 AND s.order_id = o.id AND o.status IN ('draft', 'canceled')) AS needs"""
# Options in the order of `order_context`.
_PRODUCTS = """(
            SELECT coalesce(json_agg(json_build_object('id', i.id, 'stock', i.stock, 'options', (
                SELECT coalesce(json_agg(json_build_object('id', v.id, 'quantity', v.quantity)
                    ORDER BY v.is_active DESC, v.sort_order, v.id), '[]')
                FROM item_options v WHERE v.tenant_id = $1 AND v.item_id = i.id))), '[]')::text
            FROM items i WHERE i.tenant_id = $1 AND o.status IN ('draft', 'canceled') AND i.id IN (
                SELECT s.item_id FROM order_line_stock s WHERE s.tenant_id = $1 AND s.order_id = o.id)) AS products"""
_OFFERED = """
            EXISTS (
                SELECT FROM customers c WHERE c.tenant_id = $1 AND c.id = o.customer_id AND c.blocked) AS is_blocked,
            EXISTS (SELECT FROM order_lines l
                LEFT JOIN items i ON i.tenant_id = $1 AND i.id = l.item_id
                LEFT JOIN packages p ON p.tenant_id = $1 AND p.id = l.package_id
                WHERE l.tenant_id = $1 AND l.order_id = o.id
                    AND NOT coalesce(i.status, p.status, true)) AS has_inactive"""
_EPOCH = datetime(2000, 1, 1)  # noqa: DTZ001 - only differences of days are taken


def _to_confirm(row: Record) -> OrderToSchedule:
    services = msgspec.json.decode(row["services"], type=list[DraftService])
    needs = msgspec.json.decode(row["needs"], type=list[DraftStock])
    products = msgspec.json.decode(row["products"], type=list[ProductStock])
    return OrderToSchedule(
        read_state(row),
        services,
        [],
        _schedules(row),
        needs,
        products,
        is_customer_blocked=row["is_blocked"],
        has_inactive_items=row["has_inactive"],
    )


def _schedules(row: Record) -> Mapping[UUID, StaffSchedule]:
    return {schedule.staff_id: schedule for schedule in read_schedules(row)}


def order_to_reschedule(order_id: UUID, start: datetime, now: datetime) -> Query[OrderToSchedule]:
    return Query(_to_reschedule_sql(), (order_id, *days_to_read(start, now)), found("order", _to_reschedule))


def order_to_move(order_id: UUID, start: datetime, now: datetime, staff_id: UUID | None) -> Query[OrderToSchedule]:
    """Includes the schedule of a staff member who may not perform the service, to say what else prevents it."""
    args = (order_id, *days_to_read(start, now), staff_id)
    return Query(_to_move_sql(), args, found("order", _to_reschedule))


_ALSO = """
            UNION SELECT s.id, NULL FROM staff s WHERE s.tenant_id = $1 AND s.id = $5"""


@cache
def _to_reschedule_sql() -> str:
    return _schedule_sql(_PERFORMERS)


@cache
def _to_move_sql() -> str:
    return _schedule_sql(_PERFORMERS + _ALSO)


def _schedule_sql(candidates: str) -> str:
    services = f"""(
            SELECT coalesce(json_agg(json_build_object(
                'booking_id', k.id, 'line_id', l.id, 'item_id', k.item_id, 'staff_id', k.staff_id,
                'held', held_times_json($1, o.id, k.staff_id, CASE WHEN k.is_extra THEN k.during ELSE k.busy END),
                'minutes', l.duration, 'buffer_before', i.buffer_before, 'buffer_after', i.buffer_after,
                'candidates', {_CANDIDATES}, 'same_price', {_SAME_PRICE})
                ORDER BY l.position), '[]')::text
            FROM bookings k
            JOIN order_lines l ON l.tenant_id = $1 AND l.id = k.line_id
            JOIN items i ON i.tenant_id = $1 AND i.id = l.item_id
            WHERE k.tenant_id = $1 AND k.order_id = o.id) AS services"""
    return f"""
        WITH {schedules_sql(candidates, "$3::date", "$4::date")}
        SELECT {STATE}, {services}, {SCHEDULE_COLUMNS} FROM orders o, {SCHEDULES} WHERE {WHERE}"""


def _to_reschedule(row: Record) -> OrderToSchedule:
    services = msgspec.json.decode(row["services"], type=list[ScheduledService])
    return OrderToSchedule(read_state(row), [], services, _schedules(row))


class OrderToCheckIn(NamedTuple):
    id: UUID
    version: int
    status: str
    starts_at: datetime | None
    arrived: bool


def order_to_check_in(order_id: UUID) -> Query[OrderToCheckIn]:
    return Query(
        f"""
        SELECT o.id, o.version, o.status, o.starts_at, o.arrived_at IS NOT NULL AS arrived
        FROM orders o WHERE {WHERE}
        """,
        (order_id,),
        found("order", lambda row: from_row(OrderToCheckIn, row)),
    )
