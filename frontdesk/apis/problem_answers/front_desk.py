"""Of the waiting list, of messages, series and changed orders, as applications use them."""

from collections.abc import Mapping

from frontdesk.apis.problem_answers.answer import Answer
from frontdesk.http.errors import Code
from frontdesk.messages.problems import MessageProblem
from frontdesk.orders.problems import BookingProblem, EditProblem, StatusProblem, TillProblem
from frontdesk.problems import ProblemKind
from frontdesk.waiting_list.problems import WaitingProblem

FRONT_DESK_ANSWERS: Mapping[ProblemKind, Answer] = {
    EditProblem.IS_REFUND: Answer("The order is a refund, and keeps its items."),
    EditProblem.IS_DRAFT: Answer("The order is a draft. Change it at the till.", Code.ORDER_IS_DRAFT),
    EditProblem.IS_CANCELED: Answer("The order is canceled, and keeps its items.", Code.ORDER_CANCELED),
    EditProblem.HAS_INVOICE: Answer("The order has an invoice, and keeps its items.", Code.ORDER_HAS_INVOICE),
    EditProblem.HAS_REFUNDS: Answer("The order has refunds, and keeps its items."),
    EditProblem.LINE_TWICE: Answer("must name each line once"),
    EditProblem.PAID_MORE: Answer("The total would be {total}, and {paid} is paid. Refund the difference first."),
    EditProblem.NO_APPOINTMENT: Answer("must be omitted, because the order has no appointment"),
    TillProblem.ABOVE_ACCOUNT_LIMIT: Answer("The customer would owe more than they may."),
    StatusProblem.NOT_AN_APPOINTMENT: Answer(
        "The order has no appointment that is confirmed or in progress.", Code.INVALID_STATUS_TRANSITION
    ),
    StatusProblem.NOT_TODAY: Answer("The appointment is not today.", Code.INVALID_STATUS_TRANSITION),
    StatusProblem.NO_APPOINTMENT: Answer("The order has no appointment.", Code.INVALID_STATUS_TRANSITION),
    BookingProblem.ENDS_BEFORE_FIRST: Answer("must not be before start"),
    BookingProblem.TOO_MANY_TIMES: Answer("must be at most {most} appointments"),
    BookingProblem.SERIES_TOO_LONG: Answer("must end within two years"),
    WaitingProblem.UNKNOWN_CUSTOMER: Answer("is not a customer of this business"),
    WaitingProblem.CUSTOMER_BLOCKED: Answer("is blocked by the business"),
    WaitingProblem.UNKNOWN_SERVICE: Answer("must be services of this business that are on sale"),
    WaitingProblem.STAFF_DOES_NOT_PERFORM: Answer("must perform the first service; without it, one staff member must"),
    WaitingProblem.PAST: Answer("must not be in the past"),
    WaitingProblem.TOO_FAR_AHEAD: Answer("must be within two years"),
    WaitingProblem.WAITS_ALREADY: Answer("overlaps an entry of this customer for the same services"),
    WaitingProblem.ENDS_BEFORE_FIRST: Answer("must not be before first_day"),
    WaitingProblem.TOO_MANY_DAYS: Answer("must be within a year of first_day"),
    MessageProblem.NO_EMAIL: Answer("The customer has no e-mail address, or is blocked."),
    MessageProblem.TOO_MANY_OFFERS: Answer("The customer got {most} offers within 24 hours, which is the most."),
    MessageProblem.TIME_IS_PAST: Answer("must be in the future"),
    MessageProblem.TOO_FAR_AHEAD: Answer("must be within two years"),
    MessageProblem.STAFF_DOES_NOT_PERFORM: Answer("does not perform this service"),
}
