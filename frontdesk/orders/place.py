"""The act of placing an order. Every surface comes through here."""

from contextlib import suppress
from datetime import UTC, datetime
from decimal import Decimal
from uuid import UUID

import asyncpg

from frontdesk.availability.check import Placement, Wish, place_services, presume_services
from frontdesk.availability.failure import check_failures
from frontdesk.errors import Code, WireError, invalid
from frontdesk.kit.db import Connection
from frontdesk.kit.ids import new_id
from frontdesk.kit.money import fits_currency
from frontdesk.orders.facts import look_up_facts, recall_facts
from frontdesk.orders.lines import Books, check_order, check_stated, order_lines, price_lines, stock_use
from frontdesk.orders.new_documents import NewDocuments, new_documents
from frontdesk.orders.pay import check_amount, make_payment
from frontdesk.orders.queries.placing import lock_products, lock_providers
from frontdesk.orders.queries.writing import insert_order
from frontdesk.orders.types import AskedOrder, Booking, Line, LineType, NewOrder, Payment, PlacedOrder, Status
from frontdesk.payments.resolve import choose_method
from frontdesk.tenants.types import Business

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
    with check_failures():
        placed = await _place_unseen(conn, business, asked, now)
        if placed is not None:
            return placed
        books = Books(await look_up_facts(conn, business, asked), asked)
        check_order(asked, books)
        methods = _methods(asked, books)
    for _ in range(_TRIES):
        with suppress(asyncpg.ExclusionViolationError):
            return await _write(conn, business, asked, books, methods, now)
    # Too many want the same time: hold everybody who could take it, and then look, so that what is seen stays true.
    with check_failures():
        async with conn.transaction():
            candidates = {staff_id for wish in _wishes(asked, books) for staff_id in wish.candidates}
            await lock_providers(conn, business.tenant_id, candidates)
            return await _write(conn, business, asked, books, methods, now)


async def _place_unseen(conn: Connection, business: Business, asked: AskedOrder, now: datetime) -> PlacedOrder | None:
    """In one statement, where all that the books say is known already: it writes only where the rest is as presumed.

    None, and nothing written, where a look is needed after all: somebody must be chosen, stock counted, or a refusal
    explained.
    """
    presumed = _presumed(business, asked, now)
    if presumed is None:
        return None
    new, documents = presumed
    with suppress(asyncpg.ExclusionViolationError):
        async with conn.lone_statement():
            document = await insert_order(conn, business, new, documents, presumed=True)
            return None if document is None else PlacedOrder(new.id, document)
    return None


def _presumed(business: Business, asked: AskedOrder, now: datetime) -> tuple[NewOrder, NewDocuments] | None:
    """The order as it will be if the customer may buy and nobody has booked the time."""
    facts = recall_facts(business, asked)
    if facts is None:
        return None
    with suppress(WireError):
        books = Books(facts, asked)
        check_order(asked, books)
        wishes = _to_place(asked, books)
        placements = presume_services(business, wishes, asked.start, now) if wishes and asked.start else []
        if placements is not None:
            new = _compose(business, asked, books, _methods(asked, books), placements, now)
            return None if new.stock else (new, new_documents(business, new, books))
    return None


async def _write(
    conn: Connection, business: Business, asked: AskedOrder, books: Books, methods: list[UUID], now: datetime
) -> PlacedOrder:
    with check_failures():
        placements = await _placements(conn, business, asked, books, now)
        new = _compose(business, asked, books, methods, placements, now)
        # Without stock it is one statement. Products are locked by one of their own before it.
        async with conn.transaction() if new.stock else conn.lone_statement():
            return PlacedOrder(new.id, await _insert(conn, business, new, new_documents(business, new, books)))


def _compose(
    business: Business,
    asked: AskedOrder,
    books: Books,
    methods: list[UUID],
    placements: list[Placement],
    now: datetime,
) -> NewOrder:
    staff, durations = _per_line(asked, placements)
    priced = price_lines(asked, _priced_by(asked, staff), books, business.currency_decimals)
    check_stated(asked, priced, business.currency_decimals)
    lines = order_lines(asked, staff, durations, priced, books)
    bookings = _bookings(lines, placements)
    return NewOrder(
        id=new_id(),
        asked=asked,
        branch_id=books.branch_id,
        status=Status.DRAFT if asked.draft else Status.CONFIRMED,
        sub_total=priced.sub_total,
        discount_amount=priced.discount_amount,
        total=priced.total,
        lines=lines,
        bookings=bookings,
        stock=stock_use(asked, lines, books),
        payments=_payments(asked, priced.total, methods, bookings, business.currency_decimals, now),
    )


def _methods(asked: AskedOrder, books: Books) -> list[UUID]:
    return [choose_method(books.facts.methods, p.method_id, p.method_type) for p in asked.payments]


def _priced_by(asked: AskedOrder, staff: list[UUID | None]) -> list[UUID | None]:
    """Whose own price counts. A till has told its customer the sum before anybody was chosen: that sum stays."""
    return staff if asked.stated is None else [line.staff_id for line in asked.lines]


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


async def _placements(
    conn: Connection, business: Business, asked: AskedOrder, books: Books, now: datetime
) -> list[Placement]:
    wishes = _to_place(asked, books)
    return await place_services(conn, business, wishes, asked.start, now) if wishes and asked.start else []


def _to_place(asked: AskedOrder, books: Books) -> list[Wish]:
    return [] if asked.start is None or asked.draft else _wishes(asked, books)


def _wishes(asked: AskedOrder, books: Books) -> list[Wish]:
    return [Wish(books.minutes_by_performer(line)) for line in asked.lines if line.type is LineType.SERVICE]


def _per_line(asked: AskedOrder, placements: list[Placement]) -> tuple[list[UUID | None], list[int | None]]:
    """Who performs each line and how long it takes; what is not booked may still name who did it or sold it."""
    coming = iter(placements)
    staff: list[UUID | None] = []
    durations: list[int | None] = []
    for line in asked.lines:
        placement = next(coming, None) if line.type is LineType.SERVICE else None
        staff.append(placement.staff_id if placement else line.staff_id)
        durations.append(int((placement.end - placement.start).total_seconds()) // 60 if placement else None)
    return staff, durations


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
        if payment.tendered is not None and not fits_currency(payment.tendered, decimals):
            raise invalid({f"{field}.total_amount": [f"must have at most {decimals} decimals"]})
        if payment.tendered is not None and payment.tendered < payment.amount:
            raise invalid({f"{field}.total_amount": ["must be at least the amount"]})
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
