"""Changing the status of an order, which may release or take time and stock."""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple
from uuid import UUID

from frontdesk.availability.check import assign_staff, find_problems, nearest_starts, unavailable
from frontdesk.availability.db_errors import check_failed
from frontdesk.availability.external_calendars import without_external_calendars
from frontdesk.availability.problems import Alternative, TimeProblem
from frontdesk.availability.types import ServiceToSchedule
from frontdesk.orders.new_order import Booking, StockDeduction
from frontdesk.orders.problems import StatusProblem, TillProblem
from frontdesk.orders.queries.order_state import OrderToSchedule, lock_resources, order_to_confirm
from frontdesk.orders.stock import StockNeed, choose_options, shortages
from frontdesk.orders.types import OrderState, Status
from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query
from frontdesk.postgres.write import OUT_OF_STOCK, OVERLAP
from frontdesk.problems import Problem, check_version
from frontdesk.values.actor import author_of
from frontdesk.values.clock import current_time
from frontdesk.values.ids import uuid7
from frontdesk.values.tenant_context import TenantContext
from frontdesk.values.time import get_zone, to_local


class SettableStatus(StrEnum):
    """An order cannot be made a draft."""

    CONFIRMED = "confirmed"
    IN_PROGRESS = "in-progress"
    COMPLETED = "completed"
    CANCELED = "canceled"


class ChangeOrderStatus(Act[OrderToSchedule], frozen=True):
    """Canceling releases time and stock; leaving canceled or draft takes them. `no_show` says why it is canceled,
    `notify` whether the customer gets a message; None uses the settings of the business.
    """

    order_id: UUID
    status: SettableStatus
    note: str | None = None
    document: str | None = "order_document"
    no_show: bool = False
    at_desk: bool = False
    notify: bool | None = None
    version: int | None = None  # the one that a form was filled from
    reason: Mapping[str, str] | None = None  # why it is canceled: a name by language
    may_forgive: bool = True  # cancel what the customer owes

    def load(self) -> Query[OrderToSchedule]:
        return order_to_confirm(self.order_id).locking(lock_resources(self.order_id))

    def decide(self, context: Context[OrderToSchedule]) -> FunctionCall:
        order, status = context.loaded.order, Status(self.status)
        response = None if self.document is None else ResponseDocument(self.document, order.id)
        if order.status is status:
            return FunctionCall(None, None, response)  # no error, however old the form is
        check_version(self.version, order.version, order.id)
        argument = {"order_id": order.id, "version": order.version, "status": status, "note": self.note}
        change = FunctionCall("change_order_status", argument, response)
        if status is Status.CANCELED:
            return self._cancel(order, change, argument)
        if order.parent_id is not None:
            raise Problem(StatusProblem.IS_REFUND)
        if order.holds_time_and_stock:
            return change
        if order.status is Status.CANCELED:
            _check_revival(order)
        if order.status is Status.CANCELED and order.has_bookings:
            taken = _reacquire(context.tenant, context.loaded, argument, at_desk=self.at_desk)
            return change._replace(**taken._asdict())
        return self._confirm(context, change, argument)

    def _cancel(self, order: OrderState, change: FunctionCall, argument: dict[str, Any]) -> FunctionCall:
        _check_cancellation(order)
        check_no_show(order, no_show=self.no_show)
        check_forgiving(order, may_forgive=self.may_forgive)
        effect = "release" if order.holds_time_and_stock else None
        why = {"no_show": self.no_show, "notify": self.notify, "reason": self.reason}
        return change._replace(argument={**argument, "effect": effect, **why})

    def _confirm(
        self, context: Context[OrderToSchedule], change: FunctionCall, argument: dict[str, Any]
    ) -> FunctionCall:
        """Of a draft, or of an order that was canceled before it was ever booked."""
        loaded = context.loaded
        _check_still_offered(loaded)
        bookings = _bookings(context, at_desk=self.at_desk)
        taken = {"effect": "confirm", "bookings": bookings, "stock": _stock(loaded), "not_blocked": True}
        failure = check_failed if loaded.order.starts_at is not None else None
        return change._replace(argument=argument | taken, failure=failure)


def _stock(loaded: OrderToSchedule) -> list[StockDeduction]:
    """The option that each line takes its units from, by the rule of a new order."""
    products = {product.id: product for product in loaded.products}
    lines = [[StockNeed(need.item_id, need.units, need.option_ids)] for need in loaded.needs]
    uses = choose_options(lines, products)
    if any(shortages(uses, products)):
        raise Problem(StatusProblem.NOT_IN_STOCK, "status")
    return [
        StockDeduction(need.line_id, need.item_id, need.units, 1, use.option_id)
        for need, (use,) in zip(loaded.needs, uses, strict=True)
    ]


