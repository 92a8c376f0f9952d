"""The statement that writes an order."""

from functools import cache
from typing import NamedTuple

import msgspec

from frontdesk.orders.json_sql import BOOKING_REFERENCE
from frontdesk.orders.new_documents import MOMENT, ORDER_NUMBER, NewDocuments
from frontdesk.orders.queries.telling import filled, order_created_events
from frontdesk.orders.types import Booking, Line, NewOrder, Payment
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.row_parameters import RowParameters, how_many
from frontdesk.tenants.types import TenantContext
from frontdesk.values.money import exact_sum
from frontdesk.webhooks.outbox import OUTBOX

_LINES = RowParameters(
    (
        ("id", "uuid"),
        ("type", "text"),
        ("item_id", "uuid"),
        ("package_id", "uuid"),
        ("staff_id", "uuid"),
        ("name", "text"),
        ("price", "numeric"),
        ("quantity", "integer"),
        ("discount", "numeric"),
        ("total", "numeric"),
        ("duration", "integer"),
        ("eligible", "boolean"),
        ("options", "text"),
    )
)
_BOOKINGS = RowParameters(
    (
        ("id", "uuid"),
        ("line_id", "uuid"),
        ("staff_id", "uuid"),
        ("item_id", "uuid"),
        ("starts", "timestamptz"),
        ("ends", "timestamptz"),
    )
)
_PAYMENTS = RowParameters(
    (
        ("id", "uuid"),
        ("method_id", "uuid"),
        ("amount", "numeric"),
        ("deposit", "boolean"),
        ("note", "text"),
        ("reference", "text"),
        ("date", "timestamptz"),
        ("tendered", "numeric"),
        ("document", "text"),
    )
)
_SINGLE_VALUES = 23  # that every order has, before its rows

_CONFLICTS = """products AS MATERIALIZED (
            SELECT id FROM items WHERE tenant_id = $1 AND id = ANY({item_ids}) AND $5 <> 'draft'
            AND (SELECT count(*) FROM providers) >= 0
            ORDER BY id FOR NO KEY UPDATE
        ), stock AS (
            UPDATE items i SET stock = i.stock - taken.units, updated_at = now()
            FROM (SELECT id, sum(units * quantity) AS units
                  FROM unnest({item_ids}::uuid[], {units}::integer[], {quantities}::integer[])
                      AS u (id, units, quantity)
                  GROUP BY id) taken
            WHERE i.tenant_id = $1 AND i.id = taken.id AND i.id IN (SELECT id FROM products)
            RETURNING i.*, taken.units
        ), option_stock AS (
            UPDATE item_options v SET quantity = v.quantity - taken.units
            FROM (SELECT id, sum(units * quantity) AS units
                  FROM unnest({option_ids}::uuid[], {units}::integer[], {quantities}::integer[])
                      AS u (id, units, quantity)
                  GROUP BY id) taken
            WHERE v.tenant_id = $1 AND v.id = taken.id AND v.item_id IN (SELECT id FROM products)
            RETURNING v.*, taken.units
        ),"""
_COUNTED = """, (SELECT count(*) FROM products) i,
                 (SELECT count(*) FROM stock) s, (SELECT count(*) FROM option_stock) v"""
_STOCKED = """stocked AS (
            INSERT INTO order_line_stock (tenant_id, order_id, line_id, item_id, units, option_id)
            SELECT $1, o.id, u.line_id, u.item_id, u.units, u.option_id
            FROM o, unnest({line_ids}::uuid[], {item_ids}::uuid[], {units}::integer[], {option_ids}::uuid[])
                AS u (line_id, item_id, units, option_id)
        ),"""
_BOOKED = f"""bookings AS (
            INSERT INTO bookings (tenant_id, id, order_id, line_id, staff_id, item_id, reference, during)
            SELECT $1, b.id, o.id, b.line_id, b.staff_id, b.item_id,
                {BOOKING_REFERENCE}, tstzrange(b.starts, b.ends)
            FROM o, {{bookings}}
        ),"""
