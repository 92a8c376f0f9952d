from frontdesk.problems import ProblemKind, kind


class BusyProblem(ProblemKind):
    """All turns of a kind of slow work are taken."""

    FILES_AND_REPORTS = kind(seconds=int)
    SIGN_INS = kind(seconds=int)
    BOOKING_PAGES = kind(seconds=int)


class PhoneProblem(ProblemKind):
    NOT_A_NUMBER = kind(region=str)
    NO_SUCH_REGION = kind()
    TOO_LONG = kind()
    OTHER_CHARACTERS = kind()
    REQUIRED_WITH_REGION = kind()
    REGION_REQUIRED = kind()
