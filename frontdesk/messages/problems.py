from frontdesk.problems import ProblemKind, kind


class MessageProblem(ProblemKind):
    QUIET_TIME_IS_EMPTY = kind()
    QUIET_TIME_IS_HALF = kind()
    UNKNOWN_KIND = kind()
    UNKNOWN_PLACEHOLDER = kind(typed=str)
    NO_EMAIL = kind()
    TOO_MANY_OFFERS = kind(most=int)  # to one customer in a day
    TIME_IS_PAST = kind()
    TOO_FAR_AHEAD = kind()
    STAFF_DOES_NOT_PERFORM = kind()
