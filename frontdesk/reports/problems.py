from frontdesk.problems import ProblemKind, kind


class RateProblem(ProblemKind):
    """Of commission rates."""

    DAY_TAKEN = kind()
    UNKNOWN_STAFF = kind()
    UNKNOWN_ITEM = kind()
    TOO_MANY = kind(most=int)
    WRONG_RATE = kind()
