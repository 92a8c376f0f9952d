"""Why a customer on the waiting list cannot be given a time, in words."""

from frontdesk.i18n.texts import N_
from frontdesk.waiting_list.fit import Problem

# %(name)s is the provider, or "anyone".
PROBLEMS: dict[Problem, str] = {
    "past": N_("The days have passed"),
    "over": N_("The day is over"),
    "outside_working_hours": N_("Nothing free: no working hours then (%(name)s)"),
    "time_off": N_("Nothing free: time off (%(name)s)"),
    "booked": N_("Nothing free: all booked (%(name)s)"),
    "off_grid": N_("Nothing free: all booked (%(name)s)"),
    "off_sale": N_("The service is not on sale"),
    "nobody": N_("Nobody performs the service any more"),
    "later": N_("Too far ahead to search"),
}
