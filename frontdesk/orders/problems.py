"""Why an order cannot be created, changed, paid or refunded."""

from decimal import Decimal
from uuid import UUID

from frontdesk.problems import ProblemKind, kind


class PriceProblem(ProblemKind):
    NEGATIVE = kind()
    BELOW_ONE = kind()
    NOT_AN_AMOUNT = kind()
    DISCOUNT_ABOVE_LINE = kind()
    PERCENTAGE_ABOVE_100 = kind()
    TOO_LARGE = kind()
    MORE_THAN_LEFT = kind()
    TOTALS_DIFFER = kind(sub_total=Decimal, discount_amount=Decimal, total=Decimal, lines=list)  # from the client's
    TOTAL_CHANGED = kind(total=Decimal)  # since the customer saw it
    DISCOUNT_BY_MANAGERS = kind(percent=int)


class OrderProblem(ProblemKind):
    """Of what an order refers to."""

    UNKNOWN_BRANCH = kind()
    UNKNOWN_CUSTOMER = kind()
    CUSTOMER_BLOCKED = kind()
    UNKNOWN_ITEM = kind(type=str)
    OTHER_BRANCH = kind()
    NOT_FOR_SALE = kind()
    OPTIONS_NOT_DISTINCT = kind()
    UNKNOWN_OPTION = kind()
    OPTION_NOT_FOR_SALE = kind()
    SEVERAL_OPTIONS = kind()
    OPTION_REQUIRED = kind()
    UNKNOWN_STAFF = kind()
    STAFF_DOES_NOT_PERFORM = kind()
    OUT_OF_STOCK = kind()
    OPTION_OUT_OF_STOCK = kind()
    START_REQUIRED = kind()
    START_IN_PAST = kind()
    BRANCH_CLOSED = kind()
    NEW_DRAFT_WITH_PAYMENTS = kind()
    DRAFT_WITH_PAYMENTS = kind()
    NOT_A_DRAFT = kind()
    UNKNOWN_SERVICE_LINE = kind()
    UNKNOWN_LINE = kind()
    NEEDS_OTHER_STAFF = kind(line_id=UUID)


class PaymentProblem(ProblemKind):
    OF_DRAFT = kind()
    OF_CANCELED = kind()
    TOO_MANY_DECIMALS = kind(most=int, remaining=Decimal)
    NOT_POSITIVE = kind(remaining=Decimal)
    ABOVE_REMAINING = kind(remaining=Decimal)
    TENDERED_BELOW_AMOUNT = kind()
    TOO_FAR_AHEAD = kind(hours=int)


class StatusProblem(ProblemKind):
    HAS_INVOICE = kind()
    IS_REFUND = kind()
    HAS_REFUNDS = kind()
    REFUNDED_AND_CANCELED = kind()
    CREDITED_AND_CANCELED = kind()
    CUSTOMER_BLOCKED = kind()
    ITEMS_NOT_FOR_SALE = kind()
    NO_LONGER_IN_STOCK = kind()
    NOT_IN_STOCK = kind()
    NOT_BEGUN = kind()  # so nobody has failed to come
    NO_APPOINTMENT_TO_GIVE_UP = kind()
    ALREADY_COMPLETED = kind()
    ALREADY_CANCELED = kind()
    NEEDS_CONFIRMATION = kind()
    NOT_AN_APPOINTMENT = kind()  # that is confirmed
    NO_APPOINTMENT = kind()
    NOT_TODAY = kind()


class RescheduleProblem(ProblemKind):
    DRAFT = kind()
    CANCELED = kind()
    COMPLETED = kind()
    NO_APPOINTMENT = kind()


class InvoiceProblem(ProblemKind):
    EXISTS = kind()
    NOT_POSSIBLE = kind()  # of a draft, a canceled order or a refund


class RefundProblem(ProblemKind):
    OF_DRAFT = kind()
    OF_REFUND = kind()
    LINES_AND_AMOUNT = kind()
    RESTOCK_WITHOUT_LINES = kind()
    NOTHING_TO_CANCEL = kind()
    ABOVE_LINE = kind(left=int)
    TOO_MANY_DECIMALS = kind(most=int, remaining=Decimal)
    NOTHING_LEFT = kind(remaining=Decimal)
    NOT_POSITIVE = kind(remaining=Decimal)
    ABOVE_REMAINING = kind(remaining=Decimal)
    LINES_NOTHING_LEFT = kind(remaining=Decimal)
    LINES_ABOVE_REMAINING = kind(remaining=Decimal)


class EditProblem(ProblemKind):
    """Why the lines of an order cannot change."""

    IS_REFUND = kind()
    IS_DRAFT = kind()
    IS_CANCELED = kind()
    HAS_INVOICE = kind()
    HAS_REFUNDS = kind()
    NO_LINES = kind()
    LINE_TWICE = kind()
    PAID_MORE = kind(paid=Decimal, total=Decimal)
    NEEDS_MANAGER = kind()
    TOTAL_CHANGED = kind()
    NO_APPOINTMENT = kind()


class TillProblem(ProblemKind):
    """Of the sales at the counter."""

    NO_PAYMENT = kind()
    DISCOUNT_ABOVE_TOTAL = kind()
    PRICES_CHANGED = kind()
    PAID_MEANWHILE = kind()
    DUE_CHANGED = kind()
    TOO_HIGH = kind(most=Decimal)
    TENDERED_TOO_LOW = kind()
    PAYMENTS_TOO_HIGH = kind(over=Decimal)
    PAYMENTS_TOO_LOW = kind(left=Decimal)
    ALREADY_SOLD = kind()
    UNKNOWN_TIP_RECEIVER = kind()
    NO_REFUND_METHOD = kind()
    PRICE_BY_MANAGERS = kind()
    RETURN_BY_MANAGERS = kind()
    NOT_LAST_SALE = kind()
    TOO_LATE_TO_VOID = kind(minutes=int)
    VOID_WITH_TIP = kind()
    ABOVE_ACCOUNT_LIMIT = kind()
    EXCHANGE_ON_ACCOUNT = kind()
    PART_WITHOUT_METHOD = kind()
    GIVEN_WITHOUT_CASH = kind()
    CANCEL_BY_MANAGERS = kind()  # of what is on account


class BookingProblem(ProblemKind):
    """Of bookings at the desk, on the calendar, and by the customers themselves."""

    ENDS_BEFORE_FIRST = kind()
    TOO_MANY_TIMES = kind(most=int)
    SERIES_TOO_LONG = kind()
    CHANGED_SINCE_MOVE = kind()
    HOURS_CHANGED_SINCE = kind()
    WRONG_DURATION = kind(least=int, most=int, step=int)
    BY_PHONE_ONLY = kind()
    BEGUN = kind()
    CANCELED = kind()
    TOO_LATE = kind()
    NOT_BOOKABLE = kind()  # too soon, or too far ahead


class ViewProblem(ProblemKind):
    """Of the saved filters of the list of orders."""

    NAME_REQUIRED = kind()
    NAME_TAKEN = kind()
    TOO_MANY = kind(most=int)
