from frontdesk.problems import ProblemKind, kind


class FeedProblem(ProblemKind):
    READ_TOO_OFTEN = kind(seconds=int)


class OutsideCalendarProblem(ProblemKind):
    NOT_AN_ADDRESS = kind()
