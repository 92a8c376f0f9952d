"""Busy days of a business in a currency of its own: discounts, options, tips, split payments, exchanges, invoices."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from decimal import Decimal
from random import Random
from typing import NamedTuple
from uuid import UUID

from frontdesk.day_close.close import CloseDay
from frontdesk.day_close.reopen import ReopenDay
from frontdesk.invoices.money_types import RefundRequest
from frontdesk.orders.edit import OrderEdit
from frontdesk.orders.edit_lines import LineChange
from frontdesk.orders.pricing import Discount, DiscountKind
from frontdesk.orders.types import LineType, OrderLineRequest, OrderRequest, PaymentRequest
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.postgres.write import run
from frontdesk.refunds.refund import build_refund
from frontdesk.till.cart import Cart, CartLine, price_cart
from frontdesk.till.exchange import ExchangeOrder, Return, return_request
from frontdesk.till.sell import Checkout, SellCart, TakePayments
from frontdesk.till.tips import TakenPayment
from frontdesk.values.ids import uuid7
from frontdesk.values.money import from_minor
from tests.factories.catalog import make_option, make_tax_class, make_tax_rate
from tests.factories.changes import change_row, change_tenant
from tests.orders.drivers import SYSTEM
from tests.reports.days import BusyDays
from tests.support.acts import edit_order, issue_invoice, pay_order, refund_order
from tests.support.branch import day, method_of, open_branch
from tests.support.shop import Shop
from tests.support.till import set_currency


class Books(NamedTuple):
    """How a business counts."""

    currency: str
    decimals: int
    prices_include_tax: bool


class MoneyDays(BusyDays):
    """Every amount is drawn to the minor unit."""

    decimals: int
    classes: list[UUID]
    options: list[tuple[UUID, UUID]]  # an item and one of its options

    async def prepare(self) -> None:
        branch = self.branch
        self.decimals = self.tenant.currency_decimals
        await branch.set_hours({}, all_time=True)
        self.classes = [await make_tax_class(branch.shop, rate) for rate in ("5", "7.70")]
        cut, color = await branch.add_service(price=self._price()), await branch.add_service(price=self._price())
        self.staff = [await branch.add_provider(cut, color) for _ in range(2)]
        oil = await branch.add_product(price=self._price(), stock=10_000)
        soap = await branch.add_product(price=self._price(), stock=20_000)
        kit = await branch.add_package({oil: 2, cut: 1}, price=self._price())
        for item, class_id in zip((color, oil), self.classes, strict=True):
            await change_row(branch.shop, "items", item, tax_class_id=class_id)
        sizes = [UUID(await make_option(branch.shop, soap, self._price(), quantity=10_000)) for _ in range(2)]
        self.options = [(soap, size) for size in sizes]
        self.lines = [
            *(OrderLineRequest(item, LineType.SERVICE, 1, who) for item in (cut, color) for who in self.staff),
            *(OrderLineRequest(oil, LineType.PRODUCT, units) for units in (1, 3)),
            *(OrderLineRequest(soap, LineType.PRODUCT, 2, option_ids=(size,)) for size in sizes),
            OrderLineRequest(kit, LineType.PACKAGE, 1),
        ]
        self.methods = [UUID(await method_of(branch.shop, slug)) for slug in ("cash", "card")]

    def _price(self) -> str:
        return str(self.amount(50, 20_000))

    def amount(self, least: int, most: int) -> Decimal:
        return from_minor(self.rng.randint(least, most), self.decimals)

    def _discount(self) -> Discount | None:
        if self.rng.random() < 0.5:
            return None
        if self.rng.random() < 0.5:
            return Discount(DiscountKind.PERCENTAGE, Decimal(self.rng.choice(["5", "33.3", "12.5"])), apply_all=True)
        return Discount(DiscountKind.FIXED, self.amount(1, 200), apply_all=True)

    async def steps(self, number: int) -> None:
        for _ in range(number):
            await self.step()

    async def change_rates(self) -> None:
        for class_id, rate in zip(self.classes, ("15", "0"), strict=True):
            await make_tax_rate(self.branch.shop, class_id, rate, day(0))

    def acts(self) -> list[Callable[[], Awaitable[object]]]:
        return [
            *(self.place, self.place, self.draft, self.finish, self.move, self.move, self.reassign),
            *(self.sell, self.sell, self.sell, self.pay, self.check_out, self.check_out, self.edit, self.edit),
            *(self.refund, self.refund, self.refund, self.exchange, self.exchange, self.exchange),
            *(self.invoice, self.invoice, self.invoice, self.end_shift, self.reopen, self.reopen),
        ]

    def _request(self, *, draft: bool = False) -> OrderRequest:
        order = super()._request(draft=draft)
        lines = [
            line._replace(
                discount_amount=self.amount(0, 30) if self.rng.random() < 0.3 else Decimal(0), discountable=True
            )
            for line in order.lines
        ]
        deposit = [
            PaymentRequest(self.amount(1, 60), payment.method_id, None, None, None, None) for payment in order.payments
        ]
        return order._replace(lines=lines, payments=deposit, discount=self._discount())

    def _cart(self) -> Cart:
        lines = tuple(
            CartLine(
                line.item_id,
                line.quantity,
                line.option_ids,
                line.staff_id,
                price=self.amount(50, 900) if self.rng.random() < 0.2 else None,
                discount=self._discount() if self.rng.random() < 0.3 else None,
            )
            for line in self.rng.sample(self.lines, self.rng.randint(1, 4))
        )
        return Cart(lines, self.rng.choice(self.customers), self._discount(), self.branch.branch_id)

    def _checkout(self, due: Decimal) -> Checkout:
        """Cash and card, with a tip and more cash than needed."""
        tip = self.amount(1, 300) if self.rng.random() < 0.5 else Decimal(0)
        staff = self.rng.choice([None, *self.staff])
        due += tip
        if due <= 0:
            return Checkout()
        first = min(due, self.amount(1, 5000))
        parts = [part for part in (first, due - first) if part]
        payments = [
            TakenPayment(method, part, part + self.amount(0, 90) if method == self.methods[0] else None)
            for method, part in zip(self.rng.sample(self.methods, len(parts)), parts, strict=True)
        ]
        return Checkout(payments, tip, staff)

    async def sell(self) -> None:
        cart, sale_id = self._cart(), uuid7()
        query = SellCart(sale_id, cart, self._by_every_method()).load()
        inputs = await fetch(self.conn, self.tenant.tenant_id, query)
        checkout = self._checkout(price_cart(self.tenant, cart, inputs, datetime.now(UTC)).priced.total)
        await run(self.conn, self.tenant, SellCart(sale_id, cart, checkout), actor=SYSTEM)
        self.orders.append(sale_id)
        self.today.append(sale_id)

    def _by_every_method(self) -> Checkout:
        return Checkout([TakenPayment(method, Decimal(1)) for method in self.methods])

    async def check_out(self) -> None:
        """A part of what is left, or all of it."""
        order_id = self.some_order()
        left = await self.conn.fetchval(
            "SELECT total - paid_amount FROM orders WHERE tenant_id = $1 AND id = $2", self.tenant.tenant_id, order_id
        )
        checkout = self._checkout(left if self.rng.random() < 0.6 else min(left, self.amount(1, 99)))
        await run(self.conn, self.tenant, TakePayments(order_id, checkout), actor=SYSTEM)

    async def pay(self) -> None:
        payment = PaymentRequest(self.amount(1, 900), self.rng.choice(self.methods), None, None, None, None)
        await pay_order(self.conn, self.tenant, self.some_order(), payment)

    async def refund(self) -> None:
        order_id = self.some_order()
        lines, amount = None, None
        if self.rng.random() < 0.4:
            amount = self.amount(1, 700)
        elif self.rng.random() < 0.6:
            lines = {self.rng.choice(await self._lines_of(order_id)): 1}
        request = RefundRequest(lines, amount, self.rng.random() < 0.5, cancel_order=self.rng.random() < 0.2)
        await refund_order(self.conn, self.tenant, order_id, request, SYSTEM)

    async def _lines_of(self, order_id: UUID) -> list[UUID]:
        rows = await self.conn.fetch(
            "SELECT id FROM order_lines WHERE tenant_id = $1 AND order_id = $2", self.tenant.tenant_id, order_id
        )
        return [row["id"] for row in rows]

    async def exchange(self) -> None:
        order_id, cart, sale_id = self.some_order(), self._cart(), uuid7()
        back = Return(order_id, {self.rng.choice(await self._lines_of(order_id)): 1}, self.rng.choice(self.methods))
        query = ExchangeOrder(sale_id, back, cart, self._by_every_method()).load()
        sold = await fetch(self.conn, self.tenant.tenant_id, query)
        refund = build_refund(self.tenant, sold.refund, return_request(back, Checkout()), SYSTEM, uuid7())
        total = price_cart(self.tenant, cart, sold.sale, datetime.now(UTC)).priced.total
        checkout = self._checkout(max(total - refund["amount"], Decimal(0)))
        await run(self.conn, self.tenant, ExchangeOrder(sale_id, back, cart, checkout), actor=SYSTEM)
        self.orders.append(sale_id)
        self.today.append(sale_id)

    async def invoice(self) -> None:
        await issue_invoice(self.conn, self.tenant, self.some_order(), None)

    async def edit(self) -> None:
        """Of any order: another quantity, price or discount, a line more or fewer."""
        order_id = self.some_order()
        rows = await self.conn.fetch(
            "SELECT o.version, o.starts_at, l.id, l.type, coalesce(l.item_id, l.package_id) AS item_id, l.staff_id, "
            "l.option_ids FROM orders o JOIN order_lines l ON l.tenant_id = $1 AND l.order_id = o.id "
            "WHERE o.tenant_id = $1 AND o.id = $2",
            self.tenant.tenant_id,
            order_id,
        )
        kept = [
            LineChange(
                row["id"],
                LineType(row["type"]),
                row["item_id"],
                self.rng.randint(1, 3),
                row["staff_id"],
                tuple(row["option_ids"]),
                self.amount(50, 900) if self.rng.random() < 0.2 else None,
                self.amount(0, 30) if self.rng.random() < 0.2 else None,
            )
            for row in rows[: self.rng.randint(1, 3)]
        ]
        new = self.rng.choice([line for line in self.lines if line.type is not LineType.SERVICE])
        added = (
            [LineChange(None, new.type, new.item_id, 1, option_ids=new.option_ids)] if self.rng.random() < 0.6 else []
        )
        changed = OrderEdit(rows[0]["version"], [*kept, *added], self._discount(), rows[0]["starts_at"])
        await edit_order(self.conn, self.tenant, order_id, changed, SYSTEM)

    async def pass_day(self) -> None:
        """Closes are never changed, so those of the day are taken back before it becomes yesterday."""
        rows = await self.conn.fetch(
            "SELECT id FROM standing_day_closes WHERE tenant_id = $1 ORDER BY close_number DESC", self.tenant.tenant_id
        )
        for row in rows:
            await self._reopen(row["id"])
        await super().pass_day()

    async def end_shift(self) -> None:
        await self.close(0)

    async def close(self, ahead: int) -> None:
        await run(self.conn, self.tenant, CloseDay(self.branch.branch_id, day(ahead)), actor=SYSTEM)

    async def reopen(self) -> None:
        """Of any close: only the last one of a day can be reopened."""
        rows = await self.conn.fetch(
            "SELECT id FROM day_closes WHERE tenant_id = $1 ORDER BY close_number DESC LIMIT 2", self.tenant.tenant_id
        )
        await self._reopen(self.rng.choice(rows)["id"] if rows else uuid7())

    async def _reopen(self, close_id: UUID) -> None:
        await run(self.conn, self.tenant, ReopenDay(close_id, "Closed too early"), actor=SYSTEM)


async def open_money_days(shop: Shop, conn: Connection, books: Books, seed: int) -> MoneyDays:
    await set_currency(shop, books.currency, books.decimals)
    await change_tenant(shop, prices_include_tax=books.prices_include_tax)
    days = MoneyDays(await open_branch(shop), conn, await shop.tenant(), Random(seed))
    await days.prepare()
    return days
