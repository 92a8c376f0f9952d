from frontdesk.problems import ProblemKind, kind


class EmailProblem(ProblemKind):
    TOO_LONG = kind(most=int)
    NOT_AN_ADDRESS = kind()
    NO_DOMAIN = kind()
    NO_MAIL = kind()  # its domain does not receive any


class UrlProblem(ProblemKind):
    TOO_LONG = kind(most=int)
    UNSENDABLE = kind()  # spaces, backslashes or control characters
    NOT_A_URL = kind()
    OTHER_SCHEME = kind()
    HAS_CREDENTIALS = kind()
    HAS_FRAGMENT = kind()
    WRONG_HOST = kind()
    WRONG_IPV6 = kind()
    WRONG_IPV4 = kind()
    WRONG_PORT = kind()
    WRONG_PATH = kind()
    PRIVATE_HOST = kind()
    MULTICAST_HOST = kind()
