from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from frontdesk.problems import ProblemKind, kind


class Alternative(NamedTuple):
    """A start that is free for the whole order, and who performs its first service."""

    start: datetime  # local
    staff_id: UUID


class TimeProblem(ProblemKind):
    """Why a time cannot be booked. The first five are named like the reasons of `slots`."""

    PAST = kind(alternatives=list)
    OUTSIDE_WORKING_HOURS = kind(alternatives=list)
    TIME_OFF = kind(alternatives=list)
    BOOKED = kind(alternatives=list)
    OFF_GRID = kind(alternatives=list)
    BOOKED_SINCE_CANCELED = kind(alternatives=list)
    BRANCH_CLOSED = kind(alternatives=list)


class AvailabilityProblem(ProblemKind):
    CHECK_FAILED = kind()  # of the database: nothing was written, so the request can be retried
    UNKNOWN_SERVICE = kind()
    SERVICE_NOT_FOR_SALE = kind()
    UNKNOWN_OPTION = kind()
    OPTION_NOT_FOR_SALE = kind()
    OPTION_REQUIRED = kind()
    UNKNOWN_STAFF = kind()
    STAFF_DOES_NOT_PERFORM = kind()
