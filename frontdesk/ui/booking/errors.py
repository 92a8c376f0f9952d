"""The errors of an order in the words of the form, at its fields."""

import re
from datetime import datetime

from frontdesk.errors import WireError
from frontdesk.ui.booking.form import Errors
from frontdesk.ui.shell.i18n import N_

_LINE = re.compile(r"items\.(\d+)\.(\w+)")
_LINES = {
    "id": ("service", N_("This service is not on sale. Remove it.")),
    "staff_id": ("provider", N_("Choose a provider who performs this service.")),
    "option_id": ("option", N_("This option is not on sale. Choose another.")),
    "unit_amount": ("price", "Enter an amount such as 12.50."),
}
_FIELDS = {
    "customer_id": ("customer", N_("This customer is blocked and cannot be booked.")),
    "discount.amount": ("discount", N_("Enter a discount of at most the price.")),
    "payment.amount": ("deposit", N_("Enter an amount of at most the price.")),
    "payment.method_id": ("method", N_("Choose a payment method.")),
    "start": ("time", N_("This time does not exist on this day, because the clocks change.")),
}
# %(time)s is the time that was chosen.
REASONS = {
    "past": N_("%(time)s has passed"),
    "outside_working_hours": N_("Nobody works at %(time)s who can do this"),
    "time_off": N_("Time off at %(time)s"),
    "booked": N_("%(time)s is taken"),
    "off_grid": N_("Bookings do not start at %(time)s"),
}


def form_errors(error: WireError) -> Errors:
    """What belongs to no field is said above the form."""
    found: Errors = {}
    for field, messages in (error.errors or {"": [error.message]}).items():
        line = _LINE.fullmatch(field)
        if line and line[2] in _LINES:
            name, message = _LINES[line[2]]
            found[f"{name}-{line[1]}"] = [message]
        elif field in _FIELDS:
            name, message = _FIELDS[field]
            found[name] = [message]
        else:
            found[field] = list(messages)
    return found


def reason_of(error: WireError) -> str:
    """Why a time cannot be booked, to be formatted with the time."""
    return REASONS.get(str((error.details or {}).get("reason")), REASONS["booked"])


def alternatives_of(error: WireError) -> list[tuple[datetime, str]]:
    """Local starts, each with the id of who performs the first service."""
    listed = (error.details or {}).get("alternatives", [])
    return [(datetime.fromisoformat(each["start"]), each["staff_id"]) for each in listed]
