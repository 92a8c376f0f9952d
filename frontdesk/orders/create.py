"""Creating an order. All APIs and pages use this."""

from collections.abc import Callable
from datetime import datetime, timedelta
from decimal import Decimal
from uuid import UUID

from frontdesk.availability.check import assign_anyway, assign_staff
from frontdesk.availability.db_errors import check_failed
from frontdesk.availability.held import OwnHold
from frontdesk.availability.types import Assignment
from frontdesk.orders.context_types import ClosedBranchDay
from frontdesk.orders.lines import CatalogSnapshot, check_order, price_order, stock_use, verify_client_totals
from frontdesk.orders.new_lines import order_lines, performed_by
from frontdesk.orders.new_order import Booking, NewLine, NewOrder, Payment
from frontdesk.orders.pay import build_payment, check_amount, check_tendered, with_instant
from frontdesk.orders.problems import OrderProblem
from frontdesk.orders.queries.order_context import OrderInputs, order_context
from frontdesk.orders.queries.order_state import lock_resources
from frontdesk.orders.types import LineType, OrderRequest, Source, Status
from frontdesk.payments.resolve import choose_method
from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query
from frontdesk.problems import Problem, raise_all
from frontdesk.values.clock import current_time
from frontdesk.values.ids import uuid7
from frontdesk.values.money import exact_sum
from frontdesk.values.tenant_context import TenantContext
from frontdesk.values.time import get_zone, to_local

_LATE = timedelta(minutes=5)  # a till that sends the present time is not refused because its clock is behind


class CreateOrder(Act[OrderInputs], frozen=True):
    """Validates, prices and assigns staff."""

    order: OrderRequest
    order_id: UUID | None = None
    now: datetime | None = None
    document: str = "created_order_document"

    def load(self) -> Query[OrderInputs]:
        return order_context(self.order, self.now or current_time()).locking(lock_resources(None, self.order.lines))

    def decide(self, context: Context[OrderInputs]) -> FunctionCall:
        now = self.now or current_time()
        new = build_order(context.tenant, self.order, context.loaded, self.order_id or uuid7(), now)
        document = ResponseDocument(self.document, new.id)
        return FunctionCall("create_order", new, document, failure=self.failure())

    def failure(self) -> Callable[[], Problem] | None:
        return failure_of(self.order)


def failure_of(order: OrderRequest) -> Callable[[], Problem] | None:
    """The error if the database fails; an order with bookings has its own."""
    return check_failed if _checks_availability(order) else None


def build_order(
    tenant: TenantContext,
    order: OrderRequest,
    inputs: OrderInputs,
    order_id: UUID,
    now: datetime,
    *,
    anyway: bool = False,
) -> NewOrder:
    """`anyway` books a time that is not free, on purpose."""
    if order.draft and order.payments:
        raise Problem(OrderProblem.NEW_DRAFT_WITH_PAYMENTS)
    order = _with_instants(tenant, order)
    catalog = CatalogSnapshot(inputs.context, order)
    check_order(order, catalog)
    order = _with_held_provider(order, inputs.hold)
    _check_time_without_services(tenant, order, catalog, now)
    methods = [choose_method(inputs.context.methods, p.method_id, p.method_type) for p in order.payments]
    assigned = _assign_staff(tenant, order, catalog, inputs, now, anyway=anyway)
    times = iter(assigned)
    performed = [
        performed_by(line, next(times, None) if line.type is LineType.SERVICE else None) for line in order.lines
    ]
    # A POS client has shown the total to the customer before staff was assigned, so the total does not change.
    shown = order.lines if order.client_totals is not None else performed
    priced_by = [line.staff_id for line in shown]
    priced = price_order(tenant, order, priced_by, catalog, now)
    verify_client_totals(order, priced, tenant.currency_decimals)
    lines = order_lines(order, performed, priced_by, priced, catalog, tenant.currency_decimals)
    bookings = _bookings(lines, assigned)
    payments = _payments(order, priced.total, methods, bookings, tenant.currency_decimals, now)
    return NewOrder(
        id=order_id,
        branch_id=catalog.branch_id,
        customer_id=order.customer_id,
        status=Status.DRAFT if order.draft else Status.CONFIRMED,
        source=order.source,
        currency=tenant.currency,
        decimals=tenant.currency_decimals,
        sub_total=priced.sub_total,
        discount_amount=priced.discount_amount,
        total=priced.total,
        tax_amount=priced.tax_amount,
        paid_amount=exact_sum(payment.amount for payment in payments),
        starts_at=order.start,
        note=order.note,
        discount=order.discount,
        cashier=order.cashier.name,
        cashier_code=order.cashier.code,
        lines=lines,
        bookings=bookings,
        stock=stock_use(order, lines, catalog),
        payments=payments,
        oversell=order.oversell,
        hold_id=order.hold_id,
    )


