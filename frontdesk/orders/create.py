"""The act of placing an order. Every surface comes through here."""

from contextlib import suppress
from datetime import UTC, datetime
from decimal import Decimal
from uuid import UUID

import asyncpg

from frontdesk.availability.check import Assignment, ServiceToSchedule, assign_staff
from frontdesk.availability.db_errors import as_availability_error
from frontdesk.errors import Code, WireError, invalid
from frontdesk.orders.lines import CatalogSnapshot, check_order, order_lines, stock_use
from frontdesk.orders.new_documents import NewDocuments, new_documents
from frontdesk.orders.pay import build_payment, check_amount, check_tendered
from frontdesk.orders.plan import OrderPlan, build_plan, choose_methods
from frontdesk.orders.queries.placing import get_order_context, lock_products, lock_providers
from frontdesk.orders.queries.writing import insert_order
from frontdesk.orders.types import Booking, CreatedOrder, Line, LineType, NewOrder, OrderRequest, Payment, Status
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.types import TenantContext
from frontdesk.values.ids import uuid7

# Another order may book the chosen provider between the read and the write. The next attempt sees that booking and
# chooses again; a provider that the request names is then reported as booked.
_TRIES = 3


async def create_order(
    conn: Connection, tenant: TenantContext, asked: OrderRequest, now: datetime | None = None
) -> CreatedOrder:
    """Check, price, find providers and write it all, or leave nothing behind. `now` is the clock's unless told."""
    if asked.draft and asked.payments:
        raise WireError(
            Code.ORDER_IS_DRAFT, "A draft takes no payments. Create the order instead, or omit the payments."
        )
    now = now or datetime.now(UTC)
    with as_availability_error(asked=_asks_availability(asked)):
        books = CatalogSnapshot(await get_order_context(conn, tenant, asked), asked)
        check_order(asked, books)
        choose_methods(asked, books)
    for _ in range(_TRIES):
        with suppress(asyncpg.ExclusionViolationError):
            return await _write(conn, tenant, asked, books, now)
    # Too many want the same time: hold everybody who could take it, and then look, so that what is seen stays true.
    with as_availability_error():
        async with conn.transaction():
            candidates = {staff_id for wish in _services(asked, books) for staff_id in wish.candidates}
            await lock_providers(conn, tenant.tenant_id, candidates)
            return await _write(conn, tenant, asked, books, now)


def _asks_availability(asked: OrderRequest) -> bool:
    """A sale without an appointment, or a draft, takes no time of anybody."""
    return asked.start is not None and not asked.draft and any(line.type is LineType.SERVICE for line in asked.lines)


async def _write(
    conn: Connection, tenant: TenantContext, asked: OrderRequest, books: CatalogSnapshot, now: datetime
) -> CreatedOrder:
    with as_availability_error(asked=_asks_availability(asked)):
        wishes = [] if asked.start is None or asked.draft else _services(asked, books)
        placements = await assign_staff(conn, tenant, wishes, asked.start, now) if wishes and asked.start else []
        recipe = build_plan(tenant, asked, books, wishes, placements)
        new = _compose(tenant, asked, recipe, placements, now)
        # Without stock it is one statement. Products are locked by one of their own before it.
        async with conn.transaction() if new.stock else conn.savepoint_if_nested():
            document = await _insert(conn, tenant, new, new_documents(tenant, new, books))
        return CreatedOrder(new.id, document)


def _compose(
    tenant: TenantContext, asked: OrderRequest, recipe: OrderPlan, placements: list[Assignment], now: datetime
) -> NewOrder:
    priced = recipe.priced
    lines = order_lines(asked, recipe.staff, recipe.minutes, priced, recipe.books)
    bookings = _bookings(lines, placements)
    return NewOrder(
        id=uuid7(),
        asked=asked,
        branch_id=recipe.books.branch_id,
        status=Status.DRAFT if asked.draft else Status.CONFIRMED,
        sub_total=priced.sub_total,
        discount_amount=priced.discount_amount,
        total=priced.total,
        lines=lines,
        bookings=bookings,
        stock=stock_use(asked, lines, recipe.books),
        payments=_payments(asked, priced.total, recipe.methods, bookings, tenant.currency_decimals, now),
    )


async def _insert(conn: Connection, tenant: TenantContext, new: NewOrder, documents: NewDocuments) -> str:
    if new.stock and new.status is not Status.DRAFT:
        staff_ids, item_ids = [b.staff_id for b in new.bookings], [use.item_id for use in new.stock]
        await lock_products(conn, tenant.tenant_id, staff_ids, item_ids)
    try:
        return await insert_order(conn, tenant, new, documents)
    except asyncpg.CheckViolationError as short:
        if short.constraint_name in ("items_stock_non_negative", "item_options_stock_non_negative"):
            raise _sold_out(new) from short
        raise


def _services(asked: OrderRequest, books: CatalogSnapshot) -> list[ServiceToSchedule]:
    return [
        ServiceToSchedule(books.minutes_by_performer(line)) for line in asked.lines if line.type is LineType.SERVICE
    ]


def _bookings(lines: list[Line], placements: list[Assignment]) -> list[Booking]:
    """One for each placement: they come in the order of the service lines, or not at all."""
    services = [(line.id, line.item_id) for line in lines if line.type is LineType.SERVICE]
    return [
        Booking(uuid7(), line_id, placed.staff_id, item_id, placed.start, placed.end)
        for (line_id, item_id), placed in zip(services, placements, strict=False)
        if item_id is not None
    ]


def _payments(
    asked: OrderRequest, total: Decimal, methods: list[UUID], bookings: list[Booking], decimals: int, now: datetime
) -> list[Payment]:
    begins, remaining, payments = bookings[0].start if bookings else None, total, []
    for place, (payment, method_id) in enumerate(zip(asked.payments, methods, strict=True)):
        field = asked.field_names.payment.format(place)
        check_amount(payment.amount, remaining, decimals, f"{field}.amount")
        check_tendered(payment, decimals, f"{field}.total_amount")
        payments.append(build_payment(payment, method_id, remaining, begins, now))
        remaining -= payment.amount
    return payments


def _sold_out(new: NewOrder) -> WireError:
    """Another order took the last units between the read and the write."""
    faults = {
        f"{new.asked.field_names.lines}.{place}.quantity": ["exceeds the quantity in stock"]
        for place, line in enumerate(new.asked.lines)
        if line.type is not LineType.SERVICE
    }
    return invalid(faults)
