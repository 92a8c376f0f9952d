"""A small shop kept twice: in the database by the service, and in a few dictionaries by the plainest rules."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any
from uuid import UUID, uuid4

from frontdesk.orders.pricing import Discount, DiscountKind
from frontdesk.orders.types import LineType, OrderLineRequest, OrderRequest
from frontdesk.postgres.pool import Connection
from tests.factories.catalog import (
    make_branch,
    make_package,
    make_payment_method,
    make_product,
    make_service,
    make_tax_class,
)
from tests.factories.changes import change_rows
from tests.factories.people import assign_service, make_customer, make_staff, make_working_hours
from tests.factories.settings import make_tenant
from tests.factories.tenant_rows import ConnectionRows
from tests.orders.sale_rules import HOLDS_NOTHING, Refund, Sale, half_up
from tests.support.invariants import expected_payment_status
from tests.support.pagination import Document

GRID = timedelta(minutes=15)
FIRST_START = datetime(2035, 6, 4, 6, tzinfo=UTC)


@dataclass
class CatalogItem:
    """Something for sale; prices are whole minor units."""

    type: LineType
    price: int
    offer: int | None = None
    stock: int = 0
    minutes: Mapping[UUID, int] = field(default_factory=dict)  # of a service, by who performs it
    staff_prices: Mapping[UUID, int] = field(default_factory=dict)  # of the only one who performs it
    contents: Mapping[UUID, int] = field(default_factory=dict)  # products of a package


class Ledger:
    """`why_not…` foretell every code with which an act may be refused; none means that it must be done."""

    def __init__(self, things: dict[UUID, CatalogItem], decimals: int) -> None:
        self.items = things
        self.decimals = decimals
        self.sales: dict[UUID, Sale] = {}

    def minor(self, amount: Decimal) -> int:
        return int(amount.scaleb(self.decimals))

    def major(self, minor: int) -> Decimal:
        return Decimal(minor).scaleb(-self.decimals)

    def unit(self, line: OrderLineRequest, *, draft: bool = False) -> int:
        """A draft has not found its provider yet, so only one who is named has a say in its price."""
        if line.unit_amount is not None:
            return self.minor(line.unit_amount)
        thing = self.items[line.item_id]
        performer = line.staff_id or (None if draft else next(iter(thing.staff_prices), None))
        own = None if performer is None else thing.staff_prices.get(performer)
        return next(price for price in (own, thing.offer, thing.price) if price is not None)

    def before_discount(self, asked: OrderRequest) -> list[int]:
        """What each line comes to once its own discount is off."""
        return [
            self.unit(line, draft=asked.draft) * line.quantity - self.minor(line.discount_amount)
            for line in asked.lines
        ]

    def total(self, asked: OrderRequest) -> int:
        lines = self.before_discount(asked)
        return sum(lines) - self._order_discount(asked.discount, sum(lines))

    def _order_discount(self, discount: Discount | None, base: int) -> int:
        if discount is None:
            return 0
        if discount.kind is DiscountKind.FIXED:
            return min(self.minor(discount.amount), base)
        return half_up(Fraction(base) * Fraction(discount.amount) / 100)

    def units(self, lines: Mapping[UUID, int] | list[tuple[UUID, int]]) -> dict[UUID, int]:
        """Products that quantities of things hold."""
        found: dict[UUID, int] = {}
        for thing_id, quantity in lines.items() if isinstance(lines, Mapping) else lines:
            thing = self.items[thing_id]
            held = {thing_id: 1} if thing.type is LineType.PRODUCT else thing.contents
            for product, each in held.items():
                found[product] = found.get(product, 0) + each * quantity
        return found

    def short(self, lines: list[tuple[UUID, int]]) -> bool:
        return any(self.items[product].stock < units for product, units in self.units(lines).items())

    def move_stock(self, lines: list[tuple[UUID, int]], sign: int) -> None:
        for product, units in self.units(lines).items():
            self.items[product].stock += sign * units

    def busy(self, staff: UUID, begin: datetime, end: datetime) -> bool:
        return any(
            who == staff and first < end and begin < last
            for sale in self.sales.values()
            if sale.status not in HOLDS_NOTHING
            for who, first, last in sale.stretches
        )

    def goes(self, lines: list[OrderLineRequest], start: datetime) -> bool:
        """Is a provider free for each service in turn?"""
        services = [line for line in lines if line.type is LineType.SERVICE]
        if not services:
            return True
        line = services[0]
        for staff, minutes in self.items[line.item_id].minutes.items():
            end = start + timedelta(minutes=minutes * line.quantity)
            fits = line.staff_id in (None, staff) and not self.busy(staff, start, end)
            if fits and self.goes(services[1:], end):
                return True
        return False

    def why_not_place(self, asked: OrderRequest) -> Iterator[str]:
        if not asked.draft and self.short([(line.item_id, line.quantity) for line in asked.lines]):
            yield "validation_error"
        if not asked.draft and asked.start and not self.goes(asked.lines, asked.start):
            yield "timeslot_unavailable"
        if asked.payments and asked.draft:
            yield "order_is_draft"
        below_zero = any(amount < 0 for amount in self.before_discount(asked))
        amounts = [] if asked.draft else [self.minor(payment.amount) for payment in asked.payments]
        if below_zero or any(not 0 < amount <= self.total(asked) for amount in amounts):
            yield "validation_error"

    def why_not_move(self, sale: Sale, status: str) -> Iterator[str]:
        if status == sale.status:
            return
        if status == "canceled":
            yield from sale.why_not_cancel()
        elif sale.status == "canceled" and (sale.refunded or sale.invoiced):
            yield "invalid_status_transition"
        elif not sale.stands:
            yield from self._why_not_stand(sale)

    def _why_not_stand(self, sale: Sale) -> Iterator[str]:
        if not sale.booked and sale.asked.start and not self.goes(sale.asked.lines, sale.asked.start):
            yield "timeslot_unavailable"
        if sale.booked and any(self.busy(*stretch) for stretch in sale.stretches):
            yield "timeslot_unavailable"
        if self.short([(line.thing, line.quantity) for line in sale.lines]):
            yield "validation_error"

    def moved(self, sale: Sale, status: str) -> None:
        """What moving an order does to the shelf; its time follows from the status by itself."""
        if status == sale.status:
            return
        if status == "canceled":
            self.move_stock(sale.cancel(), 1)
            return
        if not sale.stands:
            self.move_stock([(line.thing, line.quantity) for line in sale.lines], -1)
        sale.status = status
        sale.history.append(status)

    def learn_bookings(self, sale: Sale, document: Document) -> None:
        """Who was chosen is the service's to say; that they may and can is checked here."""
        bookings = document["bookings"]
        services = [line for line in sale.asked.lines if line.type is LineType.SERVICE]
        at, others = sale.asked.start, [other for other in self.sales.values() if other is not sale]
        assert len(bookings) == len(services)
        sale.stretches = []
        for line, booking in zip(services, bookings, strict=True):
            assert at is not None
            staff, begin = UUID(booking["staff_id"]), datetime.fromisoformat(booking["start"])
            end = at + timedelta(minutes=self.items[line.item_id].minutes[staff] * line.quantity)
            assert line.staff_id in (None, staff)
            assert (begin, datetime.fromisoformat(booking["end"])) == (at, end)
            assert not any(self._meets(other, staff, begin, end) for other in others)
            sale.stretches.append((staff, begin, end))
            at = end
        sale.booked = True

    def _meets(self, sale: Sale, staff: UUID, begin: datetime, end: datetime) -> bool:
        return sale.status not in HOLDS_NOTHING and any(
            who == staff and first < end and begin < last for who, first, last in sale.stretches
        )

    def check(self, sale: Sale, document: Document) -> None:
        """The published order says what the ledger says."""
        amounts = {name: self.minor(Decimal(document[name])) for name in document if name.endswith("_amount")}
        assert (document["status"], self.minor(Decimal(document["total"]))) == (sale.status, sale.total)
        assert document["payment_status"] == expected_payment_status(
            Decimal(sale.total), Decimal(sale.paid), Decimal(sale.refunded)
        )
        assert (amounts["paid_amount"], amounts["refunded_amount"]) == (sale.paid, sale.refunded)
        assert amounts["remaining_amount"] == sale.total - sale.paid
        assert len(document["refund_ids"]) == len(sale.refunds)
        assert [self._paid(payment) for payment in document["transactions"]] == [
            (str(p.method), p.amount, "refunded" if p.back == p.amount else "confirmed") for p in sale.payments
        ]
        assert [step["to"] for step in document["status_history"]] == sale.history
        assert len(document["bookings"]) == len(sale.stretches)
        for item, line in zip(document["items"], sale.lines, strict=True):
            assert (UUID(item["id"]), item["quantity"]) == (line.thing, line.quantity)
            assert self.minor(Decimal(item["total"])) == line.total
            assert item["price"] * item["quantity"] - item["discount_amount"] == item["total"]
        assert sum(item["discount_amount"] for item in document["items"]) == document["discount_amount"]

    def check_refund(self, refund: Refund, child: Document) -> None:
        """The refund's own order says what was given back, by which methods."""
        assert (child["status"], refund.amount) == ("completed", -self.minor(Decimal(child["total"])))
        given: dict[str, int] = {}
        for method, amount, _ in map(self._paid, child["transactions"]):
            given[method] = given.get(method, 0) - amount
        assert given == {str(method): amount for method, amount in refund.by_method.items()}
        assert sum(item["total"] for item in child["items"]) == child["total"]

    def _paid(self, transaction: Document) -> tuple[str, int, str]:
        return transaction["payment_method"]["id"], self.minor(Decimal(transaction["amount"])), transaction["status"]


