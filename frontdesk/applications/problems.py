from frontdesk.problems import ProblemKind, kind


class ApplicationProblem(ProblemKind):
    """Of what its developer writes."""

    NOT_A_LINK = kind()
    UNKNOWN_SCOPE = kind(scope=str)
    REASON_REQUIRED = kind()
    EVENTS_REQUIRED = kind()
    EVENT_NEEDS_SCOPE = kind(event=str, scope=str)
    TOO_MANY_METHODS = kind(most=int)
    TOO_MANY_REDIRECTS = kind(most=int)
    NOT_A_FULL_ADDRESS = kind(address=str)
    NOT_HTTPS = kind(address=str)
    HAS_OUR_PARAMETER = kind(address=str)
    NOT_EDITABLE = kind()


class ApplicationPictureProblem(ProblemKind):
    REQUIRED = kind()
    TOO_MANY = kind(most=int)
    TOO_LARGE = kind(kilobytes=int)
    NOT_A_PICTURE = kind()
    TOO_WIDE = kind(most=int)
    NOT_SQUARE = kind()


class ReviewProblem(ProblemKind):
    """Why an application cannot be submitted, withdrawn or decided about."""

    NO_DESCRIPTION = kind()
    NO_LINKS = kind()
    NO_SCOPES = kind()
    UNREADABLE_EVENTS = kind()
    NO_SIGNING_SECRET = kind()
    NOT_A_DRAFT = kind()
    NOT_SUBMITTED = kind()
    OTHER_STATUS = kind(status=str)
    REASON_REQUIRED = kind()
    VERSION_CHANGED = kind()


class InstallProblem(ProblemKind):
    INSTALLED = kind()
    NO_SIGNING_SECRET = kind()
    SCOPE_NOT_REQUESTED = kind(scope=str)
    SCOPE_NEEDED = kind()
    SCOPE_REQUIRED = kind()
    CODE_REJECTED = kind()
