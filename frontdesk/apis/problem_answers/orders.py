from collections.abc import Callable, Mapping

from frontdesk.apis.problem_answers.answer import Answer, Values, named
from frontdesk.availability.problems import AvailabilityProblem, TimeProblem
from frontdesk.http.errors import Code
from frontdesk.orders.problems import (
    InvoiceProblem,
    OrderProblem,
    PaymentProblem,
    PriceProblem,
    RefundProblem,
    RescheduleProblem,
    StatusProblem,
    TillProblem,
)
from frontdesk.payments.problems import MethodProblem, PaymentSettingsProblem
from frontdesk.problems import ProblemKind
from frontdesk.scheduling.problems import HoldProblem
from frontdesk.tenants.problems import BusinessProblem

_OPTION_REQUIRED = Answer("is required: this item is sold with an option")
_NOT_FOR_SALE = Answer("is not available for sale")
_UNKNOWN_STAFF = Answer("is not a staff member of this business")


def _taken(text: str, reason: str) -> Answer:
    def details(values: Values) -> Values:
        return {"reason": reason, "alternatives": values["alternatives"]}

    return Answer(text, Code.TIMESLOT_UNAVAILABLE, details)


def _not_reschedulable(text: str, reason: str) -> Answer:
    return Answer(text, Code.ORDER_NOT_RESCHEDULABLE, _reason(reason))


def _not_held(text: str, reason: str) -> Answer:
    return Answer(text, Code.HOLD_LIMIT_REACHED, _reason(reason))


def _reason(reason: str) -> Callable[[Values], Values]:
    return lambda _: {"reason": reason}


def _with_remaining(text: str) -> Answer:
    return Answer(text, details=named("remaining"))


def _no_transition(text: str) -> Answer:
    return Answer(text, Code.INVALID_STATUS_TRANSITION)


