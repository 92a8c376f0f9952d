from frontdesk.problems import ProblemKind, kind


class CustomDataProblem(ProblemKind):
    EXTERNAL_ID_TAKEN = kind()  # by another record of the same kind and application
    TOO_MANY_KEYS = kind(most=int)
