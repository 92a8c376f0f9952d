"""Statements that a new order is checked against and written with."""

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple
from uuid import UUID

import msgspec

from frontdesk.events.outbox import OUTBOX
from frontdesk.kit.clock import minutes_by_utc_day
from frontdesk.kit.db import Connection, Write
from frontdesk.orders.documents import BOOKING_REFERENCE, created_order
from frontdesk.orders.queries.telling import placed
from frontdesk.orders.types import AskedOrder, NewOrder, OrderFacts
from frontdesk.tenants.types import Business

_NAME = "coalesce({0}.name ->> $5, (SELECT t.value FROM jsonb_each_text({0}.name) t ORDER BY t.key LIMIT 1), '')"


_OPTIONS = """(SELECT coalesce(json_agg(json_build_object(
                    'id', v.id, 'item_id', v.item_id, 'is_active', v.is_active, 'price', v.price,
                    'offer_price', v.offer_price, 'duration', v.duration, 'quantity', v.quantity)), '[]')
                FROM item_options v WHERE v.tenant_id = $1 AND v.id = ANY($6))"""
_STAFF = """(SELECT coalesce(json_agg(s.id), '[]') FROM staff s
                WHERE s.tenant_id = $1 AND s.id = ANY($7) AND s.active)"""
_METHODS = """(SELECT coalesce(json_agg(json_build_object(
                    'id', m.id, 'type', m.type, 'active', m.active, 'connected', i.disconnected_at IS NULL)
                    ORDER BY m.created_at, m.id), '[]')
                FROM payment_methods m LEFT JOIN installs i ON i.tenant_id = $1 AND i.id = m.install_id
                WHERE m.tenant_id = $1 AND (m.id = ANY($8) OR m.type = ANY($9)))"""
_NONE = "'[]'::json"


async def get_order_facts(conn: Connection, business: Business, asked: AskedOrder) -> OrderFacts:
    """Everything that the books say about what an order names, in one look. What it does not name is left out."""
    option_ids = [option_id for line in asked.lines for option_id in line.option_ids]
    staff_ids = [line.staff_id for line in asked.lines if line.staff_id is not None]
    text = await conn.fetchval(
        f"""
        SELECT json_build_object(
            'branch', EXISTS (SELECT FROM branches WHERE tenant_id = $1 AND id = $2),
            'customer', (SELECT json_build_object('blocked', blocked) FROM customers WHERE tenant_id = $1 AND id = $3),
            'items', (SELECT coalesce(json_agg(json_build_object(
                    'id', i.id, 'type', i.type, 'branch_id', i.branch_id, 'status', i.status,
                    'name', {_NAME.format("i")}, 'price', i.price, 'offer_price', i.offer_price,
                    'duration', i.duration, 'stock', i.stock)), '[]')
                FROM items i WHERE i.tenant_id = $1 AND i.id = ANY($4)),
            'options', {_OPTIONS if option_ids else _NONE},
            'packages', (SELECT coalesce(json_agg(json_build_object(
                    'id', p.id, 'branch_id', p.branch_id, 'status', p.status, 'name', {_NAME.format("p")},
                    'price', p.price, 'offer_price', p.offer_price, 'contents', (
                        SELECT coalesce(json_agg(json_build_object(
                            'item_id', c.item_id, 'quantity', c.quantity, 'stock', ci.stock)), '[]')
                        FROM package_items c JOIN items ci ON ci.tenant_id = $1 AND ci.id = c.item_id
                        WHERE c.tenant_id = $1 AND c.package_id = p.id))), '[]')
                FROM packages p WHERE p.tenant_id = $1 AND p.id = ANY($4)),
            'performers', (SELECT coalesce(json_agg(json_build_object(
                    'item_id', ss.item_id, 'staff_id', ss.staff_id, 'branch_id', s.branch_id,
                    'price', ss.price, 'duration', ss.duration)), '[]')
                FROM staff_services ss JOIN staff s ON s.tenant_id = $1 AND s.id = ss.staff_id
                WHERE ss.tenant_id = $1 AND ss.item_id = ANY($4) AND s.active),
            'staff', {_STAFF if staff_ids else _NONE},
            'methods', {_METHODS if asked.payments else _NONE})::text
        FROM (SELECT $6::uuid[], $7::uuid[], $8::uuid[], $9::text[]) AS given
        """,
        business.tenant_id,
        asked.branch_id,
        asked.customer_id,
        [line.item_id for line in asked.lines],
        business.languages[0],
        option_ids,
        staff_ids,
        [payment.method_id for payment in asked.payments if payment.method_id is not None],
        [payment.method_type for payment in asked.payments if payment.method_type is not None],
    )
    return msgspec.json.decode(text, type=OrderFacts)


