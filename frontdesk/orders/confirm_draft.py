"""A draft becomes an order: only now does it take its time and its products."""

from datetime import UTC, datetime

import asyncpg

from frontdesk.availability.check import Wish, place_services
from frontdesk.errors import invalid
from frontdesk.orders.queries.changing import (
    choose_draft_options,
    insert_bookings,
    list_draft_services,
    lock_staff_and_stock,
    update_stock,
)
from frontdesk.orders.queries.placing import lock_providers
from frontdesk.orders.types import Booking, OrderState
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.types import Business
from frontdesk.values.ids import new_id


async def confirm_draft(conn: Connection, business: Business, order: OrderState) -> None:
    """The same check as for a new order; a draft without a start is a sale without a booking."""
    if order.starts_at is not None:
        await _book(conn, business, order, order.starts_at)
    await lock_staff_and_stock(conn, business.tenant_id, order.id)
    await choose_draft_options(conn, business.tenant_id, order.id)
    try:
        await update_stock(conn, business.tenant_id, order.id, sign=-1)
    except asyncpg.CheckViolationError as short:
        raise invalid({"status": ["needs products that are not in stock"]}) from short


async def _book(conn: Connection, business: Business, order: OrderState, start: datetime) -> None:
    services = await list_draft_services(conn, business.tenant_id, order.id)
    if not services:
        return
    # Held before the look, so that what is seen stays true.
    await lock_providers(conn, business.tenant_id, {i for service in services for i in service.candidates})
    wishes = [Wish(service.candidates) for service in services]
    placements = await place_services(conn, business, wishes, start, datetime.now(UTC))
    bookings = [
        Booking(new_id(), service.line_id, placed.staff_id, service.item_id, placed.start, placed.end)
        for service, placed in zip(services, placements, strict=True)
    ]
    await insert_bookings(conn, business.tenant_id, order.id, bookings)
