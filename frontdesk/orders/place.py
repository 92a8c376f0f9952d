"""The act of placing an order. Every surface comes through here."""

from datetime import UTC, datetime
from decimal import Decimal
from uuid import UUID

import asyncpg

from frontdesk.availability.check import Placement, Wish, place_services
from frontdesk.availability.failure import check_failures
from frontdesk.errors import WireError, invalid
from frontdesk.kit.db import Connection
from frontdesk.kit.ids import new_id
from frontdesk.orders.lines import Books, check_order, order_lines, price_lines, stock_use
from frontdesk.orders.pay import check_amount, make_payment
from frontdesk.orders.queries.placing import get_order_facts, insert_order
from frontdesk.orders.types import AskedOrder, AskedPayment, Booking, Line, LineType, NewOrder, Payment, Status
from frontdesk.payments.resolve import resolve_method
from frontdesk.tenants.types import Business

# Somebody else may take the chosen provider between the look and the write. Each further try sees that booking and
# chooses anew; a named provider is then simply found booked.
_TRIES = 10


async def place_order(conn: Connection, business: Business, asked: AskedOrder, now: datetime | None = None) -> str:
    """Check, price, find providers and write it all, or leave nothing behind. Answers with the creation response.

    The clock is read anew at each try, unless a moment is given to stand at.
    """
    books = Books(await get_order_facts(conn, business, asked))
    check_order(asked, books)
    method_id = await _method(conn, business.tenant_id, asked.payment)
    for _ in range(_TRIES - 1):
        try:
            return await _write(conn, business, asked, books, method_id, now or datetime.now(UTC))
        except asyncpg.ExclusionViolationError:
            continue
    with check_failures():
        return await _write(conn, business, asked, books, method_id, now or datetime.now(UTC))


async def _write(
    conn: Connection, business: Business, asked: AskedOrder, books: Books, method_id: UUID | None, now: datetime
) -> str:
    with check_failures():
        placements = await _placements(conn, business, asked, books, now)
        staff, durations = _per_line(asked, placements)
        priced = price_lines(asked, staff, books, business.currency_decimals)
        lines = order_lines(asked, staff, durations, priced, books)
        bookings = _bookings(lines, placements)
        new = NewOrder(
            id=new_id(),
            asked=asked,
            status=Status.CONFIRMED,
            sub_total=priced.sub_total,
            discount_amount=priced.discount_amount,
            total=priced.total,
            lines=lines,
            bookings=bookings,
            stock=stock_use(asked, lines, books),
            payment=_payment(asked, priced.total, method_id, bookings, business.currency_decimals, now),
        )
        async with conn.transaction():
            return await _insert(conn, business, new)


async def _insert(conn: Connection, business: Business, new: NewOrder) -> str:
    try:
        return await insert_order(conn, business, new)
    except asyncpg.CheckViolationError as short:
        if short.constraint_name == "items_stock_short":
            raise _sold_out(new) from short
        raise


async def _method(conn: Connection, tenant_id: UUID, payment: AskedPayment | None) -> UUID | None:
    if payment is None:
        return None
    return await resolve_method(conn, tenant_id, payment.method_id, payment.method_type)


async def _placements(
    conn: Connection, business: Business, asked: AskedOrder, books: Books, now: datetime
) -> list[Placement]:
    services = [line for line in asked.lines if line.type is LineType.SERVICE]
    if not services or asked.start is None:
        return []
    wishes = []
    for line in services:
        duration = books.items[line.item_id].duration or 0
        performers = [p for p in books.performers(line.item_id) if line.staff_id in (None, p.staff_id)]
        wishes.append(Wish({p.staff_id: line.quantity * (p.duration or duration) for p in performers}))
    return await place_services(conn, business, wishes, asked.start, now)


def _per_line(asked: AskedOrder, placements: list[Placement]) -> tuple[list[UUID | None], list[int | None]]:
    """Who performs each line and how long it takes; a product may still name who sold it."""
    coming = iter(placements)
    staff: list[UUID | None] = []
    durations: list[int | None] = []
    for line in asked.lines:
        placement = next(coming, None) if line.type is LineType.SERVICE else None
        staff.append(placement.staff_id if placement else None)
        durations.append(int((placement.end - placement.start).total_seconds()) // 60 if placement else None)
    return staff, durations


def _bookings(lines: list[Line], placements: list[Placement]) -> list[Booking]:
    services = [line for line in lines if line.type is LineType.SERVICE and line.item_id is not None]
    return [
        Booking(new_id(), line.id, p.staff_id, line.item_id, p.start, p.end)
        for line, p in zip(services, placements, strict=True)
        if line.item_id is not None
    ]


def _payment(
    asked: AskedOrder, total: Decimal, method_id: UUID | None, bookings: list[Booking], decimals: int, now: datetime
) -> Payment | None:
    if asked.payment is None or method_id is None:
        return None
    check_amount(asked.payment.amount, total, decimals, "payment.amount")
    begins = bookings[0].start if bookings else None
    return make_payment(asked.payment, method_id, total, begins, now)


def _sold_out(new: NewOrder) -> WireError:
    """Somebody bought the last pieces between the look and the write."""
    faults = {
        f"items.{place}.quantity": ["is more than there is in stock"]
        for place, line in enumerate(new.asked.lines)
        if line.type is not LineType.SERVICE
    }
    return invalid(faults)