async def lock_providers(conn: Connection, tenant_id: UUID, staff_ids: Iterable[UUID]) -> None:
    """By id, as everywhere: until the transaction ends nobody else takes or frees their time."""
    await conn.execute(
        "SELECT FROM staff WHERE tenant_id = $1 AND id = ANY($2) ORDER BY id FOR NO KEY UPDATE",
        tenant_id,
        list(staff_ids),
    )


async def lock_products(conn: Connection, tenant_id: UUID, staff_ids: Iterable[UUID], item_ids: Iterable[UUID]) -> None:
    """Providers by id, then products by id, in a statement of its own before the one that takes from their stock.

    A statement that locks a product and then changes it goes back to the version it first saw. Where that one was
    changed meanwhile, somebody may stand there who waits for us, and we would wait for them.
    """
    await conn.execute(
        """
        WITH providers AS MATERIALIZED (
            SELECT id FROM staff WHERE tenant_id = $1 AND id = ANY($2) ORDER BY id FOR NO KEY UPDATE
        )
        SELECT FROM items WHERE tenant_id = $1 AND id = ANY($3) AND (SELECT count(*) FROM providers) >= 0
        ORDER BY id FOR NO KEY UPDATE
        """,
        tenant_id,
        list(staff_ids),
        list(item_ids),
    )


# The parts of an order that sells products. Every part is made ready whenever the statement runs, so an order of
# services alone leaves them out; it only names the types of what it then does not use.
_TAKEN = """products AS MATERIALIZED (
            SELECT id FROM items WHERE tenant_id = $1 AND id = ANY($33) AND $5 <> 'draft'
            AND (SELECT count(*) FROM providers) >= 0
            ORDER BY id FOR NO KEY UPDATE
        ), stock AS (
            UPDATE items i SET stock = i.stock - taken.pieces, updated_at = now()
            FROM (SELECT id, sum(pieces * quantity) AS pieces
                  FROM unnest($33::uuid[], $34::integer[], $44::integer[]) AS u (id, pieces, quantity)
                  GROUP BY id) taken
            WHERE i.tenant_id = $1 AND i.id = taken.id AND i.id IN (SELECT id FROM products)
            RETURNING i.*, taken.pieces
        ), option_stock AS (
            UPDATE item_options v SET quantity = v.quantity - taken.pieces
            FROM (SELECT id, sum(pieces) AS pieces FROM unnest($45::uuid[], $46::integer[]) AS u (id, pieces)
                  GROUP BY id) taken
            WHERE v.tenant_id = $1 AND v.id = taken.id AND v.item_id IN (SELECT id FROM products)
            RETURNING v.*, taken.pieces
        )"""
_NOTHING_TAKEN = "unused AS (SELECT $33::uuid[], $34::integer[], $43::uuid[], $44::integer[], $46::integer[])"
_COUNTED = """(SELECT count(*) FROM products) i,
                 (SELECT count(*) FROM stock) s, (SELECT count(*) FROM option_stock) v"""
_STOCKED = """stocked AS (
            INSERT INTO order_line_stock (tenant_id, order_id, line_id, item_id, pieces)
            SELECT $1, o.id, u.line_id, u.item_id, u.pieces
            FROM o, unnest($43::uuid[], $33::uuid[], $34::integer[]) AS u (line_id, item_id, pieces)
        ),"""


# What the writer of an order presumes instead of looking: that the customer may buy, and that nothing is booked there.
# Bits of a busy day are counted from its end.
_FREE = """free AS MATERIALIZED (
            SELECT FROM gate WHERE NOT EXISTS (
                SELECT FROM unnest($53::uuid[], $54::date[], $55::integer[], $56::integer[])
                    AS u (staff_id, day, opens, closes)
                JOIN staff_busy_days d ON d.tenant_id = $1 AND d.staff_id = u.staff_id AND d.day = u.day
                WHERE position(B'1' IN substring(d.minutes FROM 1441 - u.closes FOR u.closes - u.opens)) > 0)
        )"""


