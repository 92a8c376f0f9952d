from frontdesk.problems import ProblemKind, kind


class EmailProblem(ProblemKind):
    TOO_LONG = kind(most=int)
    NOT_AN_ADDRESS = kind()
    NO_DOMAIN = kind()
    NO_MAIL = kind()  # its domain does not receive any
