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
    NOT_SO_MUCH = kind()  # the same, to those who must not know the content
    REASON_REQUIRED = kind()
    OTHER_PIECES = kind()  # than the currency has
    UNKNOWN = kind()  # the branch has fewer drawers
    TOO_MANY = kind()
    NEEDS_SHIFTS = kind()  # more than one drawer


class ShiftProblem(ProblemKind):
    """Of the shift of a cashier."""

    OPEN = kind()  # at this branch, so no second one is opened
    CLOSED = kind()
    NOT_CLOSED = kind()
    DAY_CLOSED = kind()
    FOLLOWED = kind()  # by another session of its drawer or its cashier
    REASON_REQUIRED = kind()


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
    SHIFTS_OPEN = kind(names=str)
    IS_REOPENED = kind()
    NOT_LAST = kind()
    TOO_OLD_TO_REOPEN = kind()
    DRAWER_OPENED = kind()
    REASON_REQUIRED = kind()
