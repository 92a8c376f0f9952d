"""A draft becomes an order: only now does it take its time and its products."""

from datetime import UTC, datetime

import asyncpg

from frontdesk.availability.check import ServiceToSchedule, assign_staff
from frontdesk.errors import invalid
from frontdesk.orders.queries.changing import (
    choose_draft_options,
    insert_bookings,
    list_draft_services,
    lock_staff_and_stock,
    update_stock,
)
from frontdesk.orders.queries.placing import lock_providers
from frontdesk.orders.types import Booking, LockedOrder
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.types import TenantContext
from frontdesk.values.ids import uuid7


async def confirm_draft(conn: Connection, tenant: TenantContext, order: LockedOrder) -> None:
    """The same check as for a new order; a draft without a start is a sale without a booking."""
    if order.starts_at is not None:
        await _book(conn, tenant, order, order.starts_at)
    await lock_staff_and_stock(conn, tenant.tenant_id, order.id)
    await choose_draft_options(conn, tenant.tenant_id, order.id)
    try:
        await update_stock(conn, tenant.tenant_id, order.id, sign=-1)
    except asyncpg.CheckViolationError as short:
        raise invalid({"status": ["requires products that are not in stock"]}) from short


async def _book(conn: Connection, tenant: TenantContext, order: LockedOrder, start: datetime) -> None:
    services = await list_draft_services(conn, tenant.tenant_id, order.id)
    if not services:
        return
    # Held before the look, so that what is seen stays true.
    await lock_providers(conn, tenant.tenant_id, {i for service in services for i in service.candidates})
    wishes = [ServiceToSchedule(service.candidates) for service in services]
    placements = await assign_staff(conn, tenant, wishes, start, datetime.now(UTC))
    bookings = [
        Booking(uuid7(), service.line_id, placed.staff_id, service.item_id, placed.start, placed.end)
        for service, placed in zip(services, placements, strict=True)
    ]
    await insert_bookings(conn, tenant.tenant_id, order.id, bookings)