_PAID = """payment_numbered AS (
            INSERT INTO tenant_counters AS c (tenant_id, name, value, assigned_at)
            SELECT $1, 'transaction_no', $20::integer, o.created_at FROM o
            ON CONFLICT (tenant_id, name) DO UPDATE
                SET value = c.value + excluded.value, assigned_at = greatest(excluded.assigned_at, c.assigned_at)
            RETURNING value, assigned_at
        ), transactions AS (
            INSERT INTO transactions (tenant_id, id, transaction_no, order_id, payment_method_id, amount, currency,
                status, is_deposit, note, reference_number, date, created_at, updated_at, tendered_amount, cashier,
                cashier_code)
            SELECT $1, p.id, n.value - $20 + p.place, $2, p.method_id, p.amount, $7, 'confirmed',
                p.deposit, p.note, p.reference, p.date, n.assigned_at, n.assigned_at, p.tendered, $16, $17
            FROM payment_numbered n, {payments}
            RETURNING *
        ),"""


class _Shape(NamedTuple):
    """How many there are of what. Of what an order does not have its statement does not speak: every word of it is
    made ready each time.
    """

    lines: int
    bookings: int
    payments: int
    stocked: bool


async def insert_order(conn: Connection, tenant: TenantContext, new: NewOrder, documents: NewDocuments) -> str:
    """Write a whole order and answer with its published form."""
    shape = _Shape(how_many(new.lines), how_many(new.bookings), how_many(new.payments), stocked=bool(new.stock))
    document: str = await conn.fetchval(
        _write_order(shape),
        *_single_values(tenant, new, documents),
        *_LINES.values([_line(line) for line in new.lines]),
        *_BOOKINGS.values([_booking(booking) for booking in new.bookings]),
        *_PAYMENTS.values([_payment(*one) for one in zip(new.payments, documents.transactions, strict=True)]),
        *(_stock_values(new) if new.stock else ()),
    )
    return document


@cache
def _write_order(shape: _Shape) -> str:
    """One statement, because every further one would cost as much again; what it tells is written with it.

    The locks come in the written order whatever the planner does: providers by id, products by id, then the counters,
    that of events last. Products wait for providers; the number counts both, and the stock, because a part that nobody
    reads to its end is not run: without products a join with them would never have asked for the providers either. The
    customer is held as the foreign key would hold it in the end, when somebody who changes the customer's phone may
    already wait for the counter of events.
    """
    given = _given(shape)
    payments = given["payments"] if shape.payments else None
    known = {ORDER_NUMBER: "o.order_number::text", MOMENT: "format_utc(o.created_at)"}
    return f"""
        WITH providers AS MATERIALIZED (
            SELECT id FROM staff WHERE tenant_id = $1 AND id = ANY($18) ORDER BY id FOR NO KEY UPDATE
        ), customers AS MATERIALIZED (
            SELECT * FROM customers WHERE tenant_id = $1 AND id = $4 FOR KEY SHARE
        ), {_CONFLICTS.format(**given) if shape.stocked else ""} numbered AS (
            INSERT INTO tenant_counters AS c (tenant_id, name, value, assigned_at)
            SELECT $1, 'order_number', 1, clock_timestamp()
            FROM (SELECT count(*) FROM providers) p, (SELECT count(*) AS many FROM customers) b
                 {_COUNTED if shape.stocked else ""}
            ON CONFLICT (tenant_id, name) DO UPDATE
                SET value = c.value + 1, assigned_at = greatest(clock_timestamp(), c.assigned_at)
            RETURNING value, assigned_at
        ), o AS (
            INSERT INTO orders (tenant_id, id, order_number, branch_id, customer_id, status, source, currency,
                sub_total, discount_amount, total, paid_amount, starts_at, note, created_by_type, created_by_id,
                created_at, updated_at, discount, cashier, cashier_code)
            SELECT $1, $2, value, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,
                assigned_at, assigned_at, $19, $16, $17
            FROM numbered RETURNING *
        ), order_lines AS (
            INSERT INTO order_lines (tenant_id, id, order_id, position, type, item_id, package_id, staff_id, name,
                price, quantity, discount_amount, total, duration, apply_discount, option_ids)
            SELECT $1, l.id, o.id, l.place - 1, l.type, l.item_id, l.package_id, l.staff_id, l.name, l.price,
                l.quantity, l.discount, l.total, l.duration, l.eligible, l.options::uuid[]
            FROM o, {given["lines"]}
        ), {_STOCKED.format(**given) if shape.stocked else ""} {_BOOKED.format(**given) if shape.bookings else ""}
        order_status_history AS (
            INSERT INTO order_status_history
                (tenant_id, id, order_id, to_status, changed_by_type, changed_by_id, created_at)
            SELECT $1, $2, o.id, o.status, $14, $15, o.created_at FROM o
        ), {_PAID.format(**given) if shape.payments else ""}
        {order_created_events("$22::text", "$21::text", payments=payments, stocked=shape.stocked)}, {OUTBOX}
        SELECT {filled("$23::text", "$21", known)} FROM o, (SELECT count(*) FROM queued) AS sent
        {"" if shape.payments else "WHERE $20::integer = 0"}"""


