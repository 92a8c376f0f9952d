from collections.abc import Mapping

from frontdesk.apis.problem_answers.answer import Answer
from frontdesk.availability.start_problems import StartProblem
from frontdesk.problems import ProblemKind

# Reasons of `POST /availability/explain`. They are published with their code, and are no errors.
START_ANSWERS: Mapping[ProblemKind, Answer] = {
    StartProblem.NOT_FOR_SALE: Answer("The service is not on sale."),
    StartProblem.CLOCK_CHANGE: Answer("A change of the clocks skips this time."),
    StartProblem.PAST: Answer("The start is in the past."),
    StartProblem.TOO_SOON: Answer("Customers book at least {notice} hours ahead."),
    StartProblem.TOO_FAR: Answer("Customers book until {last_day}."),
    StartProblem.NOT_PERFORMED: Answer("The staff member does not perform this service."),
    StartProblem.INACTIVE: Answer("The staff member no longer works here."),
    StartProblem.OTHER_BRANCH: Answer("The staff member works in another branch."),
    StartProblem.BRANCH_INACTIVE: Answer("The branch is no longer in use."),
    StartProblem.CLOSED_DAY: Answer("The branch is closed on {day}."),
    StartProblem.OTHER_HOURS: Answer("There are other hours on {day}."),
    StartProblem.OUTSIDE_OPENING_HOURS: Answer("The start is outside the opening hours."),
    StartProblem.OUTSIDE_OWN_HOURS: Answer("The start is outside the hours of the staff member."),
    StartProblem.CROSSES_CLOSING: Answer("The hours end at {closes}, before {minutes} minutes are over."),
    StartProblem.TOO_LONG: Answer("The appointment takes {minutes} minutes; at most {most} can be booked."),
    StartProblem.TIME_OFF: Answer("The staff member has time off from {start} to {end}."),
    StartProblem.EXTERNAL_CALENDAR: Answer("Another calendar of the staff member is busy from {start} to {end}."),
    StartProblem.BOOKED: Answer("The staff member is booked from {start} to {end}."),
    StartProblem.BUFFER: Answer("A booking from {start} to {end} is {minutes} minutes too near."),
    StartProblem.HELD: Answer("The time from {start} to {end} is on hold for another booking."),
    StartProblem.BUSY: Answer("The staff member is busy."),
    StartProblem.OFF_GRID: Answer("Appointments start every {minutes} minutes."),
    StartProblem.NOBODY_FOLLOWS: Answer("Nobody is free for the next service at {start}."),
}
