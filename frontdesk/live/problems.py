from frontdesk.problems import ProblemKind, kind


class LiveProblem(ProblemKind):
    TOO_MANY_OF_USER = kind(seconds=int)
    TOO_MANY_OF_TENANT = kind(seconds=int)
    TOO_MANY = kind(seconds=int)
