"""Words of the calendar."""

from frontdesk.i18n.texts import N_

# Why a provider does not work. A text that is not here was written by the business and is shown as it is.
REASONS = {
    "": "",
    "break": N_("Break"),
    "closed": N_("Branch closed"),
    "day_off": N_("Day off"),
    "time_off": N_("Time off"),
    "outside": N_("Busy (other calendar)"),
    "left": N_("Does not work here any more"),
    "starts": N_("Starts %(time)s"),
    "ends": N_("Ends %(time)s"),
}
VIEWS = {"day": N_("Day"), "week": N_("Week"), "month": N_("Month")}
