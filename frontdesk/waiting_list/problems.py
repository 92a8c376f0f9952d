from frontdesk.problems import ProblemKind, kind


class WaitingProblem(ProblemKind):
    UNKNOWN_CUSTOMER = kind()
    CUSTOMER_BLOCKED = kind()
    UNKNOWN_SERVICE = kind()
    STAFF_DOES_NOT_PERFORM = kind()
    PAST = kind()
    TOO_FAR_AHEAD = kind()
    WAITS_ALREADY = kind()
    ENDS_BEFORE_FIRST = kind()
    TOO_MANY_DAYS = kind()
