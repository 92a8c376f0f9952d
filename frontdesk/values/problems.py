from frontdesk.problems import ProblemKind, kind


class BusyProblem(ProblemKind):
    """All turns of a kind of slow work are taken."""

    FILES_AND_REPORTS = kind(seconds=int)
    SIGN_INS = kind(seconds=int)
    BOOKING_PAGES = kind(seconds=int)