ORDER_ANSWERS: Mapping[ProblemKind, Answer] = {
    TimeProblem.PAST: _taken("The requested time is in the past.", "past"),
    TimeProblem.OUTSIDE_WORKING_HOURS: _taken(
        "No staff member who performs this service works at the requested time.", "outside_working_hours"
    ),
    TimeProblem.TIME_OFF: _taken("The staff member has time off at the requested time.", "time_off"),
    TimeProblem.BOOKED: _taken("The requested time is already booked.", "booked"),
    TimeProblem.OFF_GRID: _taken("Appointments cannot start at this minute.", "off_grid"),
    TimeProblem.BRANCH_CLOSED: _taken("The branch is closed on that day.", "outside_working_hours"),
    TimeProblem.BOOKED_SINCE_CANCELED: _taken(
        "The time slot was booked by another order after this order was canceled.", "booked"
    ),
    AvailabilityProblem.CHECK_FAILED: Answer(
        "Availability could not be checked. Nothing was changed. Try again.",
        Code.AVAILABILITY_CHECK_FAILED,
        headers={"retry-after": "1"},
    ),
    AvailabilityProblem.UNKNOWN_SERVICE: Answer("is not a service of this business"),
    AvailabilityProblem.SERVICE_NOT_FOR_SALE: _NOT_FOR_SALE,
    AvailabilityProblem.UNKNOWN_OPTION: Answer("is not an option of this service"),
    AvailabilityProblem.OPTION_NOT_FOR_SALE: _NOT_FOR_SALE,
    AvailabilityProblem.OPTION_REQUIRED: _OPTION_REQUIRED,
    AvailabilityProblem.UNKNOWN_STAFF: _UNKNOWN_STAFF,
    AvailabilityProblem.STAFF_DOES_NOT_PERFORM: Answer("does not perform this service"),
    HoldProblem.OF_CLIENT: _not_held("This client holds as many time slots as it may.", "client"),
    HoldProblem.OF_PROVIDER: _not_held("As much of the staff member's day is held as may be.", "staff_day"),
    HoldProblem.TOO_LONG: _not_held("Appointments of more than four hours are not held.", "duration"),
    MethodProblem.REQUIRED: Answer(
        "The payment has no payment method. Send payment_method_id or payment_method_type.",
        Code.PAYMENT_METHOD_REQUIRED,
    ),
    MethodProblem.UNKNOWN: Answer("The business has no such active payment method.", Code.PAYMENT_METHOD_NOT_FOUND),
    MethodProblem.UNAVAILABLE: Answer(
        "The application that provides this payment method is no longer installed.", Code.PAYMENT_METHOD_UNAVAILABLE
    ),
    MethodProblem.AMBIGUOUS: Answer(
        "Several active payment methods have this type. Send payment_method_id instead.",
        Code.PAYMENT_METHOD_TYPE_AMBIGUOUS,
        named("payment_method_ids"),
    ),
    PaymentSettingsProblem.NAME_TAKEN: Answer("is the name of another payment method"),
    PaymentSettingsProblem.NAME_REQUIRED: Answer("must have a text in one language"),
    PaymentSettingsProblem.NAME_TOO_LONG: Answer("must have at most {most} characters"),
    PaymentSettingsProblem.NAMED_BY_APPLICATION: Answer("is the name that an application gives it"),
    PaymentSettingsProblem.APPLICATION_GONE: Answer("The application of this payment method is no longer installed."),
    PaymentSettingsProblem.OF_APPLICATION: Answer("The payment method of an application cannot be deleted."),
    PaymentSettingsProblem.HAS_PAYMENTS: Answer("The payment method has payments. Set its status to false instead."),
    PriceProblem.NEGATIVE: Answer("must not be negative"),
    PriceProblem.BELOW_ONE: Answer("must be at least 1"),
    PriceProblem.NOT_AN_AMOUNT: Answer("has more decimals than the currency"),
    PriceProblem.DISCOUNT_ABOVE_LINE: Answer("must not exceed the amount of the line"),
    PriceProblem.PERCENTAGE_ABOVE_100: Answer("must not exceed 100"),
    PriceProblem.TOO_LARGE: Answer("makes the amount too large"),
    PriceProblem.MORE_THAN_LEFT: Answer("must not exceed the rest of the line"),
    PriceProblem.TOTALS_DIFFER: Answer(
        "The totals differ from those calculated by the service. The expected total is {total}.",
        Code.TOTAL_MISMATCH,
        lambda values: {"expected": values},
    ),
    OrderProblem.UNKNOWN_BRANCH: Answer("is not a branch of this business"),
    OrderProblem.UNKNOWN_CUSTOMER: Answer("is not a customer of this business"),
    OrderProblem.CUSTOMER_BLOCKED: Answer("is blocked by the business"),
    OrderProblem.UNKNOWN_ITEM: Answer("is not a {type} of this business"),
    OrderProblem.OTHER_BRANCH: Answer("belongs to another branch"),
    OrderProblem.NOT_FOR_SALE: _NOT_FOR_SALE,
    OrderProblem.OPTIONS_NOT_DISTINCT: Answer("must list distinct options of this item"),
    OrderProblem.UNKNOWN_OPTION: Answer("is not an option of this item"),
    OrderProblem.OPTION_NOT_FOR_SALE: _NOT_FOR_SALE,
    OrderProblem.SEVERAL_OPTIONS: Answer("must be one option"),
    OrderProblem.OPTION_REQUIRED: _OPTION_REQUIRED,
    OrderProblem.UNKNOWN_STAFF: _UNKNOWN_STAFF,
    OrderProblem.STAFF_DOES_NOT_PERFORM: Answer("does not perform this service in this branch"),
    OrderProblem.OUT_OF_STOCK: Answer("exceeds the quantity in stock"),
    OrderProblem.OPTION_OUT_OF_STOCK: Answer("exceeds the quantity in stock of this option"),
    OrderProblem.START_REQUIRED: Answer("is required when an item is a service"),
    OrderProblem.START_IN_PAST: Answer("must not be in the past"),
    OrderProblem.BRANCH_CLOSED: Answer("is on a day on which the branch is closed"),
    OrderProblem.NEW_DRAFT_WITH_PAYMENTS: Answer(
        "A draft takes no payments. Create the order instead, or omit the payments.", Code.ORDER_IS_DRAFT
    ),
    OrderProblem.DRAFT_WITH_PAYMENTS: Answer("A draft takes no payments. Confirm it first.", Code.ORDER_IS_DRAFT),
    OrderProblem.NOT_A_DRAFT: Answer("is no longer draft, so the order cannot be changed"),
    OrderProblem.UNKNOWN_SERVICE_LINE: Answer("is not a service line of this order"),
    OrderProblem.UNKNOWN_LINE: Answer("is not a line of this order"),
    PaymentProblem.OF_DRAFT: Answer(
        "The order is a draft. Confirm it before you record a payment.", Code.ORDER_IS_DRAFT
    ),
    PaymentProblem.OF_CANCELED: Answer("The order is canceled and takes no payments.", Code.ORDER_CANCELED),
    PaymentProblem.TOO_MANY_DECIMALS: _with_remaining("must have at most {most} decimals"),
    PaymentProblem.NOT_POSITIVE: _with_remaining("must be more than 0"),
    PaymentProblem.ABOVE_REMAINING: _with_remaining("must not exceed the remaining amount of {remaining}"),
    PaymentProblem.TENDERED_BELOW_AMOUNT: Answer("must be at least the amount"),
    PaymentProblem.TOO_FAR_AHEAD: Answer("must not be more than {hours} hours ahead"),
    StatusProblem.HAS_INVOICE: Answer(
        "The order has an invoice. "
        "Cancel it with POST /orders/{{uuid}}/cancel, a refund with cancel_order, or in the dashboard.",
        Code.ORDER_HAS_INVOICE,
    ),
    StatusProblem.IS_REFUND: _no_transition("The order is a refund and keeps its status."),
    StatusProblem.HAS_REFUNDS: _no_transition(
        "The order has refunds. "
        "Cancel it with POST /orders/{{uuid}}/cancel, a refund with cancel_order, or in the dashboard."
    ),
    StatusProblem.REFUNDED_AND_CANCELED: _no_transition(
        "The order was canceled and refunded. Create a new order instead."
    ),
    StatusProblem.CREDITED_AND_CANCELED: _no_transition(
        "The order was canceled and its invoice credited. Create a new order instead."
    ),
    StatusProblem.CUSTOMER_BLOCKED: Answer("requires a customer who is not blocked"),
    StatusProblem.ITEMS_NOT_FOR_SALE: Answer("requires items that are for sale"),
    StatusProblem.NO_LONGER_IN_STOCK: Answer("requires products that are no longer in stock"),
    StatusProblem.NOT_IN_STOCK: Answer("requires products that are not in stock"),
    StatusProblem.NOT_BEGUN: Answer("must be false: the appointment has not begun yet"),
    StatusProblem.NO_APPOINTMENT_TO_GIVE_UP: _no_transition(
        "The order has refunds and no appointment. Refund the rest of it instead."
    ),
    StatusProblem.ALREADY_COMPLETED: _no_transition(
        "The order is completed, and has an invoice or refunds. Refund it instead."
    ),
    BusinessProblem.UNKNOWN_REASON: Answer("must be one of the reasons of the business: {reasons}"),
    TillProblem.CANCEL_BY_MANAGERS: _no_transition("The customer owes for the order, which is on account."),
    RescheduleProblem.DRAFT: _not_reschedulable(
        "The order is a draft and has no appointment yet. Change the draft, or confirm it first.", "draft"
    ),
    RescheduleProblem.CANCELED: _not_reschedulable("The order is canceled. Set another status first.", "canceled"),
    RescheduleProblem.COMPLETED: _not_reschedulable("The order is completed and cannot be rescheduled.", "completed"),
    RescheduleProblem.NO_APPOINTMENT: _not_reschedulable("The order has no appointment.", "no_appointment"),
    OrderProblem.NEEDS_OTHER_STAFF: Answer(
        "must assign another staff member to line {line_id}: its own no longer performs the service"
    ),
    InvoiceProblem.EXISTS: Answer("The order already has an invoice.", Code.ORDER_HAS_INVOICE),
    InvoiceProblem.NOT_POSSIBLE: Answer("is a draft, canceled or a refund and cannot have an invoice"),
    RefundProblem.OF_DRAFT: Answer("The order is a draft and has no payments to refund.", Code.ORDER_IS_DRAFT),
    RefundProblem.OF_REFUND: Answer("is a refund and cannot be refunded"),
    RefundProblem.LINES_AND_AMOUNT: Answer("must not be sent together with lines"),
    RefundProblem.RESTOCK_WITHOUT_LINES: Answer("requires lines or whole: refunding an amount returns no products"),
    RefundProblem.NOTHING_TO_CANCEL: Answer("requires an upcoming appointment"),
    RefundProblem.ABOVE_LINE: Answer("must be between 0 and {left}, the quantity not yet refunded"),
    RefundProblem.TOO_MANY_DECIMALS: _with_remaining("must have at most {most} decimals"),
    RefundProblem.NOTHING_LEFT: _with_remaining("has nothing left to refund"),
    RefundProblem.NOT_POSITIVE: _with_remaining("must be more than 0"),
    RefundProblem.ABOVE_REMAINING: _with_remaining("must not exceed the refundable amount of {remaining}"),
    RefundProblem.LINES_NOTHING_LEFT: _with_remaining("have nothing left to refund"),
    RefundProblem.LINES_ABOVE_REMAINING: _with_remaining("exceed the refundable amount of {remaining}"),
}
