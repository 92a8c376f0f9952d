"""Why a booking is refused, at the fields of its form and at the time that was chosen."""

from collections.abc import Mapping, Sequence

from frontdesk.availability.problems import TimeProblem
from frontdesk.i18n.texts import N_
from frontdesk.problems import Problem, ProblemKind, Problems
from frontdesk.ui.shell.context import PageContext

FIELDS = {
    "lines.#.item_id": "service-#",
    "lines.#.staff_id": "provider-#",
    "lines.#.option_id": "option-#",
    "lines.#.unit_amount": "price-#",
    "customer_id": "customer",
    "discount": "discount",
    "payments.#.amount": "deposit",
    "start": "time",
}
BOOKED = (TimeProblem.BOOKED, TimeProblem.BOOKED_SINCE_CANCELED)
# %(time)s is the time that was chosen.
REASONS: Mapping[ProblemKind, str] = {
    TimeProblem.PAST: N_("%(time)s has passed"),
    TimeProblem.OUTSIDE_WORKING_HOURS: N_("Nobody works at %(time)s who can do this"),
    TimeProblem.TIME_OFF: N_("Time off at %(time)s"),
    TimeProblem.OFF_GRID: N_("Bookings do not start at %(time)s"),
}
_TAKEN = N_("%(time)s is taken")


def is_taken(problem: Problem) -> bool:
    return isinstance(problem.kind, TimeProblem)


def form_errors(context: PageContext, problems: Sequence[Problem]) -> Mapping[str, Sequence[str]]:
    """What belongs to no field is said above the form."""
    if not problems:
        return {}
    error = context.error(Problems(problems), FIELDS)
    return error.errors or {"": [error.message]}


def reason_of(problem: Problem) -> str:
    """Why a time cannot be booked, to be formatted with the time."""
    return REASONS.get(problem.kind, _TAKEN)