def _given(shape: _Shape) -> dict[str, str]:
    """Where the statement finds the rows that it is given."""
    first, given = _SINGLE_VALUES + 1, {}
    for name, alias, rows, many in (
        ("lines", "l", _LINES, shape.lines),
        ("bookings", "b", _BOOKINGS, shape.bookings),
        ("payments", "p", _PAYMENTS, shape.payments),
    ):
        given[name] = rows.source(alias, many, first)
        first += rows.width(many)
    stock = ("line_ids", "item_ids", "units", "quantities", "option_ids")
    return {**given, **{name: f"${first + place}" for place, name in enumerate(stock)}}


def _single_values(tenant: TenantContext, new: NewOrder, documents: NewDocuments) -> tuple[object, ...]:
    asked = new.asked
    return (
        tenant.tenant_id,
        new.id,
        new.branch_id,
        asked.customer_id,
        new.status,
        asked.source,
        tenant.currency,
        new.sub_total,
        new.discount_amount,
        new.total,
        exact_sum(payment.amount for payment in new.payments),
        asked.start,
        asked.note,
        asked.actor.type,
        asked.actor.id,
        *asked.cashier,
        [booking.staff_id for booking in new.bookings],
        None if asked.discount is None else msgspec.json.encode(asked.discount).decode(),
        len(new.payments),
        documents.mark,
        documents.order,
        documents.created,
    )


def _line(line: Line) -> tuple[object, ...]:
    return (
        line.id,
        line.type,
        line.item_id,
        line.package_id,
        line.staff_id,
        line.name,
        line.price,
        line.quantity,
        line.discount_amount,
        line.total,
        line.duration,
        line.discountable,
        f"{{{','.join(map(str, line.option_ids))}}}",
    )


def _booking(booking: Booking) -> tuple[object, ...]:
    return booking.id, booking.line_id, booking.staff_id, booking.item_id, booking.start, booking.end


def _payment(payment: Payment, document: str) -> tuple[object, ...]:
    return (
        payment.id,
        payment.method_id,
        payment.amount,
        payment.is_deposit,
        payment.note,
        payment.reference_number,
        payment.date,
        payment.tendered,
        document,
    )


def _stock_values(new: NewOrder) -> tuple[list[object], ...]:
    return (
        [use.line_id for use in new.stock],
        [use.item_id for use in new.stock],
        [use.units for use in new.stock],
        [use.quantity for use in new.stock],
        [use.option_id for use in new.stock],
    )
