from frontdesk.problems import ProblemKind, kind


class SandboxProblem(ProblemKind):
    NOT_A_SANDBOX = kind()
    NOT_DISTRIBUTED = kind()


class ClockProblem(ProblemKind):
    ONE_OF_BOTH = kind()
    NOT_A_DURATION = kind()
    BACKWARD = kind()
    TOO_FAR = kind(years=int)


class FaultProblem(ProblemKind):
    NO_ERROR = kind()
    WRONG_STATUS = kind(status=int)
    NOT_ANSWERED = kind(route=str, possible=list)
    NOT_AN_OPERATION = kind(nearest=str)
    NOT_AN_EVENT = kind(nearest=str)
    NOT_OF_TOKENS = kind(kinds=list)
    HAS_NO_SECONDS = kind()
    TOO_SLOW = kind(most=int)
    TOO_MANY = kind(most=int)


class SnapshotProblem(ProblemKind):
    TOO_MANY = kind(most=int)
    TOO_LARGE = kind(most=int)