class _Shape(NamedTuple):
    """Of what an order does not have its statement does not speak: every word of it is made ready each time."""

    booked: bool
    stocked: bool
    paid: bool
    presumed: bool


async def insert_order(conn: Connection, business: Business, new: NewOrder, *, presumed: bool = False) -> str | None:
    """Write a whole order and answer with its published form; None where what is presumed does not hold."""
    shape = _Shape(bool(new.bookings), bool(new.stock), bool(new.payments), presumed)
    document: str | None = await conn.write(_write_order(shape), *_values(business, new), *_presumption(new, shape))
    return document


@cache
def _write_order(shape: _Shape) -> Write:
    """One statement, because every further one would cost as much again; what it tells is written with it.

    The locks come in the written order whatever the planner does: providers by id, products by id, then the counters,
    that of events last. Products wait for providers; the number counts both, and the stock, because a part that nobody
    reads to its end is not run: without products a join with them would never have asked for the providers either. The
    customer is held as the foreign key would hold it in the end, when somebody who changes the customer's phone may
    already wait for the counter of events.
    """
    news = placed("$41", "$42", paid=shape.paid, booked=shape.booked, stocked=shape.stocked)
    parts = f"""
        {_FREE if shape.presumed else "free AS MATERIALIZED (SELECT FROM gate)"}, providers AS MATERIALIZED (
            SELECT id FROM staff WHERE tenant_id = $1 AND id = ANY($20) AND EXISTS (SELECT FROM free)
            ORDER BY id FOR NO KEY UPDATE
        ), customers AS MATERIALIZED (
            SELECT * FROM customers WHERE tenant_id = $1 AND id = $4 AND EXISTS (SELECT FROM free)
            {"AND NOT blocked" if shape.presumed else ""} FOR KEY SHARE
        ), {_TAKEN if shape.stocked else _NOTHING_TAKEN}, numbered AS (
            INSERT INTO tenant_counters AS c (tenant_id, name, value, moment)
            SELECT $1, 'order_number', 1, clock_timestamp()
            FROM free, (SELECT count(*) FROM providers) p, (SELECT count(*) AS many FROM customers) b,
                 {_COUNTED if shape.stocked else "(SELECT) AS nothing"}
            {"WHERE b.many = num_nonnulls($4::uuid)" if shape.presumed else ""}
            ON CONFLICT (tenant_id, name) DO UPDATE
                SET value = c.value + 1, moment = greatest(clock_timestamp(), c.moment)
            RETURNING value, moment
        ), o AS (
            INSERT INTO orders (tenant_id, id, order_number, branch_id, customer_id, status, source, currency,
                sub_total, discount_amount, total, paid_amount, starts_at, note, created_by_type, created_by_id,
                created_at, updated_at, discount, cashier, cashier_code)
            SELECT $1, $2, value, $3, $4, $5, $6, $7, $8, $9, $10,
                (SELECT coalesce(sum(p), 0) FROM unnest($27::numeric[]) AS p), $11, $12, $13, $14,
                moment, moment, $48, $49, $50
            FROM numbered RETURNING *
        ), order_lines AS (
            INSERT INTO order_lines (tenant_id, id, order_id, position, type, item_id, package_id, staff_id, name,
                price, quantity, discount_amount, total, duration, apply_discount, option_ids)
            SELECT $1, l.id, o.id, l.place - 1, l.type, l.item_id, l.package_id, l.staff_id, l.name, l.price,
                l.quantity, l.discount, l.total, l.duration, l.eligible,
                ARRAY(SELECT c.id FROM unnest($47::smallint[], $45::uuid[]) AS c (line, id) WHERE c.line = l.place)
            FROM o, unnest($15::uuid[], $16::text[], $17::uuid[], $18::uuid[], $19::uuid[], $21::text[], $22::numeric[],
                $23::integer[], $24::numeric[], $25::numeric[], $26::integer[], $51::boolean[]) WITH ORDINALITY
                AS l (id, type, item_id, package_id, staff_id, name, price, quantity, discount, total, duration,
                      eligible, place)
            RETURNING *
        ), {_STOCKED if shape.stocked else ""} bookings AS (
            INSERT INTO bookings (tenant_id, id, order_id, line_id, staff_id, item_id, reference, during)
            SELECT $1, b.id, o.id, b.line_id, b.staff_id, b.item_id,
                {BOOKING_REFERENCE}, tstzrange(b.starts, b.ends)
            FROM o, unnest($35::uuid[], $36::uuid[], $20::uuid[], $37::uuid[], $38::timestamptz[], $39::timestamptz[])
                WITH ORDINALITY AS b (id, line_id, staff_id, item_id, starts, ends, place)
            RETURNING *
        ), order_status_history AS (
            INSERT INTO order_status_history
                (tenant_id, id, order_id, to_status, changed_by_type, changed_by_id, created_at)
            SELECT $1, $2, o.id, o.status, $13, $14, o.created_at FROM o RETURNING *
        ), payment_numbered AS (
            INSERT INTO tenant_counters AS c (tenant_id, name, value, moment)
            SELECT $1, 'transaction_no', cardinality($28::uuid[]), o.created_at FROM o WHERE cardinality($28) > 0
            ON CONFLICT (tenant_id, name) DO UPDATE
                SET value = c.value + excluded.value, moment = greatest(excluded.moment, c.moment)
            RETURNING value, moment
        ), transactions AS (
            INSERT INTO transactions (tenant_id, id, transaction_no, order_id, payment_method_id, amount, currency,
                status, is_deposit, note, reference_number, date, created_at, updated_at, tendered_amount, cashier,
                cashier_code)
            SELECT $1, p.id, n.value - cardinality($28) + p.place, $2, p.method_id, p.amount, $7, 'confirmed',
                p.deposit, p.note, p.reference, p.date, n.moment, n.moment, p.tendered, $49, $50
            FROM payment_numbered n, unnest($28, $29::uuid[], $27, $30::boolean[], $31::text[], $32::text[],
                $40::timestamptz[], $52::numeric[]) WITH ORDINALITY
                AS p (id, method_id, amount, deposit, note, reference, date, tendered, place)
            RETURNING *
        ), {news}, {OUTBOX}"""
    answer = f"""
        SELECT {created_order("$41", "$42")}::text
        FROM o LEFT JOIN transactions t ON t.id = $28[1], (SELECT count(*) FROM queued) AS told"""
    return Write(parts, answer)


