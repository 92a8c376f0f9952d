"""The read of a write that creates an order: the catalog, and the schedules of the providers."""

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import NamedTuple
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.availability.check import days_to_read
from frontdesk.availability.held import Holds, OwnHold, held_column, own_hold, with_held
from frontdesk.availability.queries import SCHEDULE_COLUMNS, SCHEDULES, Days, read_schedules, schedules_sql
from frontdesk.availability.types import StaffSchedule
from frontdesk.orders.context_types import OrderContext
from frontdesk.orders.types import LineType, OrderRequest, Source
from frontdesk.payments.queries import METHOD_INFO
from frontdesk.postgres.query import Query, always
from frontdesk.tenants.price_queries import BASE_SELLABLE

_CONTEXT_DECODER = msgspec.json.Decoder(OrderContext)


class OrderInputs(NamedTuple):
    """What one order needs to be priced and scheduled: the catalog and the schedules."""

    context: OrderContext
    schedules: Mapping[UUID, StaffSchedule]
    hold: OwnHold | None = None  # that the order names


_NAME = """coalesce({0}.name ->> context.languages[1],
                        (SELECT t.value FROM jsonb_each_text({0}.name) t ORDER BY t.key LIMIT 1), '')"""
_OPTIONS = """(SELECT coalesce(json_agg(json_build_object(
                    'id', v.id, 'item_id', v.item_id, 'is_active', v.is_active,
                    'name', published_text(v.name, context.languages), 'price', v.price,
                    'offer_price', offer_today(v.offer_price, vi.offer_from, vi.offer_until, context.timezone),
                    'duration', v.duration, 'quantity', v.quantity)
                    ORDER BY v.is_active DESC, v.sort_order, v.id), '[]')
                FROM item_options v JOIN items vi ON vi.tenant_id = $1 AND vi.id = v.item_id
                WHERE v.tenant_id = $1 AND (v.id = ANY($5) OR v.item_id IN (
                    SELECT i.id FROM items i WHERE i.tenant_id = $1 AND i.id = ANY($4) AND i.type = 'product'
                    UNION ALL
                    SELECT c.item_id FROM package_items c WHERE c.tenant_id = $1 AND c.package_id = ANY($4))))"""
_PACKAGES = f"""(SELECT coalesce(json_agg(json_build_object(
                'id', p.id, 'branch_id', p.branch_id, 'status', p.status, 'name', {_NAME.format("p")},
                'price', p.price,
                'offer_price', offer_today(p.offer_price, p.offer_from, p.offer_until, context.timezone),
                'tax_class_id', p.tax_class_id, 'contents', (
                    SELECT coalesce(json_agg(json_build_object(
                        'item_id', c.item_id, 'type', ci.type, 'quantity', c.quantity, 'stock', ci.stock,
                        'price', ci.price)), '[]')
                    FROM package_items c JOIN items ci ON ci.tenant_id = $1 AND ci.id = c.item_id
                    WHERE c.tenant_id = $1 AND c.package_id = p.id))), '[]')
            FROM packages p WHERE p.tenant_id = $1 AND p.id = ANY($4))"""
_BRANCH_OF_PACKAGE = """
                    OR b.id IN (SELECT p.branch_id FROM packages p WHERE p.tenant_id = $1 AND p.id = ANY($4))"""
_NAMED = " AND ss.staff_id = ANY($6)"
_STAFF = "ARRAY(SELECT s.id FROM staff s WHERE s.tenant_id = $1 AND s.id = ANY($6) AND s.active)"
_METHODS = f"""ARRAY(SELECT {METHOD_INFO}
                FROM payment_methods m LEFT JOIN installs i ON i.tenant_id = $1 AND i.id = m.install_id
                WHERE m.tenant_id = $1 AND (m.id = ANY($7) OR m.type = ANY($8)) ORDER BY m.created_at, m.id)"""
_NONE = "'[]'::json"
# The days around $9, which is a day of any time zone.
_CLOSED = """ARRAY(SELECT json_build_object('branch_id', d.branch_id, 'day', d.day) FROM (
                SELECT branch_id, day FROM closed_days
                WHERE tenant_id = $1 AND day BETWEEN $9::date - 1 AND $9::date + 1
                UNION ALL
                SELECT branch_id, day FROM hour_exceptions WHERE tenant_id = $1 AND branch_id IS NOT NULL
                    AND isempty(minutes) AND day BETWEEN $9::date - 1 AND $9::date + 1) d)"""
