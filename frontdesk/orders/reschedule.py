"""The act of moving an order's appointment: the new time is taken and the old one freed in one transaction."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple
from uuid import UUID

import asyncpg

from frontdesk.availability.check import OwnTimes, ServiceToSchedule, assign_staff
from frontdesk.availability.db_errors import as_availability_error
from frontdesk.errors import Code, WireError, invalid
from frontdesk.orders.queries.changing import lock_order
from frontdesk.orders.queries.placing import lock_providers
from frontdesk.orders.queries.rescheduling import list_booked_services, update_appointment
from frontdesk.orders.queries.telling import emit_rescheduled
from frontdesk.orders.types import Actor, BookedService, LockedOrder, MovedBooking, Status
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.types import TenantContext

_MESSAGES = {
    "draft": "The order is a draft and has no appointment yet. Change the draft, or confirm it first.",
    "canceled": "The order is canceled. Set another status first.",
    "completed": "The order is completed and cannot be rescheduled.",
    "no_appointment": "The order has no appointment.",
}


class WantedProvider(NamedTuple):
    """Who performs a line from now on; None stands for any provider of the service who is free."""

    line_id: UUID
    staff_id: UUID | None


async def reschedule_order(
    conn: Connection,
    tenant: TenantContext,
    order_id: UUID,
    start: datetime,
    wanted: Sequence[WantedProvider],
    actor: Actor,
) -> None:
    """The same checks as for a new order. A line that is not named keeps its provider; prices stay as sold."""
    with as_availability_error():
        async with conn.transaction():
            order = await lock_order(conn, tenant.tenant_id, order_id)
            _check_order(order)
            services = await list_booked_services(conn, tenant.tenant_id, order_id)
            providers = _providers_by_line(services, wanted)
            if start == order.starts_at and all(providers[s.line_id] in (None, s.staff_id) for s in services):
                return
            wishes = _services(services, providers, wanted)
            await _move(conn, tenant, order, services, wishes, start, actor)


def _check_order(order: LockedOrder) -> None:
    reason = None
    if order.status in (Status.DRAFT, Status.CANCELED, Status.COMPLETED) and order.parent_id is None:
        reason = order.status.value
    elif order.begins is None:
        reason = "no_appointment"
    if reason is not None:
        raise WireError(Code.ORDER_NOT_RESCHEDULABLE, _MESSAGES[reason], details={"reason": reason})


def _providers_by_line(
    services: Sequence[BookedService], wanted: Sequence[WantedProvider]
) -> Mapping[UUID, UUID | None]:
    providers: dict[UUID, UUID | None] = {service.line_id: service.staff_id for service in services}
    faults, seen = {}, set()
    for place, one in enumerate(wanted):
        if one.line_id not in providers:
            faults[f"items.{place}.line_id"] = ["is not a service line of this order"]
        elif one.line_id in seen:
            faults[f"items.{place}.line_id"] = ["is a duplicate"]
        seen.add(one.line_id)
    if faults:
        raise invalid(faults)
    return providers | {one.line_id: one.staff_id for one in wanted}


def _services(
    services: Sequence[BookedService], providers: Mapping[UUID, UUID | None], wanted: Sequence[WantedProvider]
) -> list[ServiceToSchedule]:
    """With the same provider a line takes as long as it was sold for; with another one, as long as they need."""
    places = {one.line_id: place for place, one in enumerate(wanted)}
    faults, wishes = {}, []
    for service in services:
        staff_id = providers[service.line_id]
        candidates = {i: n for i, n in service.candidates.items() if staff_id in (None, i)}
        if service.staff_id in candidates:
            candidates[service.staff_id] = service.minutes
        if not candidates and service.line_id in places:
            faults[f"items.{places[service.line_id]}.staff_id"] = ["does not perform this service in this branch"]
        elif not candidates:
            faults["items"] = [
                f"must assign another staff member to line {service.line_id}: its own no longer performs the service"
            ]
        wishes.append(ServiceToSchedule(candidates))
    if faults:
        raise invalid(faults)
    return wishes


async def _move(
    conn: Connection,
    tenant: TenantContext,
    order: LockedOrder,
    services: Sequence[BookedService],
    wishes: Sequence[ServiceToSchedule],
    start: datetime,
    actor: Actor,
) -> None:
    """Everybody concerned is locked before the check, so that what it finds stays true."""
    concerned = {s.staff_id for s in services} | {staff_id for wish in wishes for staff_id in wish.candidates}
    await lock_providers(conn, tenant.tenant_id, concerned)
    placements = await assign_staff(conn, tenant, wishes, start, datetime.now(UTC), own=_own_times(services))
    moved = [
        MovedBooking(service.booking_id, service.line_id, placed.staff_id, placed.start, placed.end)
        for service, placed in zip(services, placements, strict=True)
    ]
    try:
        await update_appointment(conn, tenant.tenant_id, order, start, moved, actor)
    except asyncpg.ExclusionViolationError as taken:
        details = {"reason": "booked", "alternatives": []}
        raise WireError(Code.TIMESLOT_UNAVAILABLE, "The requested time is already booked.", details=details) from taken
    await emit_rescheduled(conn, tenant, order, actor)


def _own_times(services: Sequence[BookedService]) -> OwnTimes:
    times: dict[UUID, list[tuple[datetime, datetime]]] = {}
    for service in services:
        times.setdefault(service.staff_id, []).append((service.start, service.end))
    return times
