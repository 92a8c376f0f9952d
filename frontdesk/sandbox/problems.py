from frontdesk.problems import ProblemKind, kind


class SandboxProblem(ProblemKind):
    NOT_A_SANDBOX = kind()
    NOT_DISTRIBUTED = kind()


class ClockProblem(ProblemKind):
    ONE_OF_BOTH = kind()
    NOT_A_DURATION = kind()
    BACKWARD = kind()
    TOO_FAR = kind(years=int)
