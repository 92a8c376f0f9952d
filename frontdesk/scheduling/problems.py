"""Why a time cannot be held."""

from frontdesk.problems import ProblemKind, kind


class HoldProblem(ProblemKind):
    OF_CLIENT = kind()  # it holds as much as it may
    OF_PROVIDER = kind()  # as much of the provider's day is held as may be
    TOO_LONG = kind()
