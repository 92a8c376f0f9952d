"""Changing the lines of an order, which changes its time, stock, tax and sums.

Lines that do not change keep their price and tax rate.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Final, NamedTuple
from uuid import UUID

import msgspec

from frontdesk.availability.check import assign_staff
from frontdesk.availability.db_errors import check_failed
from frontdesk.availability.problems import TimeProblem
from frontdesk.availability.types import Assignment, ServiceToSchedule
from frontdesk.orders.edit_lines import (
    LineChange,
    as_sent,
    changed_line_problems,
    current_times,
    edited_line,
    match_lines,
    released_stock,
)
from frontdesk.orders.lines import CatalogSnapshot, price_order, stock_use
from frontdesk.orders.new_lines import Performed, order_lines, performed_by
from frontdesk.orders.new_order import Booking, NewLine, StockDeduction
from frontdesk.orders.pricing import Discount
from frontdesk.orders.problems import EditProblem, OrderProblem, TillProblem
from frontdesk.orders.queries.order_state import lock_resources
from frontdesk.orders.queries.order_to_edit import OrderToEdit, order_to_edit
from frontdesk.orders.stock import StockUse, shortages
from frontdesk.orders.types import LineType, OrderLineRequest, OrderRequest, OrderState, Source, Status
from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query
from frontdesk.postgres.write import ABOVE_LIMIT
from frontdesk.problems import Problem, SharedProblem, check_version, raise_all
from frontdesk.values.actor import Author, author_of
from frontdesk.values.clock import current_time
from frontdesk.values.ids import uuid7
from frontdesk.values.money import round_half_up
from frontdesk.values.tenant_context import TenantContext
from frontdesk.values.time import get_zone, to_local


class OrderEdit(NamedTuple):
    """The order as it shall be. Lines that are not named are removed."""

    version: int | None  # of the order that the lines were read from
    lines: Sequence[LineChange]
    discount: Discount | None
    start: datetime | None  # without an offset: local time; None: it has no appointment
    note: str | None = None
    updated_at: datetime | None = None  # of the order that an application has read, which knows no version


class EditedOrder(msgspec.Struct, frozen=True):
    """What is written: the argument of the database function `edit_order`."""

    order_id: UUID
    version: int
    sub_total: Decimal
    discount_amount: Decimal
    total: Decimal
    tax_amount: Decimal
    discount: Discount | None
    starts_at: datetime | None
    note: str | None
    kept: list[NewLine]
    added: list[NewLine]
    stock: list[StockDeduction]
    bookings: list[Booking] | None  # None: no time changes
    discount_by: Author | None = None  # None: it does not change

    @property
    def lines(self) -> list[NewLine]:
        return [*self.kept, *self.added]


class EditOrder(Act[OrderToEdit], frozen=True):
    order_id: UUID
    edit: OrderEdit
    shown_total: Decimal | None = None  # the total that the user has seen
    may_discount: bool = True
    at_desk: bool = True  # False: an application

    def load(self) -> Query[OrderToEdit]:
        now, start = current_time(), self.edit.start
        if start is not None and start.date() < now.date():
            now = start  # what has begun is checked as of its beginning
        return order_to_edit(self.order_id, self.request, now).locking(
            lock_resources(self.order_id, self.request.lines)
        )

    @property
    def request(self) -> OrderRequest:
        return _request([line.requested for line in self.edit.lines], self.edit)

    def decide(self, context: Context[OrderToEdit]) -> FunctionCall:
        order = context.loaded.order
        check_version(self.edit.version, order.version, order.id)
        if self.edit.updated_at not in (None, context.loaded.updated_at):
            raise Problem(SharedProblem.OUTDATED, subject_id=order.id, tenant_id=None, version=None)
        edited = self.build(context)
        document = ResponseDocument("order_document", order.id)
        if not is_change(context.loaded, edited):
            return FunctionCall(None, None, document)
        if self.shown_total not in (None, edited.total):
            raise Problem(EditProblem.TOTAL_CHANGED)
        return FunctionCall("edit_order", edited, document, failure=check_failed, errors=ACCOUNT_ERRORS)

    def build(self, context: Context[OrderToEdit]) -> EditedOrder:
        """The order as it would become; raises if it cannot."""
        if not self.may_discount and self.edit.discount != context.loaded.discount:
            raise Problem(EditProblem.NEEDS_MANAGER)
        if not self.at_desk and self.edit.start is not None and context.loaded.order.starts_at is None:
            raise Problem(EditProblem.NO_APPOINTMENT, "start")
        author = author_of(context.actor, current_time())
        return build_edit(context.tenant, context.loaded, self.edit, author, at_desk=self.at_desk)

    def failure(self) -> Callable[[], Problem]:
        return check_failed


def above_account_limit() -> Problem:
    return Problem(TillProblem.ABOVE_ACCOUNT_LIMIT)


ACCOUNT_ERRORS: Final = {ABOVE_LIMIT: above_account_limit}


def build_edit(
    tenant: TenantContext, loaded: OrderToEdit, edit: OrderEdit, author: Author, *, at_desk: bool = True
) -> EditedOrder:
    """Raises if the order cannot become what is asked for."""
    order = loaded.order
    problem = find_edit_problem(
        status=order.status, is_refund=order.parent_id is not None, invoiced=order.invoiced, refunded=order.refunded
    )
    if problem is not None:
        raise problem
    changes = match_lines(edit.lines, loaded.sold)
    try:
        return _edited(tenant, loaded, edit, changes, author, at_desk=at_desk)
    except Problem as raised:
        raise as_sent(raised, changes) from raised


def _edited(
    tenant: TenantContext,
    loaded: OrderToEdit,
    edit: OrderEdit,
    changes: Sequence[LineChange],
    author: Author,
    *,
    at_desk: bool,
) -> EditedOrder:
    start = _start(tenant, loaded.order, edit)
    request = _request([change.requested for change in changes], edit)._replace(
        branch_id=loaded.order.branch_id, start=start
    )
    catalog = CatalogSnapshot(released_stock(loaded.inputs.context, loaded.sold), request)
    raise_all(changed_line_problems(request, changes, catalog))
    assigned = _assign(tenant, loaded, changes, catalog, start, is_unread=edit.start is None, at_desk=at_desk)
    performed = _performed(changes, assigned, author)
    staff, decimals = [line.staff_id for line in performed], tenant.currency_decimals
    priced = price_order(tenant, request, staff, catalog, author.at)
    lines = [
        edited_line(line, change.sold, author, decimals)
        for line, change in zip(order_lines(request, performed, staff, priced, catalog, decimals), changes, strict=True)
    ]
    stock = _stock(request, changes, lines, catalog)
    _check_total(loaded.order, priced.total, tenant.currency_decimals)
    kept = sum(change.sold is not None for change in changes)
    return EditedOrder(
        order_id=loaded.order.id,
        version=loaded.order.version,
        sub_total=priced.sub_total,
        discount_amount=priced.discount_amount,
        total=priced.total,
        tax_amount=priced.tax_amount,
        discount=edit.discount,
        # An order without services has no appointment left, and so nothing to be reminded of.
        starts_at=start if any(line.type is LineType.SERVICE for line in lines) else None,
        note=edit.note,
        kept=lines[:kept],
        added=lines[kept:],
        stock=stock,
        bookings=None if assigned is None else _bookings(changes, lines, assigned),
        discount_by=None if edit.discount == loaded.discount else author,
    )


def find_edit_problem(*, status: Status, is_refund: bool, invoiced: bool, refunded: bool) -> Problem | None:
    """Why the lines of an order cannot change."""
    if is_refund:
        return Problem(EditProblem.IS_REFUND)
    if status is Status.DRAFT:
        return Problem(EditProblem.IS_DRAFT)
    if status is Status.CANCELED:
        return Problem(EditProblem.IS_CANCELED)
    if invoiced:
        return Problem(EditProblem.HAS_INVOICE)
    return Problem(EditProblem.HAS_REFUNDS) if refunded else None


def _request(lines: list[OrderLineRequest], edit: OrderEdit) -> OrderRequest:
    return OrderRequest(None, None, edit.start, lines, None, (), Source.DASHBOARD, discount=edit.discount)


def _start(tenant: TenantContext, order: OrderState, edit: OrderEdit) -> datetime | None:
    if edit.start is None or order.starts_at is None:
        return order.starts_at
    if edit.start.tzinfo is None and edit.start == to_local(order.starts_at, get_zone(tenant.timezone)).replace(
        tzinfo=None
    ):
        return order.starts_at
    return tenant.to_utc(edit.start, "start")


def _assign(
    tenant: TenantContext,
    loaded: OrderToEdit,
    changes: Sequence[LineChange],
    catalog: CatalogSnapshot,
    start: datetime | None,
    *,
    is_unread: bool,
    at_desk: bool,
) -> list[Assignment] | None:
    """Who performs the services and when, back to back from the start; None if no time changes.

    `is_unread`: no start was sent, so that no schedules are read.
    """
    services = [change for change in changes if change.type is LineType.SERVICE]
    booked = [line for line in loaded.sold if line.type is LineType.SERVICE]
    same_lines = [change.sold.id for change in services if change.sold] == [line.id for line in booked]
    same_lines = same_lines and len(services) == len(booked) and not any(change.takes_other_time for change in services)
    if start is None or (same_lines and start == loaded.order.starts_at):
        return None
    if not services:
        return []
    if not loaded.inputs.schedules and is_unread:
        raise Problem(OrderProblem.START_REQUIRED, "start")
    now = current_time()
    to_schedule = [_service_to_schedule(change, catalog) for change in services]
    try:
        return assign_staff(
            tenant,
            to_schedule,
            loaded.inputs.schedules,
            start,
            min(now, start),
            current=current_times(loaded.sold),
            at_desk=at_desk,
        )
    except Problem as problem:
        if start >= now or not isinstance(problem.kind, TimeProblem):
            raise
        raise Problem(problem.kind, alternatives=[]) from problem


def _service_to_schedule(change: LineChange, catalog: CatalogSnapshot) -> ServiceToSchedule:
    """A line that keeps its provider, options and quantity takes as long as it was booked for."""
    service = catalog.service_to_schedule(change.requested)
    if change.sold is None or change.takes_other_time or change.sold.staff_id is None or not change.sold.duration:
        return service
    return service._replace(candidates={change.sold.staff_id: change.sold.duration})


def _performed(changes: Sequence[LineChange], assigned: list[Assignment] | None, author: Author) -> list[Performed]:
    times = iter(assigned or ())
    found = []
    for change in changes:
        booked = next(times, None) if change.type is LineType.SERVICE else None
        performed = performed_by(change.requested, booked.chosen_by(author) if booked else None)
        if booked is None and change.sold:
            performed = msgspec.structs.replace(performed, minutes=change.sold.duration)
        found.append(performed)
    return found


def _bookings(changes: Sequence[LineChange], lines: Sequence[NewLine], assigned: Sequence[Assignment]) -> list[Booking]:
    """A line that had a booking keeps it, and so its reference."""
    services = [
        (line, change.sold.booking if change.sold else None)
        for line, change in zip(lines, changes, strict=True)
        if change.type is LineType.SERVICE
    ]
    return [
        Booking(
            before.id if before else uuid7(), line.id, item_id=line.item_id, **booked._replace(chosen=None)._asdict()
        )
        for (line, before), booked in zip(services, assigned, strict=True)
        if line.item_id is not None
    ]


def _stock(
    request: OrderRequest, changes: Sequence[LineChange], lines: list[NewLine], catalog: CatalogSnapshot
) -> list[StockDeduction]:
    """A line with the same options takes what one unit of it took when it was sold."""
    fresh = stock_use(request, lines, catalog)
    by_line = [
        [StockDeduction(line.id, s.item_id, s.units, line.quantity, s.option_id) for s in change.sold.stock]
        if change.sold and not change.has_other_options
        else [use for use in fresh if use.line_id == line.id]
        for line, change in zip(lines, changes, strict=True)
    ]
    uses = [[StockUse(use.item_id, use.units * use.quantity, use.option_id) for use in line] for line in by_line]
    raise_all([short.problem for short in shortages(uses, catalog.products)])
    return [use for line in by_line for use in line]


def _check_total(order: OrderState, total: Decimal, decimals: int) -> None:
    if total < order.paid_amount:
        paid = round_half_up(order.paid_amount, decimals)
        raise Problem(EditProblem.PAID_MORE, paid=paid, total=round_half_up(total, decimals))


def is_change(loaded: OrderToEdit, edited: EditedOrder) -> bool:
    if edited.added or edited.bookings is not None or edited.discount != loaded.discount:
        return True
    return list(_terms_of_sold(loaded)) != [
        (line.id, line.quantity, line.price, line.own_discount, line.option_ids, line.staff_id) for line in edited.kept
    ]


def _terms_of_sold(loaded: OrderToEdit) -> Iterator[tuple[object, ...]]:
    for line in loaded.sold:
        yield line.id, line.quantity, line.price, line.own_discount, line.option_ids, line.staff_id
