"""After any sequence of acts on orders, the stored totals equal those of a plain ledger."""

from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import given, note, settings, strategies as st

from frontdesk.invoices.money_types import RefundRequest
from frontdesk.invoices.order_queries import order_to_refund
from frontdesk.orders.change_status import SettableStatus
from frontdesk.orders.pricing import Discount, DiscountKind
from frontdesk.orders.types import LineType, OrderLineRequest, OrderRequest, PaymentRequest, Source
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.problems import Problem
from frontdesk.values.tenant_context import TenantContext
from tests.factories.changes import change_tenant
from tests.orders.drivers import SYSTEM, ActDriver, HttpDriver, OrderDriver
from tests.orders.ledger import (
    FIRST_START,
    GRID,
    CatalogItem,
    Ledger,
    StoreIds,
    add_catalog_items,
    add_store,
    add_tenant,
)
from tests.orders.sale_rules import Paid, Refund, Sale, Sold
from tests.orders.test_offered_starts_book import undone
from tests.support.acts import give_up_order, issue_invoice, refund_order
from tests.support.invariants import broken_invariants, stock_and_held
from tests.support.pagination import Document
from tests.support.problems import code_of
from tests.support.repetitions import repetitions
from tests.support.service import Service
from tests.support.shop import Shop

pytestmark = [pytest.mark.both_servers, pytest.mark.torture]

CURRENCIES = [("SAR", 2), ("KWD", 3), ("JPY", 0)]
STATUSES = list(SettableStatus)


