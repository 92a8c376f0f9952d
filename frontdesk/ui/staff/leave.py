"""The coming bookings of a staff member: each is given to another provider, moved or canceled before they leave."""

from datetime import datetime, timedelta
from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.availability.affected_bookings import find_replacements
from frontdesk.availability.find_slots import AvailabilityQuery, find_slots, look_up
from frontdesk.availability.problems import TimeProblem
from frontdesk.availability.queries import read_service
from frontdesk.availability.upcoming_queries import UpcomingBooking, UpcomingBookings, upcoming_with_replacements
from frontdesk.http.field_types import CalendarDate
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.orders.change_status import ChangeOrderStatus, SettableStatus
from frontdesk.problems import Problem, not_found
from frontdesk.scheduling.reschedule import RequestedProvider, RescheduleOrder
from frontdesk.staff.edit import SetStaffActive
from frontdesk.ui.shell.confirmation import Confirmed, ask_for_confirmation
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import MANAGERS
from frontdesk.ui.shell.problems import page_problem
from frontdesk.ui.shell.routing import Pages
from frontdesk.ui.staff.pages import PATH, read_card, show_card
from frontdesk.values.clock import current_time
from frontdesk.values.time import get_zone

pages = Pages()
_SHOWN_DAYS = 400
_SHOWN = 100
_TAKEN = N_("This person is no longer free at that time. Choose another one.")


_Back = Literal["leave", "bookings"]  # the page that an act was chosen on


class BookingsQuery(msgspec.Struct):
    time_off: UUID | None = None


class AssignForm(msgspec.Struct):
    staff_id: UUID | None = None
    back: _Back = "leave"


class MoveQuery(msgspec.Struct):
    day: CalendarDate | None = None
    back: _Back = "leave"


class RescheduleForm(msgspec.Struct):
    """The local time and the staff member, separated by a space."""

    choice: Annotated[str, Meta(max_length=100)] = ""
    back: _Back = "leave"


class CancelForm(msgspec.Struct):
    sure: Confirmed = None
    back: _Back = "leave"


@pages.get(f"{PATH}/{{staff_id}}/leave", MANAGERS)
async def show_leave(context: PageContext, staff_id: UUID) -> Response:
    return await _show_bookings(context, staff_id, "leave")


async def show_bookings_again(context: PageContext, staff_id: UUID) -> Response:
    """Of the act that failed."""
    back = context.form.value("back")
    return await _show_bookings(context, staff_id, "bookings" if back == "bookings" else "leave")


@pages.get(f"{PATH}/{{staff_id}}/bookings", MANAGERS)
async def show_bookings(context: PageContext, staff_id: UUID, query: BookingsQuery) -> Response:
    return await _show_bookings(context, staff_id, "bookings", query.time_off)


async def _show_bookings(
    context: PageContext, staff_id: UUID, back: _Back, time_off_id: UUID | None = None
) -> Response:
    """All of them, or those in the time off."""
    card = await read_card(context, staff_id)
    upcoming = await _upcoming(context, staff_id)
    for off in card.time_off:
        if off.id == time_off_id:
            during = [b for b in upcoming.bookings if b.start < off.end and b.end > off.start]
            upcoming = upcoming._replace(bookings=during)
    shown = upcoming._replace(bookings=upcoming.bookings[:_SHOWN])
    free = find_replacements(get_zone(context.tenant.timezone), shown, context.tenant.grid_minutes)
    return context.render(
        "staff_leave.html",
        card=card,
        bookings=shown.bookings,
        total=len(upcoming.bookings),
        free=free,
        back=back,
    )


@pages.post(f"{PATH}/{{staff_id}}/leave", MANAGERS, on_error=show_leave)
async def leave(context: PageContext, staff_id: UUID) -> Response:
    await context.run(SetStaffActive(staff_id, active=False))
    return context.redirect(f"{PATH}/{staff_id}", flash=N_("Marked as left. Past bookings and orders stay."))


@pages.post(f"{PATH}/{{staff_id}}/return", MANAGERS, on_error=show_card)
async def come_back(context: PageContext, staff_id: UUID) -> Response:
    await context.run(SetStaffActive(staff_id, active=True))
    return context.redirect(f"{PATH}/{staff_id}", flash=N_("Works here again."))


