"""The favorite provider of a customer is chosen first: the one that was entered, else the one seen from the visits."""

from datetime import datetime
from uuid import UUID

from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.problems import Problem
from frontdesk.scheduling.book import booking_inputs
from frontdesk.scheduling.booking_preview import preview_booking
from frontdesk.ui.booking.form import BookingForm, lines_of, order_of, with_lines
from frontdesk.ui.components.booking_choice_queries import BookingChoices
from frontdesk.ui.shell.context import PageContext


def first_unassigned(before: BookingForm, after: BookingForm) -> int | None:
    """From which line on nobody could choose a provider yet: all if the customer was just chosen, else a new line."""
    if before.act.startswith("customer:"):
        return 0
    return len(before.service) if len(after.service) > len(before.service) else None


async def choose_favorite(
    context: PageContext, conn: Connection, form: BookingForm, choices: BookingChoices, first: int, now: datetime
) -> BookingForm:
    """In the lines from `first` on that have no provider, unless the favorite is not free at the chosen time."""
    favorite = choices.customer.favorite_id if choices.customer else None
    if favorite is None:
        return form
    favored = _with_favorite(form, choices, favorite, first)
    order, _ = order_of(favored, choices.branch_id, may_price=context.is_manager)
    if favored == form or form.clock is None or order.start is None:
        return favored
    seen = await fetch(conn, context.tenant_id, booking_inputs(order, now=now))
    try:
        preview = preview_booking(context.tenant, order, seen, now, has_time=True)
    except Problem:
        return form
    return favored if preview.chosen else form


def _with_favorite(form: BookingForm, choices: BookingChoices, favorite: UUID, first: int) -> BookingForm:
    lines = []
    for index, line in enumerate(lines_of(form)):
        service = choices.service(line.service)
        performs = service is not None and any(performer.staff_id == favorite for performer in service.performers)
        is_open = index >= first and line.provider is None
        lines.append(line._replace(provider=favorite) if is_open and performs else line)
    return with_lines(form, lines)
