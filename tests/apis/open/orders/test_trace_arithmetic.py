"""Who knows only the trace of an order and the rules of the guide works out its amounts again, by fractions."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction
from math import floor
from typing import Any, NamedTuple
from uuid import UUID

import pytest
from hypothesis import given, settings, strategies as st

from frontdesk.orders.create import CreateOrder
from frontdesk.orders.pricing import Discount, DiscountKind
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.postgres.write import run
from frontdesk.till.cart import Cart, CartLine, cart_request, price_cart
from frontdesk.till.sell import Checkout, SellCart
from frontdesk.till.tips import TakenPayment
from frontdesk.values.actor import SYSTEM
from frontdesk.values.ids import uuid7
from tests.factories.catalog import make_option, make_tax_class
from tests.factories.changes import change_row, change_tenant
from tests.support.branch import BranchFixture, method_of, open_branch
from tests.support.connections import pooled_connection
from tests.support.pagination import Document, json_exact
from tests.support.repetitions import repetitions
from tests.support.service import Service
from tests.support.till import set_currency

CURRENCIES = {"JPY": 0, "SAR": 2, "KWD": 3}
TIP = 700  # in the smallest coin


class Goods(NamedTuple):
    branch: BranchFixture
    decimals: int
    kinds: list[CartLine]
    method_id: UUID

    def amount(self, coins: int) -> Decimal:
        return Decimal(coins).scaleb(-self.decimals)


@pytest.fixture(scope="module")
async def shops(service: Service) -> dict[tuple[str, bool], Goods]:
    return {
        (currency, included): await _shop(service, currency, decimals, included=included)
        for currency, decimals in CURRENCIES.items()
        for included in (True, False)
    }


async def _shop(service: Service, currency: str, decimals: int, *, included: bool) -> Goods:
    shop = await service.new_shop()
    await set_currency(shop, currency, decimals)
    await change_tenant(shop, prices_include_tax=included)
    reduced = await make_tax_class(shop, "5.5")
    branch = await open_branch(shop)
    coin = Decimal(1).scaleb(-decimals)
    cream = await branch.add_product(price=str(333 * coin), stock=2_000_000)
    await change_row(shop, "items", cream, tax_class_id=reduced)
    large = await make_option(shop, cream, str(1001 * coin), offer_price=str(997 * coin), quantity=1_000_000)
    small = await make_option(shop, cream, str(101 * coin), quantity=1_000_000)
    cut = await branch.add_service(price=str(10_000 * coin), offer_price=str(8999 * coin))
    dear = await branch.add_provider(cut, price=str(12_345 * coin))
    package = await branch.add_package({cream: 2, cut: 1}, price=str(9_001 * coin))
    kinds = [
        CartLine(cream),
        CartLine(cream, option_ids=(UUID(large),)),
        CartLine(cream, option_ids=(UUID(small),)),
        CartLine(cut),
        CartLine(cut, staff_id=dear),
        CartLine(package),
    ]
    return Goods(branch, decimals, kinds, UUID(await method_of(shop)))


class Wanted(NamedTuple):
    kind: int
    quantity: int
    price: int | None  # in the smallest coin
    discount: tuple[bool, int] | None  # a percentage, or thousandths of what a line costs at least


discounts = st.none() | st.tuples(st.booleans(), st.integers(0, 100))
wanted_lines = st.lists(
    st.builds(Wanted, st.integers(0, 5), st.integers(1, 9), st.none() | st.integers(101, 90_000), discounts),
    min_size=1,
    max_size=6,
)


@settings(max_examples=repetitions(60, long=600), deadline=None)
@given(
    shop=st.sampled_from([(currency, included) for currency in CURRENCIES for included in (True, False)]),
    wanted=wanted_lines,
    off=discounts,
    tip=st.booleans(),
    split=st.integers(0, 100),
)
async def test_the_amounts_follow_from_the_trace(
    shops: dict[tuple[str, bool], Goods],
    shop: tuple[str, bool],
    wanted: list[Wanted],
    off: tuple[bool, int] | None,
    tip: bool,
    split: int,
) -> None:
    goods = shops[shop]
    cart = Cart(tuple(_line(goods, one) for one in wanted), None, _discount(goods, off), goods.branch.branch_id)
    order_id = await _sell(goods, cart, goods.amount(TIP) if tip else Decimal(0), split)
    read = goods.branch.shop.get
    trace = json_exact(await read(f"/orders/{order_id}/trace"))["data"]
    order = json_exact(await read(f"/orders/{order_id}"))["data"]
    assert (trace["agrees"], trace["computed_total"]) == (True, order["total"])
    worked_out = list(_work_out(trace, goods.decimals))
    assert [net for net, _ in worked_out] == [Fraction(item["total"]) for item in order["items"]]
    assert sum(net for net, _ in worked_out) == Fraction(order["total"])
    assert sum(tax for _, tax in worked_out) == Fraction(order["tax_amount"])
    for line in trace["lines"]:
        _check_ladder(line)
    _check_settled(trace, order)
    assert [Fraction(each["amount"]) for each in trace["tips"]] == ([Fraction(goods.amount(TIP))] if tip else [])


def _line(goods: Goods, wanted: Wanted) -> CartLine:
    price = None if wanted.price is None else goods.amount(wanted.price)
    discount = _discount(goods, wanted.discount)
    return goods.kinds[wanted.kind]._replace(quantity=wanted.quantity, price=price, discount=discount)


def _discount(goods: Goods, off: tuple[bool, int] | None) -> Discount | None:
    if off is None:
        return None
    by_percentage, number = off
    if by_percentage:
        return Discount(DiscountKind.PERCENTAGE, Decimal(number), apply_all=True)
    return Discount(DiscountKind.FIXED, goods.amount(number), apply_all=True)


async def _sell(goods: Goods, cart: Cart, tip: Decimal, split: int) -> UUID:
    """Paid in two parts."""
    tenant, order_id = await goods.branch.shop.tenant(), uuid7()
    async with pooled_connection(goods.branch.shop.dsn) as raw:
        conn = Connection(raw)
        total = await _total(conn, goods, cart)
        first = (total * split / 100).quantize(goods.amount(1))
        parts = [part for part in (first, total + tip - first) if part > 0]
        payments = [TakenPayment(goods.method_id, part) for part in parts]
        await run(conn, tenant, SellCart(order_id, cart, Checkout(payments, tip)), actor=SYSTEM)
    return order_id


async def _total(conn: Connection, goods: Goods, cart: Cart) -> Decimal:
    """What the till shows before it sells."""
    tenant = await goods.branch.shop.tenant()
    inputs = await fetch(conn, tenant.tenant_id, CreateOrder(cart_request(cart)).load())
    return price_cart(tenant, cart, inputs, datetime.now(UTC)).priced.total


def _work_out(trace: Document, decimals: int) -> Iterator[tuple[Fraction, Fraction]]:
    """The total of each line, and the tax in it."""
    gross = [_unit(line, decimals) * line["quantity"] for line in trace["lines"]]
    own = [_step(line, "line_discount") for line in trace["lines"]]
    left = [whole + discount for whole, discount in zip(gross, own, strict=True)]
    shares = _shares(trace["discount"], left, decimals)
    for line, rest, share in zip(trace["lines"], left, shares, strict=True):
        rate = Fraction(line["tax"]["rate"])
        net = rest - share
        yield net, _half_up(net * rate / (100 + rate), decimals)


def _unit(line: Document, decimals: int) -> Fraction:
    given_price = [step for step in line["steps"] if step["kind"] == "given"]
    if given_price:
        return Fraction(given_price[0]["running"])
    prices = line["prices"]
    chosen = prices["catalog"] if prices["offer"] is None else prices["offer"]
    chosen = chosen if prices["provider"] is None else prices["provider"]
    if prices["option"] is not None:
        chosen = prices["option"] if prices["option_offer"] is None else prices["option_offer"]
    if not line["tax"]["on_top"]:
        return Fraction(chosen)
    return _half_up(Fraction(chosen) * (100 + Fraction(line["tax"]["rate"])) / 100, decimals)


def _step(line: Document, kind: str) -> Fraction:
    return sum((Fraction(step["amount"]) for step in line["steps"] if step["kind"] == kind), Fraction(0))


def _shares(discount: Mapping[str, Any] | None, left: Sequence[Fraction], decimals: int) -> list[Fraction]:
    """Whole coins by size; those left over go to the largest parts of a coin, the earlier line first."""
    whole = sum(left)
    if discount is None or not whole:
        return [Fraction(0)] * len(left)
    value = Fraction(discount["value"])
    amount = _half_up(whole * value / 100, decimals) if discount["kind"] == "percentage" else min(value, whole)
    coins = amount * 10**decimals
    exact = [coins * part / whole for part in left]
    rounded = [floor(part) for part in exact]
    order = sorted(range(len(left)), key=lambda index: (rounded[index] - exact[index], index))
    for index in order[: int(coins) - sum(rounded)]:
        rounded[index] += 1
    return [Fraction(part, 10**decimals) for part in rounded]


def _half_up(amount: Fraction, decimals: int) -> Fraction:
    return Fraction(floor(amount * 10**decimals + Fraction(1, 2)), 10**decimals)


def _check_ladder(line: Document) -> None:
    running = Fraction(0)
    for step in line["steps"]:
        running += Fraction(step["amount"])
        assert running == Fraction(step["running"])
    assert running == Fraction(line["total"])
    if line["type"] == "package":
        assert sum(Fraction(part["share"]) for part in line["package"]) == running


def _check_settled(trace: Document, order: Document) -> None:
    """Every payment is settled by lines, and no line by more than it costs."""
    settled: dict[str, Fraction] = {}
    for payment in trace["payments"]:
        assert sum(Fraction(part["amount"]) for part in payment["settles"]) == Fraction(payment["amount"])
        for part in payment["settles"]:
            settled[part["line_id"]] = settled.get(part["line_id"], Fraction(0)) + Fraction(part["amount"])
    totals = {item["line_id"]: Fraction(item["total"]) for item in order["items"] if item["total"]}
    assert settled == totals
