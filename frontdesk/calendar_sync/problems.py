from frontdesk.problems import ProblemKind, kind


class FeedProblem(ProblemKind):
    READ_TOO_OFTEN = kind(seconds=int)


class ExternalCalendarProblem(ProblemKind):
    NOT_AN_ADDRESS = kind()


class FetchProblem(ProblemKind):
    """Why a calendar elsewhere could not be read. It is stored with the calendar."""

    ANSWERS_STATUS = kind(status=int)
    NO_ANSWER = kind()
    NO_CALENDAR = kind()
    NOT_DECRYPTED = kind()
    NOT_ENCRYPTED = kind()
    TOO_MANY_REDIRECTS = kind()
    UNUSABLE = kind()
    TOO_LARGE = kind()
    NOT_PUBLIC = kind()
