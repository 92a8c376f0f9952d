from frontdesk.problems import ProblemKind, kind


class ThrottleProblem(ProblemKind):
    """Too many, so the caller has to wait."""

    ATTEMPTS = kind(seconds=int)
    FAILURES = kind(seconds=int)
    FAILURES_OF_CLIENT = kind(seconds=int)
    TOKENS = kind(seconds=int)
    RECEIPTS_OF_USER = kind(seconds=int)
    MAILS_OF_RECEIPT = kind(seconds=int)
    MAILS = kind()  # to one address


class LinkProblem(ProblemKind):
    """A link that works once, or for some time, and no longer does."""

    INVITATION = kind()
    SIGN_UP = kind()
    PASSWORD_RESET = kind()
    EMAIL_VERIFICATION = kind()


class AccountProblem(ProblemKind):
    NAME_REQUIRED = kind()
    NAME_TOO_LONG = kind(most=int)
    EMAIL_TAKEN = kind()
    EMAIL_KNOWN = kind()  # there is an account, which the form may say
    EMAIL_VERIFIED_BY_OTHER = kind()
    EMAIL_NOT_VERIFIED = kind()
    EMAIL_VERIFIED = kind()
    SAME_EMAIL = kind()
    PASSWORD_TOO_SHORT = kind(least=int)
    PASSWORD_TOO_LONG = kind(most=int)
    PASSWORD_TOO_EASY = kind()
    PASSWORD_LEAKED = kind()
    PASSWORD_PERSONAL = kind()
    NOT_YOUR_PASSWORD = kind()
    NOT_PASSWORD_OF_ACCOUNT = kind()
    CODE_REQUIRED = kind()
    IS_DEVELOPER = kind()


class SignInProblem(ProblemKind):
    WRONG_CREDENTIALS = kind()
    OVER = kind()  # it took too long, or failed too often
    PASSKEY_REFUSED = kind()
    UNREADABLE_PASSKEY = kind()


class FactorProblem(ProblemKind):
    """Of second factors."""

    SET_UP_TOO_LATE = kind()
    WRONG_FIRST_CODE = kind()
    APP_EXISTS = kind()
    PASSKEY_EXISTS = kind()
    TOO_MANY = kind(most=int)
    OPERATOR_NEEDS_ONE = kind()
    NONE = kind()
    WRONG_CODE = kind()


class PinProblem(ProblemKind):
    """Of the PIN with which an owner or a manager allows an act of another person."""

    NOT_DIGITS = kind(least=int, most=int)
    TOO_EASY = kind()
    NO_APPROVER = kind()
    MISSING = kind()
    WRONG = kind(left=int)
    PAUSED = kind(minutes=int)
    LOCKED = kind()


class MemberProblem(ProblemKind):
    IS_MEMBER = kind()
    OTHER_EMAIL_INVITED = kind()
    WITHDRAWN_BY_OWNER = kind()
    MANAGED_BY_OWNER = kind()
    LAST_OWNER = kind()


class OperatorProblem(ProblemKind):
    DISABLED = kind()
    EMAIL_NOT_VERIFIED = kind()
    LAST_ONE = kind()


class BudgetProblem(ProblemKind):
    """Of what an API client may read in a day."""

    USED_UP = kind(scope=str, allowed=int, used=int, records=int, seconds=int)


class ClientProblem(ProblemKind):
    WRONG_CREDENTIALS = kind()
    UNKNOWN_SCOPE = kind(scope=str)
    SCOPE_REQUIRED = kind()
    SCOPES_NOT_APPROVED = kind(scopes=list)
    EXPIRES_IN_PAST = kind()
    UNKNOWN_BRANCH = kind()