class History:
    """One business, driven step by step, and compared with its ledger after each."""

    def __init__(
        self, data: st.DataObject, counter: OrderDriver, acts: ActDriver, here: StoreIds, ledger: Ledger
    ) -> None:
        self.draw = data.draw
        self.counter = counter
        self.acts = acts
        self.here = here
        self.ledger = ledger

    async def step(self) -> None:
        acts = [self.place, self.move, self.refund, self.pay, self.move, self.refund, self.give_up]
        if not self.ledger.sales:
            await self.place()
        elif self.rarely():
            await self.invoice()
        else:
            await self.draw(st.sampled_from(acts))()

    def some_sale(self, fitting: Callable[[Sale], object] = bool) -> tuple[UUID, Sale]:
        """Mostly one that the act suits, and the latest of them: much must happen to one order to be interesting."""
        sales = list(self.ledger.sales.items())
        suited = [(order_id, sale) for order_id, sale in sales if fitting(sale)]
        if self.rarely() or not suited:
            return self.draw(st.sampled_from(sales))
        return suited[-1] if self.draw(st.booleans()) else self.draw(st.sampled_from(suited))

    def rarely(self) -> bool:
        return self.draw(st.integers(0, 9)) == 9

    def settle(self, outcome: str | None, expected: Iterable[str]) -> bool:
        """Was it done? It must be exactly where the ledger sees nothing against it."""
        allowed = set(expected)
        note(f"  {outcome or 'done'}, expected {allowed or 'done'}")
        assert outcome in allowed if allowed else outcome is None
        return outcome is None

    async def place(self) -> None:
        asked = self.draw(self._orders())
        note(f"place {asked}")
        placed = await self.counter.place(asked)
        if not self.settle(placed if isinstance(placed, str) else None, self.ledger.why_not_place(asked)):
            return
        assert isinstance(placed, dict)
        document = await self.counter.read(UUID(placed["id"]))
        lines = [
            Sold(line.item_id, line.quantity, self.ledger.minor(Decimal(item["total"])))
            for line, item in zip(asked.lines, document["items"], strict=True)
        ]
        sale = Sale(asked, "draft" if asked.draft else "confirmed", lines)
        sale.history = [sale.status]
        for payment in asked.payments:
            assert payment.method_id is not None
            sale.payments.append(Paid(payment.method_id, self.ledger.minor(payment.amount)))
        assert placed["total"] == document["total"] == self.ledger.major(self.ledger.total(asked))
        assert placed["payment_status"] == document["payment_status"]
        if not asked.discount:
            assert [line.total for line in lines] == self.ledger.before_discount(asked)
        if not asked.draft:
            self.ledger.move_stock([(line.thing, line.quantity) for line in lines], -1)
            self.ledger.learn_bookings(sale, document)
        self.ledger.sales[UUID(placed["id"])] = sale
        self.ledger.check(sale, document)

    async def move(self) -> None:
        (order_id, sale), status = self.some_sale(), self.draw(st.sampled_from([*STATUSES, SettableStatus.CANCELED]))
        note(f"move {order_id} from {sale.status} to {status}")
        expected = list(self.ledger.why_not_move(sale, status))
        if not self.settle(await self.counter.move(order_id, status), expected):
            return
        document = await self.counter.read(order_id)
        if status != "canceled" and not sale.booked:
            self.ledger.learn_bookings(sale, document)
        self.ledger.moved(sale, status)
        self.ledger.check(sale, document)

    async def pay(self) -> None:
        order_id, sale = self.some_sale(lambda sale: sale.paid < sale.total and sale.stands)
        left = sale.total - sale.paid
        amount = self.draw(st.one_of(st.just(left), st.integers(1, max(left, 1))))
        amount = self.draw(st.sampled_from([0, left + 1])) if self.rarely() else amount
        note(f"pay {order_id} {amount} of {left}")
        method = self.draw(st.sampled_from(self.here.methods))
        payment = PaymentRequest(self.ledger.major(amount), method, None, None, None, None)
        if self.settle(await self.counter.pay(order_id, payment), sale.why_not_pay(amount)):
            sale.payments.append(Paid(method, amount))
            self.ledger.check(sale, await self.counter.read(order_id))

    async def refund(self) -> None:
        order_id, sale = self.some_sale(lambda sale: sale.left)
        refund = self.draw(self._refunds(sale))
        note(f"refund {order_id} {refund}, {sale.left} are left, {sale.status}")
        expected = list(sale.why_not_refund(refund))
        child = await self._refund(order_id, refund)
        if not self.settle(child if isinstance(child, str) else None, expected):
            return
        self.ledger.move_stock(sale.refund(refund), 1)
        assert isinstance(child, UUID)
        self.ledger.check_refund(refund, await self.counter.read(child))
        self.ledger.check(sale, await self.counter.read(order_id))

    async def _refund(self, order_id: UUID, refund: Refund) -> UUID | str:
        sold = (await fetch(self.acts.conn, self.acts.tenant.tenant_id, order_to_refund(order_id, None))).sold
        request = RefundRequest(
            lines=None if refund.units is None else dict(zip((line.id for line in sold), refund.units, strict=True)),
            amount=None if refund.amount is None else self.ledger.major(refund.amount),
            restock=refund.restock,
            cancel_order=refund.cancel,
            method_id=refund.method,
        )
        try:
            return await refund_order(self.acts.conn, self.acts.tenant, order_id, request, SYSTEM)
        except Problem as refused:
            return code_of(refused)

    @st.composite
    @staticmethod
    def _refund_of(draw: st.DrawFn, history: "History", sale: Sale) -> Refund:
        refund = Refund(cancel=draw(st.integers(0, 3)) == 3, restock=draw(st.booleans()))
        refund.method = draw(st.one_of(st.none(), st.none(), st.sampled_from(history.here.methods)))
        beyond = int(draw(st.integers(0, 9)) == 9)
        kind = draw(st.sampled_from(["lines", "amount", "whole"]))
        if kind == "lines":
            refund.units = [draw(st.integers(0, line.left + beyond)) for line in sale.lines]
        elif kind == "amount":
            refund.amount = sale.left + 1 if beyond else draw(st.integers(0 if sale.left < 2 else 1, max(sale.left, 1)))
            refund.restock = refund.restock and bool(draw(st.integers(0, 9)) == 9)
        return refund

    def _refunds(self, sale: Sale) -> st.SearchStrategy[Refund]:
        return History._refund_of(self, sale)

    async def invoice(self) -> None:
        order_id, sale = self.some_sale(lambda sale: not sale.invoiced)
        note(f"invoice {order_id}, {sale.status}")
        try:
            await issue_invoice(self.acts.conn, self.acts.tenant, order_id, None)
            outcome = None
        except Problem as refused:
            outcome = code_of(refused)
        if self.settle(outcome, sale.why_not_invoice()):
            sale.invoice()

    async def give_up(self) -> None:
        order_id, sale = self.some_sale(lambda sale: sale.stands and (sale.invoiced or sale.refunds))
        note(f"give up {order_id}, {sale.status}, invoiced: {sale.invoiced}")
        try:
            await give_up_order(self.acts.conn, self.acts.tenant, order_id, SYSTEM)
            outcome = None
        except Problem as refused:
            outcome = code_of(refused)
        if self.settle(outcome, sale.why_not_give_up()) and sale.status != "canceled":
            self.ledger.move_stock(sale.cancel(), 1)
            self.ledger.check(sale, await self.counter.read(order_id))

    @st.composite
    @staticmethod
    def _lines(draw: st.DrawFn, history: "History") -> OrderLineRequest:
        ledger = history.ledger
        id_, thing = draw(st.sampled_from(list(ledger.items.items())))
        quantity = draw(st.integers(1, 2 if thing.minutes else 5))
        minor = st.integers(0, 5000)
        line = OrderLineRequest(
            id_,
            thing.type,
            quantity,
            draw(st.one_of(st.none(), st.sampled_from(list(thing.minutes)))) if thing.minutes else None,
            draw(st.one_of(st.none(), st.none(), minor.map(ledger.major))),
        )
        whole = ledger.unit(line) * quantity
        discount = draw(st.one_of(st.just(0), st.just(0), st.integers(0, whole), st.just(whole)))
        discount = whole + 1 if draw(st.integers(0, 19)) == 19 else discount
        return line._replace(discount_amount=ledger.major(discount))

    @st.composite
    @staticmethod
    def _asked(draw: st.DrawFn, history: "History") -> OrderRequest:
        lines = draw(st.lists(History._lines(history), min_size=1, max_size=2))
        ledger, start = history.ledger, FIRST_START + draw(st.integers(0, 3)) * GRID
        asked = OrderRequest(
            branch_id=history.here.branch_id,
            customer_id=history.here.customer_id,
            start=start if any(line.type is LineType.SERVICE for line in lines) else None,
            lines=lines,
            note=None,
            payments=(),
            source=Source.API,
            draft=draw(st.integers(0, 7)) == 7,
            discount=draw(st.one_of(st.none(), st.none(), history._discounts())),
        )
        if draw(st.integers(0, 2)):
            total = max(ledger.total(asked), 1)
            amount = draw(st.one_of(st.just(total), st.just(total), st.integers(1, total)))
            amount = total + 1 if draw(st.integers(0, 9)) == 9 else amount
            payment = PaymentRequest(ledger.major(amount), history.here.methods[0], None, None, None, None)
            asked = asked._replace(payments=(payment,))
        return asked

    def _orders(self) -> st.SearchStrategy[OrderRequest]:
        return History._asked(self)

    def _discounts(self) -> st.SearchStrategy[Discount]:
        percentage = st.integers(0, 1000).map(
            lambda n: Discount(DiscountKind.PERCENTAGE, Decimal(n) / 10, apply_all=True)
        )
        fixed = st.integers(0, 6000).map(lambda n: Discount(DiscountKind.FIXED, self.ledger.major(n), apply_all=True))
        return st.one_of(percentage, fixed)


