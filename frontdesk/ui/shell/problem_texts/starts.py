from collections.abc import Mapping

from frontdesk.availability.start_problems import StartProblem
from frontdesk.i18n.texts import N_
from frontdesk.problems import ProblemKind

# Why a start is not offered; `ui/components/start_reasons.py` writes the values.
START_TEXTS: Mapping[ProblemKind, str] = {
    StartProblem.NOT_FOR_SALE: N_("The service is not on sale"),
    StartProblem.CLOCK_CHANGE: N_("The clocks change: this time does not exist on this day"),
    StartProblem.PAST: N_("The time has passed"),
    StartProblem.TOO_SOON: N_("Too soon to book online, which is possible from %(earliest)s"),
    StartProblem.TOO_FAR: N_("Too far ahead to book online, which is possible until %(last_day)s"),
    StartProblem.NOT_PERFORMED: N_("Does not perform the service"),
    StartProblem.INACTIVE: N_("No longer works here"),
    StartProblem.OTHER_BRANCH: N_("Works in another branch"),
    StartProblem.BRANCH_INACTIVE: N_("The branch is no longer in use"),
    StartProblem.CLOSED_DAY: N_("Closed on %(day)s"),
    StartProblem.OTHER_HOURS: N_("Other hours on %(day)s: %(hours)s"),
    StartProblem.OUTSIDE_OPENING_HOURS: N_("Outside the opening hours: %(hours)s"),
    StartProblem.OUTSIDE_OWN_HOURS: N_("Outside their own hours: %(hours)s"),
    StartProblem.CROSSES_CLOSING: N_("Works until %(closes)s; %(minutes)s minutes are needed"),
    StartProblem.TOO_LONG: N_("Longer than a week"),
    StartProblem.TIME_OFF: N_("Time off %(start)s to %(end)s"),
    StartProblem.EXTERNAL_CALENDAR: N_("Busy in another calendar %(start)s to %(end)s"),
    StartProblem.BOOKED: N_("Booked %(start)s to %(end)s"),
    StartProblem.BUFFER: N_("Booked %(start)s to %(end)s, which is %(minutes)s minutes too near"),
    StartProblem.HELD: N_("Another customer is choosing %(start)s to %(end)s, until %(until)s"),
    StartProblem.BUSY: N_("Busy"),
    StartProblem.OFF_GRID: N_("Bookings start every %(minutes)s minutes: %(nearest)s"),
    StartProblem.NOBODY_FOLLOWS: N_("Nobody is free for the next service at %(start)s"),
}
