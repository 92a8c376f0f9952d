"""Booking a time that is not free, on purpose: what it would overlap, and who may do that."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from frontdesk.accounts.pin_queries import Approver
from frontdesk.orders.create import build_order
from frontdesk.orders.queries.order_context import OrderInputs
from frontdesk.orders.types import OrderRequest
from frontdesk.postgres.query import fetch
from frontdesk.problems import Problem
from frontdesk.scheduling.move_queries import Obstacle, list_obstacles
from frontdesk.ui.components.approval import approvers_for
from frontdesk.ui.components.booking_choice_queries import BookingChoices
from frontdesk.ui.shell.context import PageContext

_NO_ORDER = UUID(int=0)


class Overlap(NamedTuple):
    staff: str
    bookings: list[Obstacle]  # empty: outside the hours


class Anyway(NamedTuple):
    overlaps: list[Overlap]
    approvers: list[Approver] | None  # None: the user needs nobody


async def find_anyway(
    context: PageContext, choices: BookingChoices, order: OrderRequest, inputs: OrderInputs, now: datetime
) -> Anyway | None:
    """None if it cannot be booked even so."""
    try:
        new = build_order(context.tenant, order, inputs, _NO_ORDER, now, anyway=True)
    except Problem:
        return None
    overlaps = []
    async with context.connection() as conn:
        for booking in new.bookings:
            if booking.is_extra:
                taken = list_obstacles(_NO_ORDER, booking.staff_id, booking.start, booking.end)
                obstacles = await fetch(conn, context.tenant_id, taken)
                overlaps.append(Overlap(choices.staff_name(booking.staff_id), obstacles))
    return Anyway(overlaps, await approvers_for(context)) if overlaps else None