def _with_instants(tenant: TenantContext, order: OrderRequest) -> OrderRequest:
    start = None if order.start is None else tenant.to_utc(order.start, "start")
    payments = [
        with_instant(payment, tenant, "payments", index, "date") for index, payment in enumerate(order.payments)
    ]
    return order._replace(start=start, payments=payments)


def _with_held_provider(order: OrderRequest, hold: OwnHold | None) -> OrderRequest:
    """Whoever is free means whose time is held."""
    first = next((index for index, line in enumerate(order.lines) if line.type is LineType.SERVICE), None)
    if hold is None or first is None or order.start != hold.start or order.lines[first].item_id != hold.item_id:
        return order
    lines = list(order.lines)
    lines[first] = lines[first]._replace(staff_id=lines[first].staff_id or hold.staff_id)
    return order._replace(lines=lines)


def _check_time_without_services(
    tenant: TenantContext, order: OrderRequest, catalog: CatalogSnapshot, now: datetime
) -> None:
    if order.start is None or not order.has_time_without_services:
        return
    if order.start < now - _LATE:
        raise Problem(OrderProblem.START_IN_PAST, "start")
    day = to_local(order.start, get_zone(tenant.timezone)).date()
    if ClosedBranchDay(catalog.branch_id, day) in catalog.context.closed_days:
        raise Problem(OrderProblem.BRANCH_CLOSED, "start")


def _checks_availability(order: OrderRequest) -> bool:
    """A draft, or a sale without an appointment, has no bookings."""
    return order.start is not None and not order.draft and any(line.type is LineType.SERVICE for line in order.lines)


def _assign_staff(
    tenant: TenantContext,
    order: OrderRequest,
    catalog: CatalogSnapshot,
    inputs: OrderInputs,
    now: datetime,
    *,
    anyway: bool,
) -> list[Assignment]:
    if order.start is None or not _checks_availability(order):
        return []
    # Who books on the public page has seen the lowest price; the APIs balance the load.
    cheapest = order.source is Source.ONLINE
    services = [
        catalog.service_to_schedule(line, cheapest=cheapest) for line in order.lines if line.type is LineType.SERVICE
    ]
    if anyway:
        raise_all(
            [
                Problem(OrderProblem.STAFF_DOES_NOT_PERFORM, "lines", index, "staff_id")
                for index, line in enumerate(order.lines)
                if line.type is LineType.SERVICE and line.staff_id is None
            ]
        )
        return assign_anyway(tenant, services, inputs.schedules, order.start, now)
    at_desk = order.source is Source.DASHBOARD
    return assign_staff(tenant, services, inputs.schedules, order.start, now, at_desk=at_desk)


def _bookings(lines: list[NewLine], assigned: list[Assignment]) -> list[Booking]:
    """One for each assignment, in the order of the service lines."""
    services = [(line.id, line.item_id) for line in lines if line.type is LineType.SERVICE]
    return [
        Booking(uuid7(), line_id, item_id=item_id, **booked._replace(chosen=None)._asdict())
        for (line_id, item_id), booked in zip(services, assigned, strict=False)
        if item_id is not None
    ]


def _payments(
    order: OrderRequest, total: Decimal, methods: list[UUID], bookings: list[Booking], decimals: int, now: datetime
) -> list[Payment]:
    begins, remaining, payments = bookings[0].start if bookings else None, total, []
    for index, (payment, method_id) in enumerate(zip(order.payments, methods, strict=True)):
        check_amount(payment.amount, remaining, decimals, "payments", index, "amount")
        check_tendered(payment, decimals, "payments", index, "tendered")
        payments.append(build_payment(payment, method_id, remaining, begins, now))
        remaining -= payment.amount
    return payments
