"""Booking by hand: an order or a series of them, with a new customer, in one transaction."""

from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Literal, NamedTuple
from uuid import UUID

import msgspec

from frontdesk.availability.check import days_to_read
from frontdesk.availability.problems import TimeProblem
from frontdesk.availability.queries import Days
from frontdesk.customers.queries import PHONE_IN_USE, customer_argument
from frontdesk.customers.types import NewCustomer
from frontdesk.orders.create import build_order, failure_of
from frontdesk.orders.discount_limit import check_discount
from frontdesk.orders.new_order import NewOrder
from frontdesk.orders.problems import BookingProblem, PriceProblem
from frontdesk.orders.queries.order_context import OrderInputs, order_context
from frontdesk.orders.queries.order_state import lock_resources
from frontdesk.orders.stock import StockUse, with_changed_stock
from frontdesk.orders.types import OrderRequest
from frontdesk.postgres.act import NO_ERRORS, Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query
from frontdesk.problems import Problem
from frontdesk.values.clock import current_time
from frontdesk.values.ids import uuid7
from frontdesk.values.tenant_context import TenantContext

MAX_OCCURRENCES = 52
MAX_WEEKS = 12  # between two occurrences
_MAX_SERIES = timedelta(days=2 * 366)


class Repetition(NamedTuple):
    """Either `until` or `times` says when it ends."""

    every_weeks: int
    until: date | None = None
    times: int | None = None


class BookingRequest(NamedTuple):
    order: OrderRequest  # the first one of a series
    new_customer: NewCustomer | None = None
    waiting_id: UUID | None = None  # the entry of the waiting list that it fulfils
    # Of customers who book by themselves:
    hold_id: UUID | None = None  # of the time that they hold, which ends
    consent: Literal["online"] | None = None  # how a new customer has agreed to news
    shown_total: Decimal | None = None  # the price that they have seen
    language: str | None = None  # of the page, and of the messages about the booking
    contact_email: str | None = None  # for these messages
    any_discount: bool = True  # False: the user may not set prices
    notify: bool | None = None  # whether the confirmation is sent; None: as the business has set


class Occurrence(NamedTuple):
    start: datetime  # local
    order: NewOrder | None
    problem: Problem | None  # why it cannot be booked


class BookOrders(Act[OrderInputs], frozen=True):
    """`anyway` books a time at which a provider has another booking or does not work. The page has asked whether that
    is meant, and has checked who may do it; no other surface sets it.
    """

    booking: BookingRequest
    order_id: UUID
    anyway: bool = False

    def load(self) -> Query[OrderInputs]:
        return booking_inputs(self.booking.order).locking(lock_resources(None, self.booking.order.lines))

    def decide(self, context: Context[OrderInputs]) -> FunctionCall:
        now = current_time()
        order = build_order(context.tenant, self.booking.order, context.loaded, self.order_id, now, anyway=self.anyway)
        if self.booking.shown_total not in (None, order.total):
            raise Problem(PriceProblem.TOTAL_CHANGED, total=order.total)
        return _book(self.booking, [order])

    def failure(self) -> Callable[[], Problem] | None:
        return failure_of(self.booking.order)


class BookSeries(Act[OrderInputs], frozen=True):
    """Books all of `starts`, or raises the problem of the first that cannot be booked. Only the first is paid for."""

    booking: BookingRequest
    starts: Sequence[datetime]
    every_weeks: int
    first_id: UUID

    def load(self) -> Query[OrderInputs]:
        return booking_inputs(self.booking.order, self.starts).locking(lock_resources(None, self.booking.order.lines))

    def decide(self, context: Context[OrderInputs]) -> FunctionCall:
        now, series_id, orders, inputs = current_time(), uuid7(), [], context.loaded
        for index, start in enumerate(self.starts):
            request = _occurrence(self.booking.order, start, index)
            order = build_order(context.tenant, request, inputs, uuid7() if index else self.first_id, now)
            orders.append(msgspec.structs.replace(order, series_id=series_id))
            taken = [StockUse(use.item_id, -use.units * use.quantity, use.option_id) for use in order.stock]
            inputs = inputs._replace(context=with_changed_stock(inputs.context, taken))
        made = _book(self.booking, orders, {"id": series_id, "every_weeks": self.every_weeks})
        return made._replace(response=ResponseDocument("order_series_document", series_id))

    def failure(self) -> Callable[[], Problem] | None:
        return failure_of(self.booking.order)


def booking_inputs(
    order: OrderRequest, starts: Sequence[datetime] = (), now: datetime | None = None
) -> Query[OrderInputs]:
    """`starts` are those of a series."""
    now = now or current_time()
    days = None
    if order.start is not None and starts:
        days = Days(days_to_read(min(starts), now).first, days_to_read(max(starts), now).last)
    return order_context(order, now, days)


def _occurrence(order: OrderRequest, start: datetime, index: int) -> OrderRequest:
    return order._replace(start=start, payments=[] if index else order.payments)


def _book(booking: BookingRequest, orders: list[NewOrder], series: dict[str, object] | None = None) -> FunctionCall:
    if not booking.any_discount:
        check_discount(orders[0].sub_total, orders[0].discount_amount)
    customer: dict[str, object] | None = None
    if booking.new_customer is not None:
        customer = {"id": uuid7(), **customer_argument(booking.new_customer)}
        orders = [msgspec.structs.replace(order, customer_id=customer["id"]) for order in orders]
    argument = {
        "customer": customer,
        "consent": booking.consent if customer else None,
        "series": series,
        "orders": orders,
        "waiting_id": booking.waiting_id,
        "hold_id": booking.hold_id,
        "language": booking.language,
        "contact_email": booking.contact_email,
        "notify": booking.notify,
    }
    errors = PHONE_IN_USE if customer else NO_ERRORS
    return FunctionCall("book_orders", argument, failure=failure_of(booking.order), errors=errors)


def starts_of(first: datetime, repetition: Repetition) -> list[datetime]:
    """The local starts of a series, all at the same time of day."""
    every = timedelta(weeks=repetition.every_weeks)
    count = repetition.times or 1
    if repetition.until is not None:
        count = (repetition.until - first.date()) // every + 1
    if count < 1:
        raise Problem(BookingProblem.ENDS_BEFORE_FIRST, "until")
    field = "until" if repetition.until else "times"
    if count > MAX_OCCURRENCES:
        raise Problem(BookingProblem.TOO_MANY_TIMES, field, most=MAX_OCCURRENCES)
    if every * (count - 1) > _MAX_SERIES:
        raise Problem(BookingProblem.SERIES_TOO_LONG, field)
    return [first + every * index for index in range(count)]


def preview_series(
    tenant: TenantContext, order: OrderRequest, starts: Sequence[datetime], inputs: OrderInputs
) -> list[Occurrence]:
    """Each occurrence as it would be booked, or why it cannot be; nothing is written."""
    now, found = current_time(), []
    for index, start in enumerate(starts):
        request = _occurrence(order, start, index)
        try:
            found.append(Occurrence(start, build_order(tenant, request, inputs, uuid7(), now), None))
        except Problem as problem:
            if not isinstance(problem.kind, TimeProblem) and ("start",) not in [part.at for part in problem.all]:
                raise
            found.append(Occurrence(start, None, problem))
    return found
