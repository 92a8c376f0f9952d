from collections.abc import Mapping

from frontdesk.availability.problems import AvailabilityProblem, TimeProblem
from frontdesk.i18n.texts import N_
from frontdesk.orders.problems import (
    BookingProblem,
    EditProblem,
    InvoiceProblem,
    OrderProblem,
    PaymentProblem,
    PriceProblem,
    RefundProblem,
    RescheduleProblem,
    StatusProblem,
    TillProblem,
    ViewProblem,
)
from frontdesk.payments.problems import MethodProblem, PaymentSettingsProblem
from frontdesk.problems import ProblemKind
from frontdesk.scheduling.problems import HoldProblem

_OPTION_NOT_FOR_SALE = N_("This option is not on sale. Choose another.")
_OUTSIDE_HOURS = N_("No staff member who performs this service works at the requested time.")
_DRAFT_WITH_PAYMENTS = N_("A draft takes no payments. Confirm it first.")
_TOO_MANY_DECIMALS = N_("Use at most %(most)s decimals.")
_NOTHING_LEFT = N_("Nothing is left to refund.")
_NAME_REQUIRED = N_("Enter a name.")
_REFUNDABLE = N_("At most %(remaining)s can be refunded.")
_MORE_THAN_ZERO = N_("Enter an amount above zero.")
_TAKEN = N_("The requested time is already booked.")
_NOT_HELD = N_("The time is not kept. You can book it all the same.")

