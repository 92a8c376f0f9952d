"""Every calculated order can be created unchanged, paid and refunded, in currencies of every kind."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings, strategies as st

from tests.factories.catalog import make_option
from tests.support.branch import line, open_branch
from tests.support.pagination import Document
from tests.support.repetitions import repetitions
from tests.support.service import Service
from tests.support.shop import Shop
from tests.support.till import Till, item, set_currency

pytestmark = pytest.mark.torture

CURRENCIES = {"JPY": 0, "SAR": 2, "KWD": 3}


class Kind(NamedTuple):
    """Something that is sold, and what a line of it always says."""

    id: str
    type: str
    option_ids: Sequence[str] = ()
    staff_id: str | None = None


class Counter(NamedTuple):
    till: Till
    decimals: int
    kinds: list[Kind]


@pytest.fixture(scope="module")
async def counters(service: Service, other_shop: Shop) -> dict[str, Counter]:
    return {currency: await _counter(service, currency, decimals) for currency, decimals in CURRENCIES.items()}


async def _counter(service: Service, currency: str, decimals: int) -> Counter:
    shop = await service.new_shop()
    await set_currency(shop, currency, decimals)
    branch = await open_branch(shop)
    coin = Decimal(1).scaleb(-decimals)
    cream = await branch.add_product(price=str(333 * coin), stock=2_000_000)
    large = await make_option(branch.shop, cream, str(1001 * coin), offer_price=str(997 * coin), quantity=1_000_000)
    cut = await branch.add_service(price=str(10_000 * coin), offer_price=str(8999 * coin))
    dear = await branch.add_provider(cut, price=str(12_345 * coin))
    package = await branch.add_package({cream: 2, cut: 1}, price=str(50_001 * coin))
    kinds = [
        Kind(str(cream), "product"),
        Kind(str(cream), "product", (large,)),
        Kind(str(cut), "service"),
        Kind(str(cut), "service", (), str(dear)),
        Kind(str(package), "package"),
    ]
    return Counter(Till(branch), decimals, kinds)


class Wanted(NamedTuple):
    kind: int
    quantity: int
    price: int | None  # in the smallest coin
    discountable: bool


lines_wanted = st.lists(
    st.builds(Wanted, st.integers(0, 4), st.integers(1, 12), st.none() | st.integers(0, 2_000_000), st.booleans()),
    min_size=1,
    max_size=6,
)
percentages = st.integers(0, 100_000).map(lambda thousandths: ("percentage", Decimal(thousandths) / 1000))
coins = st.integers(0, 3_000_000).map(lambda count: ("fixed", Decimal(count)))
discounts_wanted = st.none() | st.tuples(percentages | coins, st.booleans())


@settings(max_examples=repetitions(15, long=60))
@given(currency=st.sampled_from(sorted(CURRENCIES)), wanted=lines_wanted, off=discounts_wanted)
async def test_what_was_calculated_is_rung_up_unchanged_and_given_back(
    counters: dict[str, Counter], currency: str, wanted: list[Wanted], off: tuple[tuple[str, Decimal], bool] | None
) -> None:
    counter = counters[currency]
    calculated = await counter.till.calculate(*_items(counter, wanted), discount=_discount(off, counter.decimals))
    _adds_up(calculated, counter.decimals)
    total = calculated["total"]
    payments = [await counter.till.paid(total)] if Decimal(total) else []
    sold = await counter.till.ring_up(
        total,
        *_fed_back(counter, wanted, calculated),
        sub_total=calculated["sub_total"],
        discount=_numbers(calculated["discount"]),
        payment_methods=payments,
    )
    for name in ("total", "sub_total", "discount_amount"):
        assert str(sold[name]) == calculated[name]
    assert [(sold_["price"], sold_["discount_amount"], sold_["total"]) for sold_ in sold["items"]] == [
        (known["unit_amount"], known["discount_amount"], known["net_amount"]) for known in calculated["items"]
    ]
    assert sold["payment_status"] == "paid"
    if payments:
        assert (await counter.till.refund(sold["id"]))["total"] == -sold["total"]


@settings(max_examples=repetitions(8, long=25))
@given(
    currency=st.sampled_from(sorted(CURRENCIES)),
    coins_each=st.integers(2, 5000),
    quantity=st.integers(2, 7),
    share=st.integers(0, 50),
    data=st.data(),
)
async def test_portions_of_a_sale_sum_up_to_it(
    counters: dict[str, Counter], currency: str, coins_each: int, quantity: int, share: int, data: st.DataObject
) -> None:
    counter = counters[currency]
    asked = {"type": "percentage", "amount": share, "apply_all": True}
    calculated = await counter.till.calculate(
        *_items(counter, [Wanted(0, quantity, coins_each, discountable=False)]), discount=asked
    )
    lines = _fed_back(counter, [Wanted(0, quantity, None, discountable=False)], calculated)
    paid = [await counter.till.paid(calculated["total"])]
    sums = {"sub_total": calculated["sub_total"], "discount": asked, "payment_methods": paid}
    sold = await counter.till.ring_up(calculated["total"], *lines, **sums)
    left, back = quantity, Decimal(0)
    while left:
        portion = data.draw(st.integers(1, left), label="portion")
        child = await counter.till.refund(sold["id"], (sold["items"][0]["line_id"], portion))
        assert child["total"] <= 0
        back, left = back - child["total"], left - portion
    assert back == sold["total"]


def _items(counter: Counter, wanted: list[Wanted]) -> list[Document]:
    return [
        item(
            counter.kinds[line_.kind].id,
            line_.quantity,
            applyDiscount=line_.discountable,
            option_id=list(counter.kinds[line_.kind].option_ids),
            staff_id=counter.kinds[line_.kind].staff_id,
            price=None if line_.price is None else _amount(line_.price, counter.decimals),
        )
        for line_ in wanted
    ]


def _fed_back(counter: Counter, wanted: list[Wanted], calculated: Document) -> list[Document]:
    """The lines of the sale, with nothing but what the calculation answered."""
    return [
        line(
            answered["item_id"],
            counter.kinds[line_.kind].type,
            answered["quantity"],
            staffId=answered["staff_id"],
            option_id=answered["option_id"],
            applyDiscount=answered["applyDiscount"],
            unit_amount=float(answered["unit_amount"]),
            total_amount=float(answered["total_amount"]),
        )
        for line_, answered in zip(wanted, calculated["items"], strict=True)
    ]


def _adds_up(calculated: Document, decimals: int) -> None:
    lines = calculated["items"]
    for answered in lines:
        assert answered["total_amount"] == answered["unit_amount"] * answered["quantity"]
        assert answered["net_amount"] == answered["total_amount"] - answered["discount_amount"]
        assert min(answered["net_amount"], answered["discount_amount"]) >= 0
    for whole, part in (("sub_total", "total_amount"), ("discount_amount", "discount_amount"), ("total", "net_amount")):
        assert Decimal(calculated[whole]) == sum(answered[part] for answered in lines)
        assert len(calculated[whole].partition(".")[2]) == decimals


def _discount(off: tuple[tuple[str, Decimal], bool] | None, decimals: int) -> Document | None:
    if off is None:
        return None
    (kind, amount), for_all = off
    value = float(amount) if kind == "percentage" else _amount(int(amount), decimals)
    return {"type": kind, "amount": value, "apply_all": for_all}


def _numbers(discount: Document | None) -> dict[str, Any] | None:
    return None if discount is None else {**discount, "amount": float(discount["amount"])}


def _amount(minor: int, decimals: int) -> float:
    return float(Decimal(minor).scaleb(-decimals))
