from datetime import time

from frontdesk.problems import ProblemKind, kind


class StaffProblem(ProblemKind):
    UNKNOWN_BRANCH = kind()
    UNKNOWN_USER = kind()
    UPCOMING_IN_OTHER_BRANCH = kind()
    HAS_UPCOMING_BOOKINGS = kind()
    NOT_AN_AMOUNT = kind()
    OTHER_SERVICES = kind()  # than those of the branch
    SERVICES_TWICE = kind()  # in two forms that may differ


class HoursProblem(ProblemKind):
    OVERLAP = kind(start=time, end=time, other_start=time, other_end=time)
    BRANCH_CLOSED = kind()
    DAY_TAKEN = kind()  # by other hours
    TOO_MANY_DAYS = kind(most=int)
    ENDS_BEFORE_START = kind()