def _bookings(context: Context[OrderToSchedule], *, at_desk: bool) -> list[Booking]:
    """The same check as for a new order. An order without a start is a sale without a booking."""
    loaded = context.loaded
    if loaded.order.starts_at is None or not loaded.unbooked:
        return []
    services = [
        ServiceToSchedule(s.named, s.buffer_before, s.buffer_after, is_requested=s.staff_id is not None)
        for s in loaded.unbooked
    ]
    now = current_time()
    start, author = loaded.order.starts_at, author_of(context.actor, now)
    assigned = assign_staff(context.tenant, services, loaded.schedules, start, now, at_desk=at_desk)
    return [
        Booking(uuid7(), service.line_id, item_id=service.item_id, **booked.chosen_by(author)._asdict())
        for service, booked in zip(loaded.unbooked, assigned, strict=True)
    ]


class _Reacquisition(NamedTuple):
    """What a `FunctionCall` has for an order that takes its time and stock again."""

    argument: dict[str, Any]
    errors: Mapping[str, Callable[[], Problem]]
    failure: Callable[[], Problem] = check_failed


def _reacquire(
    tenant: TenantContext, loaded: OrderToSchedule, argument: dict[str, Any], *, at_desk: bool
) -> _Reacquisition:
    """An appointment that has not begun is checked like a new one; what is over is only put right."""
    start, now = loaded.order.starts_at, current_time()
    argument = {**argument, "effect": "reacquire"}
    if start is None or start <= now:
        return _Reacquisition(argument, {OVERLAP: _taken, OUT_OF_STOCK: _no_longer_in_stock})
    _check_still_offered(loaded)
    schedules = without_external_calendars(loaded.schedules) if at_desk else loaded.schedules
    booked = [(s, s.staff_id, s.minutes) for s in loaded.unbooked if s.staff_id is not None and s.minutes is not None]
    own = [ServiceToSchedule({staff: minutes}, s.buffer_before, s.buffer_after) for s, staff, minutes in booked]
    others = [
        ServiceToSchedule({**s.candidates, staff: minutes}, s.buffer_before, s.buffer_after)
        for s, staff, minutes in booked
    ]
    problems = [why for found in find_problems(tenant, own, schedules, start, now) for why in found]
    reason = next((why for why in problems if why not in ("past", "off_grid")), None)  # the grid may have changed since
    if reason is not None:
        day = to_local(start, get_zone(tenant.timezone)).date()
        working = [schedules[staff] for _, staff, _ in booked if staff in schedules]
        is_closed = reason == "outside_working_hours" and any(day in schedule.closed for schedule in working)
        found = nearest_starts(tenant, others, schedules, start, now)
        raise Problem(TimeProblem.BRANCH_CLOSED, alternatives=found) if is_closed else unavailable(reason, found)
    providers = [{"staff_id": staff, "schedule_version": schedules[staff].version} for _, staff, _ in booked]

    def taken_meanwhile() -> Problem:
        found = nearest_starts(tenant, others, schedules, start, now)
        local = to_local(start, get_zone(tenant.timezone))
        return _taken([alternative for alternative in found if alternative.start != local])

    errors = {OVERLAP: taken_meanwhile, OUT_OF_STOCK: _no_longer_in_stock}
    return _Reacquisition({**argument, "bookings": providers, "not_blocked": True}, errors)


def _check_still_offered(loaded: OrderToSchedule) -> None:
    if loaded.is_customer_blocked:
        raise Problem(StatusProblem.CUSTOMER_BLOCKED, "status")
    if loaded.has_inactive_items:
        raise Problem(StatusProblem.ITEMS_NOT_FOR_SALE, "status")


def find_cancel_problem(*, invoiced: bool, is_refund: bool, refunded: bool) -> Problem | None:
    """Why a change of the status cannot cancel an order; the invoice is checked first. A refund can, and `give_up`."""
    if invoiced:
        return Problem(StatusProblem.HAS_INVOICE)
    if is_refund:
        return Problem(StatusProblem.IS_REFUND)
    return Problem(StatusProblem.HAS_REFUNDS) if refunded else None


def is_upcoming(order: OrderState) -> bool:
    """Whether the order has an appointment in the future."""
    return order.first_booking_at is not None and order.first_booking_at > current_time()


def _check_cancellation(order: OrderState) -> None:
    problem = find_cancel_problem(
        invoiced=order.invoiced, is_refund=order.parent_id is not None, refunded=order.refunded
    )
    if problem is not None:
        raise problem


def check_no_show(order: OrderState, *, no_show: bool) -> None:
    if no_show and is_upcoming(order):
        raise Problem(StatusProblem.NOT_BEGUN)


def check_forgiving(order: OrderState, *, may_forgive: bool) -> None:
    """What is canceled is no longer owed."""
    if order.on_account and order.remaining and not may_forgive:
        raise Problem(TillProblem.CANCEL_BY_MANAGERS)


def _check_revival(order: OrderState) -> None:
    if order.refunded_amount > 0:
        raise Problem(StatusProblem.REFUNDED_AND_CANCELED)
    if order.invoiced:
        raise Problem(StatusProblem.CREDITED_AND_CANCELED)


def _taken(alternatives: Sequence[Alternative] = ()) -> Problem:
    return Problem(TimeProblem.BOOKED_SINCE_CANCELED, alternatives=list(alternatives))


def _no_longer_in_stock() -> Problem:
    return Problem(StatusProblem.NO_LONGER_IN_STOCK, "status")