def stocked(draw: Any, here: StoreIds) -> dict[UUID, CatalogItem]:
    """Few units and few people, so that things run out; one performer has a price of their own."""
    prices = st.integers(0, 9999)
    hair, nails, oil, comb, box = (uuid4() for _ in range(5))
    anna, basma = here.staff
    return {
        hair: CatalogItem(LineType.SERVICE, draw(prices), minutes={anna: 30, basma: 45}),
        nails: CatalogItem(
            LineType.SERVICE, draw(prices), draw(prices), minutes={anna: 60}, staff_prices={anna: draw(prices)}
        ),
        oil: CatalogItem(LineType.PRODUCT, draw(prices), stock=draw(st.integers(0, 40))),
        comb: CatalogItem(LineType.PRODUCT, draw(prices), draw(prices), stock=draw(st.integers(0, 20))),
        box: CatalogItem(LineType.PACKAGE, draw(prices), contents={oil: 2, comb: 1}),
    }


@pytest.mark.one_server
@pytest.mark.timeout(600)  # a history that fails is cut short until nothing can be left out of it
@settings(max_examples=repetitions(20, long=120))
@given(data=st.data())
async def test_any_history_of_orders_payments_and_refunds_keeps_the_invariants(
    conn: Connection, data: st.DataObject
) -> None:
    currency, decimals = data.draw(st.sampled_from(CURRENCIES))
    async with undone(conn):
        tenant_id = await add_tenant(conn, currency, decimals)
        here = await add_store(conn, tenant_id)
        acts = ActDriver(conn, TenantContext(tenant_id, "Asia/Riyadh", currency, decimals, ("ar",), 15))
        await run(data, acts, acts, here)


