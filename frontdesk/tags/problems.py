from frontdesk.problems import ProblemKind, kind


class TagProblem(ProblemKind):
    EXISTS = kind()
