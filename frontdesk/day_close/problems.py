from decimal import Decimal

from frontdesk.problems import ProblemKind, kind


class DrawerProblem(ProblemKind):
    OPEN = kind()
    NOT_OPEN = kind()
    FLOAT_DIFFERS = kind()  # from what was left, without a reason
    NOT_AN_AMOUNT = kind()
    TOO_HIGH = kind(most=Decimal)
    NOTHING = kind()
    ABOVE_CONTENT = kind(expected=Decimal)
    REASON_REQUIRED = kind()
    OTHER_PIECES = kind()  # than the currency has


class CloseProblem(ProblemKind):
    """Of the close of a day, and of its count."""

    UNKNOWN_BRANCH = kind()
    IN_FUTURE = kind()
    TOO_OLD_TO_CLOSE = kind()
    DRAWER_CHANGED = kind(expected=Decimal)
    NOT_COUNTED = kind()
    LEFT_ABOVE_COUNTED = kind()
    OTHER_ROWS = kind()
    HANDED_OVER_DIFFERS = kind(total=Decimal)
    NOTE_REQUIRED = kind()
    IS_REOPENED = kind()
    NOT_LAST = kind()
    TOO_OLD_TO_REOPEN = kind()
    DRAWER_OPENED = kind()
    REASON_REQUIRED = kind()
