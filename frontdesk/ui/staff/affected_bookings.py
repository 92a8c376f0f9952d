"""Asks before a change of hours that would leave coming bookings outside them."""

from contextlib import AbstractAsyncContextManager

from frontdesk.availability.affected_bookings import AffectsBookings, refuse_affected_bookings
from frontdesk.http.forms import read_form
from frontdesk.http.responses import Response
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.write import Guard
from frontdesk.staff.hour_types import HoursOwner
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.csrf import CSRF_FIELD


def affected_bookings_guard(context: PageContext, owner: HoursOwner, confirmed: str) -> Guard:
    """For a write that changes hours; it raises AffectsBookings."""

    def guard(conn: Connection) -> AbstractAsyncContextManager[None]:
        return refuse_affected_bookings(conn, context.tenant, owner, confirmed)

    return guard


def confirm_affected_bookings(
    context: PageContext, owner: HoursOwner, found: AffectsBookings, *, back: str, is_time_off: bool = False
) -> Response:
    """The page that lists the bookings and asks. Its form is the one that was sent, with the answer."""
    fields = read_form(context.request.raw_body)
    return context.render(
        "affected_bookings.html",
        bookings=found.bookings,
        total=found.total,
        mark=found.mark,
        is_other_list=bool(fields.get("confirmed")),
        action=context.request.path,
        fields=[
            (name, value)
            for name, values in fields.items()
            if name not in (CSRF_FIELD, "confirmed")
            for value in values
        ],
        owner=owner,
        owner_path=owner_path(owner),
        back=back,
        is_time_off=is_time_off,
    )


def owner_path(owner: HoursOwner) -> str:
    return f"/staff/{owner.staff_id}" if owner.staff_id else f"/settings/hours?branch={owner.branch_id}"
