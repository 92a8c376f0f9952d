from frontdesk.problems import ProblemKind, kind


class OutsideCalendarProblem(ProblemKind):
    NOT_AN_ADDRESS = kind()
