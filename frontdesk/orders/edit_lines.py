"""The lines of an order that is changed, compared with those that were sold. Pure functions."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

import msgspec

from frontdesk.availability.check import CurrentTimes
from frontdesk.orders.context_types import OrderContext
from frontdesk.orders.lines import CatalogSnapshot, line_problems
from frontdesk.orders.new_lines import by_author, given_price
from frontdesk.orders.new_order import NewLine
from frontdesk.orders.origins import PriceOrigin
from frontdesk.orders.problems import EditProblem, OrderProblem
from frontdesk.orders.queries.order_to_edit import SoldLine
from frontdesk.orders.stock import StockUse, with_changed_stock
from frontdesk.orders.types import LineType, OrderLineRequest, OrderRequest
from frontdesk.problems import Problem, Problems, raise_all
from frontdesk.values.actor import Author


class LineChange(NamedTuple):
    """A line as it shall be. A price or discount of None stays as it was sold, or is that of the catalog."""

    line_id: UUID | None  # None: a new line
    type: LineType
    item_id: UUID
    quantity: int
    staff_id: UUID | None = None  # None for a service: any who is free
    option_ids: tuple[UUID, ...] = ()
    price: Decimal | None = None
    discount: Decimal | None = None
    sold: SoldLine | None = None  # found by `match_lines`
    place: int = 0  # among the lines that were sent, likewise

    @property
    def has_other_options(self) -> bool:
        return self.sold is None or self.option_ids != self.sold.option_ids

    @property
    def takes_other_time(self) -> bool:
        """Whether a service line needs another time or provider than it has."""
        sold = self.sold
        return (
            sold is None or self.has_other_options or self.quantity != sold.quantity or self.staff_id != sold.staff_id
        )

    @property
    def requested(self) -> OrderLineRequest:
        """With other options a line is another variant, which has its own price and today's tax rate."""
        sold = None if self.has_other_options else self.sold
        own_discount = self.sold.own_discount if self.sold else Decimal(0)
        return OrderLineRequest(
            self.item_id,
            self.type,
            self.quantity,
            self.staff_id,
            self.price if self.price is not None else sold.price if sold else None,
            own_discount if self.discount is None else self.discount,
            self.option_ids,
            self.sold.discountable if self.sold else True,
            tax_rate=sold.tax_rate if sold else None,
        )


def match_lines(changes: Sequence[LineChange], sold: Sequence[SoldLine]) -> list[LineChange]:
    """The lines that stay, in their order, then the new ones."""
    if not changes:
        raise Problem(EditProblem.NO_LINES)
    by_id = {line.id: line for line in sold}
    problems = []
    for index, change in enumerate(changes):
        line = by_id.get(change.line_id) if change.line_id else None
        if change.line_id is not None and (line is None or line.item_id != change.item_id):
            problems.append(Problem(OrderProblem.UNKNOWN_LINE, "lines", index, "line_id"))
    named = [change.line_id for change in changes if change.line_id is not None]
    if len(set(named)) < len(named):
        problems.append(Problem(EditProblem.LINE_TWICE, "lines"))
    raise_all(problems)
    sent = [change._replace(place=place) for place, change in enumerate(changes)]
    kept = {change.line_id: change for change in sent if change.line_id is not None}
    stay = [kept[line.id]._replace(type=line.type, sold=line) for line in sold if line.id in kept]
    return [*stay, *(change for change in sent if change.line_id is None)]


def as_sent(problem: Problem, changes: Sequence[LineChange]) -> Problem:
    """The same problem, with the places that its lines had when they were sent."""
    return Problems([_of_sent_line(part, changes) for part in problem.all])


def _of_sent_line(problem: Problem, changes: Sequence[LineChange]) -> Problem:
    match problem.at:
        case ("lines", int(index), *field):
            return Problem(problem.kind, "lines", changes[index].place, *field, **problem.values)
    return problem


def changed_line_problems(
    request: OrderRequest, changes: Sequence[LineChange], catalog: CatalogSnapshot
) -> list[Problem]:
    """What was sold stays sold, also if it is no longer for sale; what changes must be possible today."""
    allowed: set[tuple[str | int, ...]] = set()
    for index, change in enumerate(changes):
        if change.sold is None:
            continue
        if not change.has_other_options:
            allowed |= {("lines", index, "item_id"), ("lines", index, "option_id")}
        if change.staff_id == change.sold.staff_id:
            allowed.add(("lines", index, "staff_id"))
    return [problem for problem in line_problems(request, catalog) if problem.at not in allowed]


def current_times(sold: Sequence[SoldLine]) -> CurrentTimes:
    times: dict[UUID, list[tuple[datetime, datetime]]] = {}
    for booking in (line.booking for line in sold if line.booking):
        times.setdefault(booking.staff_id, []).extend(booking.held)
    return times


def released_stock(context: OrderContext, sold: Sequence[SoldLine]) -> OrderContext:
    """The catalog with what the order holds back in stock, so that it can be taken again."""
    held = [StockUse(use.item_id, use.units * line.quantity, use.option_id) for line in sold for use in line.stock]
    return with_changed_stock(context, held)


def edited_line(line: NewLine, sold: SoldLine | None, author: Author, decimals: int) -> NewLine:
    """A line that stays keeps why it costs what it does, except for what has changed."""
    line = by_author(line, author)
    if sold is None:
        return line
    return msgspec.structs.replace(
        line, id=sold.id, name=sold.name, priced=_edited_origin(line, sold, author, decimals)
    )


def _edited_origin(line: NewLine, sold: SoldLine, author: Author, decimals: int) -> PriceOrigin | None:
    """None: as it is stored, which is nothing of a line from before it was stored."""
    origin = line.priced
    if line.option_ids == sold.option_ids:
        if line.price == sold.price and line.own_discount == sold.own_discount:
            return None
        if sold.priced is None:
            return None if line.price == sold.price else origin
        origin = given_price(sold.priced, line.price, line.tax_rate, decimals)
        by = sold.priced.by if line.price == sold.price else author
        origin = msgspec.structs.replace(origin, by=by, discounted_by=author)
    if origin is None or sold.priced is None or line.own_discount != sold.own_discount:
        return origin
    return msgspec.structs.replace(origin, discounted_by=sold.priced.discounted_by)
