"""The act of placing an order. Every surface comes through here."""

from contextlib import suppress
from datetime import UTC, datetime
from decimal import Decimal
from uuid import UUID

import asyncpg

from frontdesk.availability.check import Placement, Wish, place_services, presume_services
from frontdesk.availability.db_errors import check_failures
from frontdesk.errors import Code, WireError, invalid
from frontdesk.orders.lines import Books, check_order, order_lines, stock_use
from frontdesk.orders.new_documents import NewDocuments, new_documents
from frontdesk.orders.pay import check_amount, check_tendered, make_payment
from frontdesk.orders.queries.placing import get_order_facts, lock_products, lock_providers
from frontdesk.orders.queries.writing import insert_order
from frontdesk.orders.recipes import Recipe, choose_methods, keep_recipe, make_recipe, recall_recipe
from frontdesk.orders.types import AskedOrder, Booking, Line, LineType, NewOrder, Payment, PlacedOrder, Status
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.types import Business
from frontdesk.values.ids import new_id

# Somebody else may take the chosen provider between the look and the write. The next try sees that booking and chooses
# anew; a named provider is then simply found booked.
_TRIES = 3


async def place_order(
    conn: Connection, business: Business, asked: AskedOrder, now: datetime | None = None
) -> PlacedOrder:
    """Check, price, find providers and write it all, or leave nothing behind. `now` is the clock's unless told."""
    if asked.draft and asked.payments:
        raise WireError(Code.ORDER_IS_DRAFT, "A draft takes no payments: place the order, or leave them out.")
    now = now or datetime.now(UTC)
    with check_failures(asked=_asks_availability(asked)):
        placed = await _place_unseen(conn, business, asked, now)
        if placed is not None:
            return placed
        books = Books(await get_order_facts(conn, business, asked), asked)
        check_order(asked, books)
        choose_methods(asked, books)
    for _ in range(_TRIES):
        with suppress(asyncpg.ExclusionViolationError):
            return await _write(conn, business, asked, books, now)
    # Too many want the same time: hold everybody who could take it, and then look, so that what is seen stays true.
    with check_failures():
        async with conn.transaction():
            candidates = {staff_id for wish in _wishes(asked, books) for staff_id in wish.candidates}
            await lock_providers(conn, business.tenant_id, candidates)
            return await _write(conn, business, asked, books, now)


def _asks_availability(asked: AskedOrder) -> bool:
    """A sale without an appointment, or a draft, takes no time of anybody."""
    return asked.start is not None and not asked.draft and any(line.type is LineType.SERVICE for line in asked.lines)


async def _place_unseen(conn: Connection, business: Business, asked: AskedOrder, now: datetime) -> PlacedOrder | None:
    """In one statement, where such an order was made before: it writes only where the rest is as presumed.

    That is, where the customer may buy, and nobody has booked the time. None, and nothing written, where it is not, or
    where the order cannot be made: that takes a look, if only to explain it.
    """
    recipe = recall_recipe(business, asked)
    if recipe is None:
        return None
    new = _presumed(business, asked, recipe, now)
    if new is None:
        return None
    documents = new_documents(business, new, recipe.books)
    with suppress(asyncpg.ExclusionViolationError):
        async with conn.lone_statement():
            document = await insert_order(conn, business, new, documents, presumed=True)
            return None if document is None else PlacedOrder(new.id, document)
    return None


def _presumed(business: Business, asked: AskedOrder, recipe: Recipe, now: datetime) -> NewOrder | None:
    placements: list[Placement] | None = []
    if recipe.wishes and asked.start is not None:
        placements = presume_services(business, recipe.wishes, asked.start, now)
    with suppress(WireError):
        return None if placements is None else _compose(business, asked, recipe, placements, now)
    return None


async def _write(conn: Connection, business: Business, asked: AskedOrder, books: Books, now: datetime) -> PlacedOrder:
    with check_failures(asked=_asks_availability(asked)):
        wishes = [] if asked.start is None or asked.draft else _wishes(asked, books)
        placements = await place_services(conn, business, wishes, asked.start, now) if wishes and asked.start else []
        recipe = make_recipe(business, asked, books, wishes, placements)
        new = _compose(business, asked, recipe, placements, now)
        # Without stock it is one statement. Products are locked by one of their own before it.
        async with conn.transaction() if new.stock else conn.lone_statement():
            document = await _insert(conn, business, new, new_documents(business, new, books))
        keep_recipe(business, asked, recipe)
        return PlacedOrder(new.id, document)


def _compose(
    business: Business, asked: AskedOrder, recipe: Recipe, placements: list[Placement], now: datetime
) -> NewOrder:
    priced = recipe.priced
    lines = order_lines(asked, recipe.staff, recipe.minutes, priced, recipe.books)
    bookings = _bookings(lines, placements)
    return NewOrder(
        id=new_id(),
        asked=asked,
        branch_id=recipe.books.branch_id,
        status=Status.DRAFT if asked.draft else Status.CONFIRMED,
        sub_total=priced.sub_total,
        discount_amount=priced.discount_amount,
        total=priced.total,
        lines=lines,
        bookings=bookings,
        stock=stock_use(asked, lines, recipe.books),
        payments=_payments(asked, priced.total, recipe.methods, bookings, business.currency_decimals, now),
    )


async def _insert(conn: Connection, business: Business, new: NewOrder, documents: NewDocuments) -> str:
    if new.stock and new.status is not Status.DRAFT:
        staff_ids, item_ids = [b.staff_id for b in new.bookings], [use.item_id for use in new.stock]
        await lock_products(conn, business.tenant_id, staff_ids, item_ids)
    try:
        document = await insert_order(conn, business, new, documents)
    except asyncpg.CheckViolationError as short:
        if short.constraint_name in ("items_stock_short", "item_options_stock_short"):
            raise _sold_out(new) from short
        raise
    if document is None:
        raise RuntimeError("an order is written for somebody who is not known yet")
    return document


def _wishes(asked: AskedOrder, books: Books) -> list[Wish]:
    return [Wish(books.minutes_by_performer(line)) for line in asked.lines if line.type is LineType.SERVICE]


def _bookings(lines: list[Line], placements: list[Placement]) -> list[Booking]:
    """One for each placement: they come in the order of the service lines, or not at all."""
    services = [(line.id, line.item_id) for line in lines if line.type is LineType.SERVICE]
    return [
        Booking(new_id(), line_id, placed.staff_id, item_id, placed.start, placed.end)
        for (line_id, item_id), placed in zip(services, placements, strict=False)
        if item_id is not None
    ]


def _payments(
    asked: AskedOrder, total: Decimal, methods: list[UUID], bookings: list[Booking], decimals: int, now: datetime
) -> list[Payment]:
    begins, remaining, payments = bookings[0].start if bookings else None, total, []
    for place, (payment, method_id) in enumerate(zip(asked.payments, methods, strict=True)):
        field = asked.wording.payment.format(place)
        check_amount(payment.amount, remaining, decimals, f"{field}.amount")
        check_tendered(payment, decimals, f"{field}.total_amount")
        payments.append(make_payment(payment, method_id, remaining, begins, now))
        remaining -= payment.amount
    return payments


def _sold_out(new: NewOrder) -> WireError:
    """Somebody bought the last pieces between the look and the write."""
    faults = {
        f"{new.asked.wording.lines}.{place}.quantity": ["is more than there is in stock"]
        for place, line in enumerate(new.asked.lines)
        if line.type is not LineType.SERVICE
    }
    return invalid(faults)
