"""From asked lines to lines of an order: what the books know about each, what it costs, what it takes from stock."""

from collections.abc import Iterator
from decimal import Decimal
from uuid import UUID

from frontdesk.errors import WireError, invalid
from frontdesk.kit.ids import new_id
from frontdesk.orders.pricing import LineToPrice, Priced, PricingError, price, unit_price
from frontdesk.orders.types import (
    AskedLine,
    AskedOrder,
    ItemFacts,
    Line,
    LineType,
    OrderFacts,
    PackageFacts,
    Performer,
    StockUse,
)

Faults = dict[str, list[str]]


class Books:
    """The facts of one order, looked up by id."""

    def __init__(self, facts: OrderFacts) -> None:
        self.facts = facts
        self.items = {item.id: item for item in facts.items}
        self.packages = {package.id: package for package in facts.packages}
        self._performers = {(p.item_id, p.staff_id): p for p in facts.performers}

    def sold(self, line: AskedLine) -> ItemFacts | PackageFacts | None:
        if line.type is LineType.PACKAGE:
            return self.packages.get(line.item_id)
        item = self.items.get(line.item_id)
        return item if item is not None and item.type is line.type else None

    def performer(self, item_id: UUID, staff_id: UUID) -> Performer | None:
        return self._performers.get((item_id, staff_id))

    def performers(self, item_id: UUID) -> list[Performer]:
        return [p for p in self.facts.performers if p.item_id == item_id]


def check_order(asked: AskedOrder, books: Books) -> None:
    """Everything that is wrong with what the order names, all at once."""
    faults: Faults = {}
    if not books.facts.branch:
        faults["team_id"] = ["is not a branch of this business"]
    if asked.customer_id is not None:
        customer = books.facts.customer
        if customer is None:
            faults["customer_id"] = ["is not a customer of this business"]
        elif customer.blocked:
            faults["customer_id"] = ["is blocked by the business"]
    for place, line in enumerate(asked.lines):
        for field, fault in _line_faults(line, asked.branch_id, books):
            faults.setdefault(f"items.{place}.{field}", []).append(fault)
    if asked.start is None and any(line.type is LineType.SERVICE for line in asked.lines):
        faults["start"] = ["is required when an item is a service"]
    for place, fault in _stock_faults(asked, books):
        faults.setdefault(f"items.{place}.quantity", []).append(fault)
    if faults:
        raise invalid(faults)


def _line_faults(line: AskedLine, branch_id: UUID, books: Books) -> Iterator[tuple[str, str]]:
    sold = books.sold(line)
    if sold is None:
        yield "id", f"is not a {line.type} of this business"
        return
    if sold.branch_id != branch_id:
        yield "id", "belongs to another branch"
    elif not sold.status:
        yield "id", "is not for sale at the moment"
    is_service = line.type is LineType.SERVICE
    if is_service and line.staff_id is not None and books.performer(line.item_id, line.staff_id) is None:
        yield "staff_id", "does not perform this service in this branch"


def _stock_faults(asked: AskedOrder, books: Books) -> Iterator[tuple[int, str]]:
    """Lines of the same product share its stock; the one that goes beyond it is named."""
    left = {item.id: item.stock for item in books.items.values() if item.stock is not None}
    left |= {c.item_id: c.stock for p in books.packages.values() for c in p.contents if c.stock is not None}
    for place, line in enumerate(asked.lines):
        for item_id, pieces in _pieces(line, books).items():
            left[item_id] = left.get(item_id, 0) - pieces * line.quantity
            if left[item_id] < 0:
                yield place, "is more than there is in stock"


def _pieces(line: AskedLine, books: Books) -> dict[UUID, int]:
    """What one unit of a line takes from stock: a package takes the products it holds."""
    match line.type:
        case LineType.PRODUCT:
            return {line.item_id: 1}
        case LineType.PACKAGE:
            package = books.packages.get(line.item_id)
            return {c.item_id: c.quantity for c in (package.contents if package else []) if c.stock is not None}
        case LineType.SERVICE:
            return {}


def stock_use(asked: AskedOrder, lines: list[Line], books: Books) -> list[StockUse]:
    return [
        StockUse(line.id, item_id, pieces, line.quantity)
        for wanted, line in zip(asked.lines, lines, strict=True)
        for item_id, pieces in _pieces(wanted, books).items()
    ]


def price_lines(asked: AskedOrder, staff: list[UUID | None], books: Books, decimals: int) -> Priced:
    """`staff` is who performs each line; their own price counts before the catalogue's."""
    to_price = [
        LineToPrice(_unit(line, staff[place], books), line.quantity, line.discount_amount)
        for place, line in enumerate(asked.lines)
    ]
    try:
        return price(to_price, None, decimals)
    except PricingError as wrong:
        raise _pricing_fault(wrong) from wrong


def _unit(line: AskedLine, staff_id: UUID | None, books: Books) -> Decimal:
    sold = books.sold(line)
    if sold is None:
        raise AssertionError("priced before it was checked")
    performer = books.performer(line.item_id, staff_id) if staff_id else None
    return unit_price(
        override=line.unit_amount,
        provider_price=performer.price if performer else None,
        offer_price=sold.offer_price,
        price=sold.price,
    )


def _pricing_fault(wrong: PricingError) -> WireError:
    faults: Faults = {}
    for flaw in wrong.flaws:
        field = flaw.field if flaw.line is None else f"items.{flaw.line}.{flaw.field}"
        faults.setdefault(field, []).append(str(flaw.fault))
    return invalid(faults)


def order_lines(
    asked: AskedOrder, staff: list[UUID | None], durations: list[int | None], priced: Priced, books: Books
) -> list[Line]:
    lines = []
    for place, line in enumerate(asked.lines):
        sold, amounts = books.sold(line), priced.lines[place]
        if sold is None:
            raise AssertionError("written before it was checked")
        is_package = line.type is LineType.PACKAGE
        lines.append(
            Line(
                id=new_id(),
                type=line.type,
                item_id=None if is_package else line.item_id,
                package_id=line.item_id if is_package else None,
                staff_id=staff[place],
                name=sold.name,
                price=amounts.unit_amount,
                quantity=line.quantity,
                discount_amount=amounts.discount_amount,
                total=amounts.net_amount,
                duration=durations[place],
            )
        )
    return lines