async def run(data: st.DataObject, counter: OrderDriver, acts: ActDriver, here: StoreIds) -> None:
    conn, tenant = acts.conn, acts.tenant
    ledger = Ledger(stocked(data.draw, here), tenant.currency_decimals)
    await add_catalog_items(conn, tenant.tenant_id, here, ledger.items, tenant.currency_decimals)
    shelves = await stock_and_held(conn, tenant.tenant_id)
    history = History(data, counter, acts, here, ledger)
    for _ in range(data.draw(st.integers(6, 20), label="steps")):
        await history.step()
    assert await broken_invariants(conn, tenant.tenant_id) == []
    assert await stock_and_held(conn, tenant.tenant_id) == shelves
    stock = await conn.fetch(
        "SELECT id, stock FROM items WHERE tenant_id = $1 AND type = 'product' AND id = ANY($2)",
        tenant.tenant_id,
        list(ledger.items),
    )
    assert {row["id"]: row["stock"] for row in stock} == {
        id_: thing.stock for id_, thing in ledger.items.items() if thing.type is LineType.PRODUCT
    }
    the_list_adds_up(await counter.newest(), ledger)
    await credit_notes_match(conn, tenant.tenant_id, ledger)


async def credit_notes_match(conn: Connection, tenant_id: UUID, ledger: Ledger) -> None:
    rows = await conn.fetch(
        """
        SELECT i.order_id, array_agg(c.total ORDER BY c.credit_note_number) FILTER (WHERE c.id IS NOT NULL) AS amounts
        FROM invoices i LEFT JOIN credit_notes c ON (c.tenant_id, c.invoice_id) = (i.tenant_id, i.id)
        WHERE i.tenant_id = $1 AND i.order_id = ANY($2) GROUP BY i.order_id
        """,
        tenant_id,
        list(ledger.sales),
    )
    assert {row["order_id"]: [ledger.minor(amount) for amount in row["amounts"] or []] for row in rows} == {
        order_id: sale.credited for order_id, sale in ledger.sales.items() if sale.invoiced
    }
    for sale in ledger.sales.values():
        assert not sale.invoiced or sale.total - sum(sale.credited) == sale.worth_now


def the_list_adds_up(newest: list[Document], ledger: Ledger) -> None:
    """Child orders are in it with their signs turned, so the totals sum to what was sold and not given back."""
    for order_id, sale in ledger.sales.items():
        (order,) = [order for order in newest if order["id"] == str(order_id)]
        children = [order for order in newest if order["parent_id"] == str(order_id)]
        assert order["total"] == ledger.major(sale.total)
        assert len(children) == len(sale.refunds)
        assert -sum(child["total"] for child in children) == ledger.major(sale.refunded)
        for one in (order, *children):
            assert sum(item["total"] for item in one["items"]) == one["total"]
            assert sum(item["discount_amount"] for item in one["items"]) == one["discount_amount"]


@pytest.fixture(scope="module")
async def spoken_to(service: Service) -> Shop:
    return await service.new_shop()


@pytest.mark.timeout(600)
@settings(max_examples=repetitions(2, long=6))
@given(data=st.data())
async def test_a_history_of_orders_over_http_keeps_the_invariants(
    spoken_to: Shop, conn: Connection, data: st.DataObject
) -> None:
    currency, decimals = data.draw(st.sampled_from(CURRENCIES))
    await change_tenant(spoken_to, currency=currency, currency_decimals=decimals)
    here = await add_store(conn, spoken_to.tenant_id)
    acts = ActDriver(conn, await spoken_to.tenant())
    await run(data, HttpDriver(spoken_to, acts), acts, here)