@dataclass
class StoreIds:
    """Where the ledger's things are sold, as rows."""

    branch_id: UUID
    customer_id: UUID
    staff: list[UUID]
    methods: list[UUID]


async def add_tenant(conn: Connection, currency: str, decimals: int) -> UUID:
    id_ = await make_tenant(conn, currency=currency, decimals=decimals)
    await make_tax_class(ConnectionRows(conn, id_), "15", is_default=True)
    return id_


async def add_store(conn: Connection, tenant_id: UUID) -> StoreIds:
    """Always open, with two staff, two payment methods and a customer.

    The ids of the staff are in order, so that a repeated history chooses the same one of two who are equally free.
    """
    rows = ConnectionRows(conn, tenant_id)
    branch_id = await make_branch(rows)
    await make_working_hours(rows, {}, branch_id=branch_id, all_time=True)
    staff = sorted([uuid4(), uuid4()])
    for staff_id in staff:
        await make_staff(rows, id_=staff_id, branch_id=branch_id)
    methods = [await make_payment_method(rows), await make_payment_method(rows)]
    return StoreIds(branch_id, await make_customer(rows), staff, methods)


async def add_catalog_items(
    conn: Connection, tenant_id: UUID, here: StoreIds, items: dict[UUID, CatalogItem], decimals: int
) -> None:
    """Packages last, since they hold the others."""
    rows = ConnectionRows(conn, tenant_id)

    def major(minor: int | None) -> str | None:
        return None if minor is None else str(Decimal(minor).scaleb(-decimals))

    for id_, item in sorted(items.items(), key=lambda pair: pair[1].type is LineType.PACKAGE):
        more: dict[str, Any] = {
            "id_": id_,
            "branch_id": here.branch_id,
            "price": major(item.price),
            "offer_price": major(item.offer),
        }
        match item.type:
            case LineType.PACKAGE:
                await make_package(rows, item.contents, **more)
            case LineType.PRODUCT:
                await make_product(rows, stock=item.stock, **more)
            case LineType.SERVICE:
                await make_service(rows, duration=1440, **more)
        for staff_id, minutes in item.minutes.items():
            price = major(item.staff_prices.get(staff_id))
            await assign_service(rows, staff_id, id_, price=price, duration=minutes)
    reduced = await make_tax_class(rows, "5")  # so that orders have lines of two rates
    await change_rows(rows, "items", {"type": "product"}, tax_class_id=reduced)