# ARRAY(SELECT …) costs less than json_agg, and json_build_object writes it as the same JSON.
_CONTEXT = f"""json_build_object(
            'branches', ARRAY(SELECT b.id FROM branches b
                WHERE b.tenant_id = $1 AND (b.id = coalesce($2, context.branch_id)
                    OR b.id IN (SELECT i.branch_id FROM items i WHERE i.tenant_id = $1 AND i.id = ANY($4)){{branch}})),
            'customer', (SELECT json_build_object('blocked', blocked) FROM customers WHERE tenant_id = $1 AND id = $3),
            'items', ARRAY(SELECT json_build_object(
                    'id', i.id, 'type', i.type, 'branch_id', i.branch_id, 'status', i.status,
                    'name', {_NAME.format("i")}, 'price', i.price,
                    'offer_price', offer_today(i.offer_price, i.offer_from, i.offer_until, context.timezone),
                    'duration', i.duration, 'buffer_before', i.buffer_before,
                    'buffer_after', i.buffer_after, 'stock', i.stock, 'tax_class_id', i.tax_class_id,
                    'base_sellable', {BASE_SELLABLE})
                FROM items i WHERE i.tenant_id = $1 AND i.id = ANY($4)),
            'options', {{options}},
            'packages', {{packages}},
            'performers', ARRAY(SELECT json_build_object(
                    'item_id', ss.item_id, 'staff_id', ss.staff_id, 'branch_id', s.branch_id,
                    'price', ss.price, 'duration', ss.duration)
                FROM staff_services ss JOIN staff s ON s.tenant_id = $1 AND s.id = ss.staff_id
                WHERE ss.tenant_id = $1 AND ss.item_id = ANY($4){{named}} AND s.active),
            'prices_include_tax', (SELECT n.prices_include_tax FROM tenants n WHERE n.id = $1),
            'tax_rates', ARRAY(SELECT json_build_object(
                    'class_id', r.class_id, 'is_default', c.is_default, 'starts_on', r.starts_on,
                    'rate', r.rate)
                FROM tax_rates r JOIN tax_classes c ON c.tenant_id = $1 AND c.id = r.class_id WHERE r.tenant_id = $1),
            'closed_days', {{closed}}, 'staff', {{staff}}, 'methods', {{methods}})::text AS order_context"""
_GIVEN = "(SELECT $5::uuid[], $6::uuid[], $7::uuid[], $8::text[]) AS given"
# All providers of services that are requested without one, and the requested providers of the others.
_CANDIDATES = """
            SELECT DISTINCT ss.staff_id, NULL::integer AS duration
            FROM unnest($11::uuid[], $12::uuid[]) AS l (item_id, staff_id)
            JOIN staff_services ss ON ss.tenant_id = $1 AND ss.item_id = l.item_id
                AND ss.staff_id = coalesce(l.staff_id, ss.staff_id)"""


def order_context(order: OrderRequest, now: datetime, days: Days | None = None) -> Query[OrderInputs]:
    """The records that an order refers to, with the schedules if it has bookings: around its start, or of `days`."""
    services = [line for line in order.lines if line.type is LineType.SERVICE]
    books_time = order.start is not None and not order.draft and bool(services)
    sql = _sql(
        options=_has_options(order),
        packages=any(line.type is not LineType.SERVICE for line in order.lines),
        staff=any(line.staff_id for line in order.lines),
        named=all(line.staff_id for line in services),
        methods=bool(order.payments),
        schedules=books_time,
        holds=order.source is Source.API,
        closed=order.has_time_without_services,
    )
    if order.start is not None and order.has_time_without_services:
        return Query(sql, (*_ids(order), order.start.date()), always(_seen))
    if order.start is None or not books_time:
        return Query(sql, _ids(order), always(_seen))
    return Query(
        sql,
        (
            *_ids(order),
            *(days or days_to_read(order.start, now)),
            [line.item_id for line in services],
            [line.staff_id for line in services],
            *((order.hold_id,) if order.source is Source.API else ()),
        ),
        always(_seen_with_schedules),
    )


@cache
def _sql(
    *,
    options: bool,
    packages: bool,
    staff: bool,
    named: bool,
    methods: bool,
    schedules: bool,
    holds: bool,
    closed: bool,
) -> str:
    """What an order does not have is left out."""
    context = _CONTEXT.format(
        options=_OPTIONS if options else _NONE,
        packages=_PACKAGES if packages else _NONE,
        branch=_BRANCH_OF_PACKAGE if packages else "",
        staff=_STAFF if staff else _NONE,
        named=_NAMED if named else "",
        methods=_METHODS if methods else _NONE,
        closed=_CLOSED if closed else _NONE,
    )
    if not schedules:
        return f"SELECT {context} FROM {_GIVEN}"
    candidates = schedules_sql(_CANDIDATES, "$9::date", "$10::date")
    held = held_column(Holds.OF_CLIENTS, "$13::uuid") if holds else held_column(Holds.NONE)
    return f"WITH {candidates} SELECT {context}, {SCHEDULE_COLUMNS}, {held} FROM {_GIVEN}, {SCHEDULES}"


def _has_options(order: OrderRequest) -> bool:
    return any(line.option_ids or line.type is not LineType.SERVICE for line in order.lines)


def _ids(order: OrderRequest) -> tuple[object, ...]:
    return (
        order.branch_id,
        order.customer_id,
        [line.item_id for line in order.lines],
        [option_id for line in order.lines for option_id in line.option_ids],
        [line.staff_id for line in order.lines if line.staff_id is not None],
        [payment.method_id for payment in order.payments if payment.method_id is not None],
        [payment.method_type for payment in order.payments if payment.method_type is not None],
    )


def _seen(row: Record) -> OrderInputs:
    return OrderInputs(_CONTEXT_DECODER.decode(row["order_context"]), {})


def _seen_with_schedules(row: Record) -> OrderInputs:
    schedules = with_held(read_schedules(row), row["held"])
    return _seen(row)._replace(
        schedules={schedule.staff_id: schedule for schedule in schedules}, hold=own_hold(row["held"])
    )