ORDER_TEXTS: Mapping[ProblemKind, str] = {
    TimeProblem.PAST: N_("The requested time is in the past."),
    TimeProblem.OUTSIDE_WORKING_HOURS: _OUTSIDE_HOURS,
    TimeProblem.TIME_OFF: N_("The staff member has time off at the requested time."),
    TimeProblem.BOOKED: _TAKEN,
    TimeProblem.OFF_GRID: N_("Appointments cannot start at this minute."),
    TimeProblem.BRANCH_CLOSED: N_("The branch is closed on that day."),
    TimeProblem.BOOKED_SINCE_CANCELED: N_("The time slot was booked by another order after this order was canceled."),
    AvailabilityProblem.CHECK_FAILED: N_("The times could not be checked. Nothing was changed. Try again."),
    AvailabilityProblem.UNKNOWN_SERVICE: N_("This service is not on sale. Remove it."),
    AvailabilityProblem.SERVICE_NOT_FOR_SALE: N_("This service is not on sale. Remove it."),
    AvailabilityProblem.UNKNOWN_OPTION: _OPTION_NOT_FOR_SALE,
    AvailabilityProblem.OPTION_NOT_FOR_SALE: _OPTION_NOT_FOR_SALE,
    AvailabilityProblem.OPTION_REQUIRED: N_("Choose an option."),
    AvailabilityProblem.UNKNOWN_STAFF: N_("Choose a provider who performs this service."),
    AvailabilityProblem.STAFF_DOES_NOT_PERFORM: N_("Choose a provider who performs this service."),
    HoldProblem.OF_CLIENT: _NOT_HELD,
    HoldProblem.OF_PROVIDER: _NOT_HELD,
    HoldProblem.TOO_LONG: _NOT_HELD,
    MethodProblem.REQUIRED: N_("Choose a payment method."),
    MethodProblem.UNKNOWN: N_("The business has no such active payment method."),
    MethodProblem.UNAVAILABLE: N_("The application that provides this payment method is no longer installed."),
    MethodProblem.AMBIGUOUS: N_("Choose a payment method."),
    PaymentSettingsProblem.NAME_REQUIRED: _NAME_REQUIRED,
    PaymentSettingsProblem.NAME_TOO_LONG: N_("Use at most %(most)s characters."),
    PaymentSettingsProblem.NAME_TAKEN: N_("Another payment method has this name."),
    PaymentSettingsProblem.TYPE_REQUIRED: N_("Choose a type."),
    PaymentSettingsProblem.NAMED_BY_APPLICATION: N_("The application names this payment method."),
    PaymentSettingsProblem.APPLICATION_GONE: N_("The application of this payment method is no longer installed."),
    PaymentSettingsProblem.OF_APPLICATION: N_(
        "This payment method belongs to an application. Disconnect the application instead."
    ),
    PaymentSettingsProblem.HAS_PAYMENTS: N_("This payment method has payments. Switch it off instead."),
    PaymentSettingsProblem.UNKNOWN_BRANCH: N_("Choose a branch."),
    PaymentSettingsProblem.CASHIER_CODE_WRONG: N_("Enter a code of at most %(most)s characters."),
    PaymentSettingsProblem.CASHIER_CODE_TAKEN: N_("Another cashier uses this code."),
    PriceProblem.NEGATIVE: N_("Enter 0 or more."),
    PriceProblem.BELOW_ONE: N_("Enter 1 or more."),
    PriceProblem.NOT_AN_AMOUNT: N_("This amount has too many digits."),
    PriceProblem.DISCOUNT_ABOVE_LINE: N_("The discount is larger than the line."),
    PriceProblem.PERCENTAGE_ABOVE_100: N_("A discount is at most 100 percent."),
    PriceProblem.TOO_LARGE: N_("This makes the total too large."),
    PriceProblem.MORE_THAN_LEFT: N_("Choose something that is not refunded yet."),
    PriceProblem.TOTALS_DIFFER: N_("Prices have changed meanwhile. The total is %(total)s now."),
    PriceProblem.TOTAL_CHANGED: N_("Prices have changed meanwhile. The total is %(total)s now."),
    PriceProblem.DISCOUNT_BY_MANAGERS: N_(
        "Only owners and managers can give a discount of more than %(percent)s percent."
    ),
    OrderProblem.UNKNOWN_BRANCH: N_("Choose a branch."),
    OrderProblem.UNKNOWN_CUSTOMER: N_("Choose a customer."),
    OrderProblem.CUSTOMER_BLOCKED: N_("This customer is blocked and cannot be booked."),
    OrderProblem.UNKNOWN_ITEM: N_("This is no longer on sale."),
    OrderProblem.OTHER_BRANCH: N_("This belongs to another branch."),
    OrderProblem.NOT_FOR_SALE: N_("This is not on sale."),
    OrderProblem.OPTIONS_NOT_DISTINCT: _OPTION_NOT_FOR_SALE,
    OrderProblem.UNKNOWN_OPTION: _OPTION_NOT_FOR_SALE,
    OrderProblem.OPTION_NOT_FOR_SALE: _OPTION_NOT_FOR_SALE,
    OrderProblem.SEVERAL_OPTIONS: N_("Choose one option."),
    OrderProblem.OPTION_REQUIRED: N_("Choose an option."),
    OrderProblem.UNKNOWN_STAFF: N_("Choose a member of staff."),
    OrderProblem.STAFF_DOES_NOT_PERFORM: N_("Choose a provider who performs this service."),
    OrderProblem.OUT_OF_STOCK: N_("There is not enough in stock."),
    OrderProblem.OPTION_OUT_OF_STOCK: N_("There is not enough of this option in stock."),
    OrderProblem.START_REQUIRED: N_("Choose a time."),
    OrderProblem.START_IN_PAST: N_("The requested time is in the past."),
    OrderProblem.BRANCH_CLOSED: N_("The branch is closed on this day."),
    OrderProblem.NEW_DRAFT_WITH_PAYMENTS: _DRAFT_WITH_PAYMENTS,
    OrderProblem.DRAFT_WITH_PAYMENTS: _DRAFT_WITH_PAYMENTS,
    OrderProblem.NOT_A_DRAFT: N_("This draft was confirmed or canceled meanwhile."),
    OrderProblem.UNKNOWN_SERVICE_LINE: N_("Choose a line of this order."),
    OrderProblem.UNKNOWN_LINE: N_("Choose a line of this order."),
    PaymentProblem.OF_DRAFT: N_("The order is a draft. Confirm it before you record a payment."),
    PaymentProblem.OF_CANCELED: N_("The order is canceled and takes no payments."),
    PaymentProblem.TOO_MANY_DECIMALS: _TOO_MANY_DECIMALS,
    PaymentProblem.NOT_POSITIVE: _MORE_THAN_ZERO,
    PaymentProblem.ABOVE_REMAINING: N_("Only %(remaining)s is left to pay."),
    PaymentProblem.TENDERED_BELOW_AMOUNT: N_("Less cash was given than is to be paid."),
    PaymentProblem.TOO_FAR_AHEAD: N_("A payment cannot be dated more than %(hours)s hours ahead."),
    StatusProblem.HAS_INVOICE: N_(
        "The order has an invoice. Give up its appointment with a refund, or on the page of the order."
    ),
    StatusProblem.IS_REFUND: N_("The order is a refund and keeps its status."),
    StatusProblem.HAS_REFUNDS: N_(
        "The order has refunds. Give up its appointment with a refund, or on the page of the order."
    ),
    StatusProblem.REFUNDED_AND_CANCELED: N_("The order was canceled and refunded. Create a new order instead."),
    StatusProblem.CREDITED_AND_CANCELED: N_(
        "The order was canceled and its invoice credited. Create a new order instead."
    ),
    StatusProblem.CUSTOMER_BLOCKED: N_("This customer is blocked."),
    StatusProblem.ITEMS_NOT_FOR_SALE: N_("Something in this order is no longer on sale."),
    StatusProblem.NO_LONGER_IN_STOCK: N_("A product in it is not in stock."),
    StatusProblem.NOT_IN_STOCK: N_("A product in it is not in stock."),
    StatusProblem.NOT_BEGUN: N_("The appointment has not begun yet."),
    StatusProblem.NO_APPOINTMENT_TO_GIVE_UP: N_("The order has no appointment to give up."),
    StatusProblem.ALREADY_COMPLETED: N_("The order is already completed."),
    StatusProblem.ALREADY_CANCELED: N_("The order is already canceled."),
    StatusProblem.NEEDS_CONFIRMATION: N_("The order is a draft or canceled. Confirm it on its own page first."),
    StatusProblem.NOT_AN_APPOINTMENT: N_("The order is not a confirmed appointment."),
    StatusProblem.NO_APPOINTMENT: N_("The order has no appointment."),
    StatusProblem.NOT_TODAY: N_("Only an appointment of today can be checked in."),
    RescheduleProblem.DRAFT: N_(
        "The order is a draft and has no appointment yet. Change the draft, or confirm it first."
    ),
    RescheduleProblem.CANCELED: N_("The order is canceled. Set another status first."),
    RescheduleProblem.COMPLETED: N_("The order is completed and cannot be rescheduled."),
    RescheduleProblem.NO_APPOINTMENT: N_("The order has no appointment."),
    OrderProblem.NEEDS_OTHER_STAFF: N_("Choose another provider: this one no longer performs the service."),
    InvoiceProblem.EXISTS: N_("The order already has an invoice."),
    InvoiceProblem.NOT_POSSIBLE: N_("A draft, a canceled order or a refund has no invoice."),
    RefundProblem.OF_DRAFT: N_("The order is a draft and has no payments to refund."),
    RefundProblem.OF_REFUND: N_("This is a refund. It cannot be refunded."),
    RefundProblem.LINES_AND_AMOUNT: N_("Refund either lines or an amount."),
    RefundProblem.RESTOCK_WITHOUT_LINES: N_("Choose the lines that come back into stock."),
    RefundProblem.NOTHING_TO_CANCEL: N_("The order has no appointment to give up."),
    RefundProblem.ABOVE_LINE: N_("Enter a number from 0 to %(left)s: what is not yet refunded."),
    RefundProblem.TOO_MANY_DECIMALS: _TOO_MANY_DECIMALS,
    RefundProblem.NOTHING_LEFT: _NOTHING_LEFT,
    RefundProblem.NOT_POSITIVE: _MORE_THAN_ZERO,
    RefundProblem.ABOVE_REMAINING: _REFUNDABLE,
    RefundProblem.LINES_NOTHING_LEFT: N_("Choose something that is not refunded yet."),
    RefundProblem.LINES_ABOVE_REMAINING: _REFUNDABLE,
    EditProblem.IS_REFUND: N_("This is a refund, so its lines cannot change."),
    EditProblem.IS_DRAFT: N_("This is a draft. Continue it at the till."),
    EditProblem.IS_CANCELED: N_("The order is canceled. Confirm it again before you change its lines."),
    EditProblem.HAS_INVOICE: N_(
        "The order has an invoice, so its lines cannot change. Refund what is taken away, which issues a credit note, "
        "and make a new order for what is added."
    ),
    EditProblem.HAS_REFUNDS: N_(
        "Part of the order was refunded, so its lines cannot change. Make a new order for what is added."
    ),
    EditProblem.NO_LINES: N_("An order needs at least one line. Cancel the order instead."),
    EditProblem.NEEDS_MANAGER: N_("Only an owner or manager can change prices and discounts."),
    EditProblem.TOTAL_CHANGED: N_("Check what follows from the changes, then save them."),
    EditProblem.LINE_TWICE: N_("This is entered twice."),
    EditProblem.NO_APPOINTMENT: N_("The order has no appointment."),
    EditProblem.PAID_MORE: N_(
        "%(paid)s were paid, which is more than the new total of %(total)s. Refund what is taken away instead of "
        "removing it here."
    ),
    TillProblem.NO_PAYMENT: N_("Choose how it is paid."),
    TillProblem.DISCOUNT_ABOVE_TOTAL: N_("The discount is above the total."),
    TillProblem.PRICES_CHANGED: N_("Prices have changed meanwhile. Check the total, then take the payment again."),
    TillProblem.PAID_MEANWHILE: N_("This order was paid meanwhile. Nothing was taken now."),
    TillProblem.DUE_CHANGED: N_("What is left to pay has changed meanwhile. Check it, then take the payment again."),
    TillProblem.TOO_HIGH: N_("Enter at most %(most)s."),
    TillProblem.TENDERED_TOO_LOW: N_("Less cash was given than is to be paid."),
    TillProblem.PAYMENTS_TOO_HIGH: N_(
        "The payments are %(over)s too high. Enter what the customer hands over as cash given."
    ),
    TillProblem.PAYMENTS_TOO_LOW: N_("%(left)s is left to pay."),
    TillProblem.ALREADY_SOLD: N_("This sale was already taken."),
    TillProblem.UNKNOWN_TIP_RECEIVER: N_("Choose who gets the tip."),
    TillProblem.NO_REFUND_METHOD: N_("Choose how the money goes back."),
    TillProblem.PRICE_BY_MANAGERS: N_("Only owners and managers can change a price."),
    TillProblem.RETURN_BY_MANAGERS: N_("Only owners and managers can take something back."),
    TillProblem.NOT_LAST_SALE: N_("Only the last sale can be voided. Take it back as a return."),
    TillProblem.TOO_LATE_TO_VOID: N_("A sale can be voided for %(minutes)s minutes. Take it back as a return."),
    TillProblem.VOID_WITH_TIP: N_(
        "A sale with a tip cannot be voided. Take it back as a return, and give the tip back."
    ),
    TillProblem.ABOVE_ACCOUNT_LIMIT: N_(
        "This customer may not owe that much. An owner or a manager sets the limit on the customer's account."
    ),
    TillProblem.EXCHANGE_ON_ACCOUNT: N_("What comes back cannot be put on account. Take or give the difference now."),
    TillProblem.PART_WITHOUT_METHOD: N_("Choose how this part is paid first."),
    TillProblem.GIVEN_WITHOUT_CASH: N_("Only for cash. Leave it empty, or choose cash."),
    TillProblem.CANCEL_BY_MANAGERS: N_(
        "The customer owes for this order. Only owners and managers can cancel what is on account."
    ),
    BookingProblem.ENDS_BEFORE_FIRST: N_("Enter a day that is not before the first."),
    BookingProblem.TOO_MANY_TIMES: N_("Repeat a booking at most %(most)s times."),
    BookingProblem.SERIES_TOO_LONG: N_("A series lasts at most two years."),
    BookingProblem.CHANGED_SINCE_MOVE: N_("The appointment was changed meanwhile. Nothing was undone."),
    BookingProblem.HOURS_CHANGED_SINCE: N_("The working hours have changed since. Choose a time."),
    BookingProblem.WRONG_DURATION: N_("Enter a duration from %(least)s to %(most)s minutes, in steps of %(step)s."),
    BookingProblem.BY_PHONE_ONLY: N_("This booking can be changed by phone only."),
    BookingProblem.BEGUN: N_("This booking has begun already."),
    BookingProblem.CANCELED: N_("This booking is canceled."),
    BookingProblem.TOO_LATE: N_("It is too late to change this booking here."),
    BookingProblem.NOT_BOOKABLE: N_("This time cannot be booked."),
    ViewProblem.NAME_REQUIRED: _NAME_REQUIRED,
    ViewProblem.NAME_TAKEN: N_("Another view has this name."),
    ViewProblem.TOO_MANY: N_("There are already %(most)s views. Delete one first."),
}
