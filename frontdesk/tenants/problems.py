from frontdesk.problems import ProblemKind, kind


class QuotaProblem(ProblemKind):
    """The plan allows no more. Each is named like its quota."""

    API_CLIENTS = kind(limit=int, used=int)
    API_KEYS = kind(limit=int, used=int)
    WEBHOOKS = kind(limit=int, used=int)
    MEMBERS = kind(limit=int, used=int)
    PENDING_INVITATIONS = kind(limit=int, used=int)
    IMPORTS = kind(limit=int, used=int)
    MESSAGES = kind(limit=int, used=int)


class BusinessProblem(ProblemKind):
    NAME_REQUIRED = kind()
    NAME_TOO_LONG = kind(most=int)
    SLUG_TAKEN = kind()
    WRONG_SLUG = kind()
    TOO_MANY_SLUGS = kind()
    UNKNOWN_COUNTRY = kind()
    UNKNOWN_TIMEZONE = kind(name=str)
    UNKNOWN_CURRENCY = kind(code=str)
    WRONG_LANGUAGES = kind()
    TIMES_WOULD_MOVE = kind()
    CURRENCY_BY_OWNER = kind()
    CURRENCY_HAS_SALES = kind()
    CURRENCY_HAS_FEWER_DECIMALS = kind()
    NOTICE_TOO_LONG = kind()
    NOT_A_COLOUR = kind()
    WRONG_REASON = kind(most=int)
    UNKNOWN_REASON = kind(reasons=list)  # why a booking is canceled
    OTHER_NAME_TYPED = kind()
    SUSPENDED = kind()
    NO_OPEN_API = kind()


class TaxClassProblem(ProblemKind):
    NAME_REQUIRED = kind()
    NAME_TAKEN = kind()
    WRONG_RATE = kind()
    WRONG_DAYS = kind()
    TOO_MANY = kind(most=int)
    NEEDS_A_DEFAULT = kind()
    IS_DEFAULT = kind()
    IN_USE = kind()


class BranchProblem(ProblemKind):
    NAME_TAKEN = kind()
    SLUG_TAKEN = kind(name=str)
    ONLY_ACTIVE_ONE = kind()