def _values(business: Business, new: NewOrder) -> tuple[object, ...]:
    payments = new.payments
    asked_discount = new.asked.discount
    discount = None if asked_discount is None else msgspec.json.encode(asked_discount).decode()
    return (
        business.tenant_id,
        new.id,
        new.branch_id,
        new.asked.customer_id,
        new.status,
        new.asked.source,
        business.currency,
        new.sub_total,
        new.discount_amount,
        new.total,
        new.asked.start,
        new.asked.note,
        new.asked.actor.type,
        new.asked.actor.id,
        [line.id for line in new.lines],
        [line.type for line in new.lines],
        [line.item_id for line in new.lines],
        [line.package_id for line in new.lines],
        [line.staff_id for line in new.lines],
        [booking.staff_id for booking in new.bookings],
        [line.name for line in new.lines],
        [line.price for line in new.lines],
        [line.quantity for line in new.lines],
        [line.discount_amount for line in new.lines],
        [line.total for line in new.lines],
        [line.duration for line in new.lines],
        [payment.amount for payment in payments],
        [payment.id for payment in payments],
        [payment.method_id for payment in payments],
        [payment.is_deposit for payment in payments],
        [payment.note for payment in payments],
        [payment.reference_number for payment in payments],
        [use.item_id for use in new.stock],
        [use.pieces for use in new.stock],
        [booking.id for booking in new.bookings],
        [booking.line_id for booking in new.bookings],
        [booking.item_id for booking in new.bookings],
        [booking.start for booking in new.bookings],
        [booking.end for booking in new.bookings],
        [payment.date for payment in payments],
        business.currency_decimals,
        business.timezone,
        [use.line_id for use in new.stock],
        [use.quantity for use in new.stock],
        [option_id for line in new.lines for option_id in line.option_ids],
        [line.quantity for line in new.lines for _ in line.option_ids],
        [place for place, line in enumerate(new.lines, 1) for _ in line.option_ids],
        discount,
        *new.asked.cashier,
        [line.eligible for line in new.lines],
        [payment.tendered for payment in payments],
    )


def _presumption(new: NewOrder, shape: _Shape) -> tuple[object, ...]:
    """The minutes of UTC days that must be free."""
    if not shape.presumed:
        return ()
    parts = [(b.staff_id, *part) for b in new.bookings for part in minutes_by_utc_day(b.start, b.end)]
    return tuple([part[place] for part in parts] for place in range(4))