@pages.post(f"{PATH}/{{staff_id}}/leave/{{booking_id}}/assign", MANAGERS, on_error=show_bookings_again)
async def assign_booking(context: PageContext, staff_id: UUID, booking_id: UUID, form: AssignForm) -> Response:
    """Another provider performs it at the same time."""
    if form.staff_id is None:
        raise page_problem(N_("Choose who takes the booking over."))
    booking = _find(await _upcoming(context, staff_id), booking_id)
    await _reschedule(context, booking, booking.order_start, form.staff_id)
    return context.redirect(f"{PATH}/{staff_id}/{form.back}", flash=N_("Booking given to another provider."))


@pages.get(f"{PATH}/{{staff_id}}/leave/{{booking_id}}/move", MANAGERS)
async def show_move(context: PageContext, staff_id: UUID, booking_id: UUID, query: MoveQuery | None = None) -> Response:
    """The free times of everybody who performs the service, on one day; without the one who leaves."""
    card, booking = await read_card(context, staff_id), _find(await _upcoming(context, staff_id), booking_id)
    chosen = query.day.day if query and query.day else context.format.local(booking.start).date()
    wanted = AvailabilityQuery(
        booking.item_id, None, chosen, 1, booking.quantity, search_on=False, explain=False, option_id=booking.option_id
    )
    now, zone = current_time(), get_zone(context.tenant.timezone)
    service = read_service(await context.fetch(look_up(wanted, now)))
    back: _Back = query.back if query else "bookings" if context.form.value("back") == "bookings" else "leave"
    names = {id_: name for id_, (_, name) in booking.others.items()}
    if back == "bookings":
        names[staff_id] = booking.staff
    times = {}
    for provider in service.providers if service else []:
        if service and provider.staff_id in names:
            # What was sold stays sold, also if it is no longer for sale.
            sold = service._replace(providers=[provider], active=True, needs_option=False, is_option_on_sale=True)
            found = find_slots(zone, wanted, sold, now)
            times[provider.staff_id] = (names[provider.staff_id], found.slots[chosen.isoformat()])
    return context.render("staff_booking_move.html", card=card, booking=booking, day=chosen, times=times, back=back)


@pages.post(f"{PATH}/{{staff_id}}/leave/{{booking_id}}/move", MANAGERS, on_error=show_move)
async def move_booking(context: PageContext, staff_id: UUID, booking_id: UUID, form: RescheduleForm) -> Response:
    """The whole order moves, so that its services keep following one another."""
    booking = _find(await _upcoming(context, staff_id), booking_id)
    chosen, _, to = form.choice.partition(" ")
    try:
        start, provider_id = datetime.fromisoformat(chosen), UUID(to)
    except ValueError:
        raise page_problem(N_("Choose a time.")) from None
    start = context.tenant.to_utc(start, "choice") - (booking.start - booking.order_start)
    await _reschedule(context, booking, start, provider_id)
    return context.redirect(f"{PATH}/{staff_id}/{form.back}", flash=N_("Booking moved."))


@pages.post(f"{PATH}/{{staff_id}}/leave/{{booking_id}}/cancel", MANAGERS, on_error=show_bookings_again)
async def cancel_booking(context: PageContext, staff_id: UUID, booking_id: UUID, form: CancelForm) -> Response:
    booking = _find(await _upcoming(context, staff_id), booking_id)
    if form.sure is None:
        number = {"number": booking.order_number}
        return ask_for_confirmation(
            context,
            question=context.translate(N_("Cancel the whole order %(number)s? Its payments are not refunded."))
            % number,
            yes=context.translate(N_("Cancel order %(number)s")) % number,
            no=context.translate(N_("Keep as it is")),
            back=f"{PATH}/{staff_id}/{form.back}",
        )
    await context.run(ChangeOrderStatus(booking.order_id, SettableStatus.CANCELED))
    return context.redirect(f"{PATH}/{staff_id}/{form.back}", flash=N_("Order canceled."))


async def _reschedule(context: PageContext, booking: UpcomingBooking, start: datetime, staff_id: UUID) -> None:
    provider = RequestedProvider(booking.line_id, staff_id)
    try:
        await context.run(RescheduleOrder(booking.order_id, start, [provider]))
    except Problem as problem:
        if isinstance(problem.kind, TimeProblem):
            raise page_problem(_TAKEN) from problem
        raise


async def _upcoming(context: PageContext, staff_id: UUID) -> UpcomingBookings:
    last = current_time().date() + timedelta(days=_SHOWN_DAYS)
    return await context.fetch(upcoming_with_replacements(staff_id, last))


def _find(upcoming: UpcomingBookings, booking_id: UUID) -> UpcomingBooking:
    for booking in upcoming.bookings:
        if booking.id == booking_id:
            return booking
    raise not_found("booking")
