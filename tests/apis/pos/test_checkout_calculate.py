"""What a sale would come to, to the minor unit; nothing is written by asking."""

from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest

from tests.factories.catalog import make_option
from tests.factories.credentials import make_branch_key
from tests.support.branch import BranchFixture, books, open_branch
from tests.support.http_errors import assert_error
from tests.support.pagination import Document
from tests.support.service import Service
from tests.support.shop import Shop
from tests.support.till import Till, item, set_currency

PERCENT, FIXED = "percentage", "fixed"


def discount(kind: str, amount: float, **more: Any) -> Document:
    return {"type": kind, "amount": amount, **more}


def sums(answer: Document) -> tuple[str, str, str]:
    return answer["sub_total"], answer["discount_amount"], answer["total"]


def discounts(answer: Document) -> list[str]:
    return [str(line["discount_amount"]) for line in answer["items"]]


@pytest.mark.parametrize(
    ("lines", "asked", "shares", "expected"),
    [
        ([(10, 1)] * 3, discount(FIXED, 10), ["3.34", "3.33", "3.33"], ("30.00", "10.00", "20.00")),
        (
            [(33.33, 1), (33.33, 1), (33.34, 1)],
            discount(PERCENT, 10),
            ["3.33", "3.33", "3.34"],
            ("100.00", "10.00", "90.00"),
        ),
        ([(82.50, 10)], discount(PERCENT, 15), ["123.75"], ("825.00", "123.75", "701.25")),
        ([(50, 2)], discount(FIXED, 150), ["100.00"], ("100.00", "100.00", "0.00")),
        ([(0.05, 1)], discount(PERCENT, 50), ["0.03"], ("0.05", "0.03", "0.02")),
        ([(0.01, 1)] * 3, discount(FIXED, 0.02), ["0.01", "0.01", "0.00"], ("0.03", "0.02", "0.01")),
        ([(10, 1), (20, 1)], discount(PERCENT, 12.5), ["1.25", "2.50"], ("30.00", "3.75", "26.25")),
        ([(10, 1), (0, 3)], discount(FIXED, 5), ["5.00", "0.00"], ("10.00", "5.00", "5.00")),
        ([(10, 1)], discount(PERCENT, 100), ["10.00"], ("10.00", "10.00", "0.00")),
        ([(10, 1)], discount(PERCENT, 0), ["0.00"], ("10.00", "0.00", "10.00")),
        ([(10, 1)], None, ["0.00"], ("10.00", "0.00", "10.00")),
    ],
)
async def test_a_discount_falls_on_the_lines_by_their_share(
    till: Till, lines: list[tuple[float, int]], asked: Document | None, shares: list[str], expected: tuple[str, ...]
) -> None:
    product = await till.branch.add_product()
    items = [item(product, quantity, price=price, applyDiscount=True) for price, quantity in lines]
    answer = await till.calculate(*items, discount=asked)
    assert (discounts(answer), sums(answer)) == (shares, expected)
    for line, (price, quantity) in zip(answer["items"], lines, strict=True):
        assert line["unit_amount"] == Decimal(str(price))
        assert line["total_amount"] == line["unit_amount"] * quantity
        assert line["net_amount"] == line["total_amount"] - line["discount_amount"]


async def test_only_marked_lines_share_a_discount_unless_it_is_for_all(till: Till) -> None:
    product = await till.branch.add_product()
    lines = [item(product, price=30, applyDiscount=True), item(product, price=70), item(product, price=10)]
    assert discounts(await till.calculate(*lines, discount=discount(PERCENT, 10))) == ["3.00", "0.00", "0.00"]
    assert discounts(await till.calculate(*lines, discount=discount(FIXED, 40))) == ["30.00", "0.00", "0.00"]
    for_all = await till.calculate(*lines, discount=discount(PERCENT, 10, apply_all=True))
    assert discounts(for_all) == ["3.00", "7.00", "1.00"]
    assert [line["applyDiscount"] for line in for_all["items"]] == [True, False, False]
    assert for_all["discount"] == {"amount": 10, "type": "percentage", "apply_all": True}
    nobody = [{**line, "applyDiscount": False} for line in lines]
    assert sums(await till.calculate(*nobody, discount=discount(FIXED, 40))) == ("110.00", "0.00", "110.00")


async def test_the_answer_has_everything_that_a_sale_is_rung_up_with(till: Till) -> None:
    product = await till.branch.add_product(price="12.50", offer_price="10")
    answer = await till.calculate(item(product, 3))
    assert answer == {
        "currency": "SAR",
        "sub_total": "30.00",
        "discount_amount": "0.00",
        "total": "30.00",
        "discount": None,
        "items": [
            {
                "item_id": str(product),
                "option_id": [],
                "option": None,
                "staff_id": None,
                "quantity": 3,
                "unit_amount": Decimal("10.00"),
                "total_amount": Decimal("30.00"),
                "discount_amount": Decimal("0.00"),
                "net_amount": Decimal("30.00"),
                "applyDiscount": False,
            }
        ],
    }


async def test_a_price_sent_counts_before_an_offer_and_an_offer_before_the_price(till: Till) -> None:
    plain = await till.branch.add_product(price="12.50")
    offered = await till.branch.add_product(price="12.50", offer_price="9.99")
    free = await till.branch.add_product(price="12.50", offer_price="0")
    answer = await till.calculate(
        item(plain), item(offered), item(free), item(offered, price=11), item(offered, price=0)
    )
    assert [str(line["unit_amount"]) for line in answer["items"]] == ["12.50", "9.99", "0.00", "11.00", "0.00"]


async def test_a_provider_with_a_price_of_their_own_is_paid_it(till: Till) -> None:
    cut = await till.branch.add_service(price="100", offer_price="90")
    dear, usual = await till.branch.add_provider(cut, price="140"), await till.branch.add_provider(cut)
    answer = await till.calculate(
        item(cut, staff_id=str(dear)), item(cut, staff_id=str(usual)), item(cut), item(cut, staff_id=str(dear), price=1)
    )
    assert [str(line["unit_amount"]) for line in answer["items"]] == ["140.00", "90.00", "90.00", "1.00"]
    assert answer["items"][0]["staff_id"] == str(dear)


async def test_the_price_of_an_option_replaces_that_of_the_item(till: Till) -> None:
    colour = await till.branch.add_service(price="100", offer_price="90")
    dear = await till.branch.add_provider(colour, price="140")
    long, shine = (
        await make_option(till.branch.shop, colour, "400"),
        await make_option(till.branch.shop, colour, "60", offer_price="45.50"),
    )
    answer = await till.calculate(
        item(colour, option_id=[long]),
        item(colour, 2, option_id=[shine]),
        item(colour, option_id=[long], staff_id=str(dear)),
        item(colour, option_id=[shine], price=3),
        item(colour, option_id=[]),
    )
    assert [str(line["unit_amount"]) for line in answer["items"]] == ["400.00", "45.50", "400.00", "3.00", "90.00"]
    assert answer["items"][1]["option_id"] == [shine]
    assert [line["option"] and line["option"]["id"] for line in answer["items"]] == [long, shine, long, shine, None]
    assert answer["total"] == "984.00"


async def test_options_exclude_each_other(till: Till) -> None:
    colour = await till.branch.add_service()
    long, short = await make_option(till.branch.shop, colour, "400"), await make_option(till.branch.shop, colour, "60")
    answer = assert_error(await till.calculation(item(colour, option_id=[long, short])), 422, "validation_error")
    assert answer["errors"] == {"items.0.option_id": ["must be one option"]}


async def test_a_package_costs_what_the_package_costs(till: Till) -> None:
    mask, cut = await till.branch.add_product(price="75"), await till.branch.add_service()
    package = await till.branch.add_package({mask: 2, cut: 1}, price="140", offer_price="125")
    answer = await till.calculate(item(package, 2, applyDiscount=True), item(mask), discount=discount(PERCENT, 10))
    assert sums(answer) == ("325.00", "25.00", "300.00")


@pytest.mark.parametrize(
    ("currency", "decimals", "price", "expected"),
    [
        ("JPY", 0, 999, ("2997", "999", "1998")),
        ("KWD", 3, 0.335, ("1.005", "0.335", "0.670")),
        ("SAR", 2, 3.35, ("10.05", "3.35", "6.70")),
    ],
)
async def test_a_calculation_rounds_to_the_minor_unit_of_the_currency(
    service: Service, other_shop: Shop, currency: str, decimals: int, price: float, expected: tuple[str, ...]
) -> None:
    till = await _till_in(service, currency, decimals)
    product = await till.branch.add_product()
    lines = [item(product, price=price, applyDiscount=True)] * 3
    third = await till.calculate(*lines, discount=discount(PERCENT, 33.35))
    assert (third["currency"], sums(third)) == (currency, expected)


async def test_prices_and_discounts_have_no_more_decimals_than_the_currency(service: Service, other_shop: Shop) -> None:
    till = await _till_in(service, "JPY", 0)
    product = await till.branch.add_product()
    errors = assert_error(await till.calculation(item(product, price=10.5)), 422, "validation_error")["errors"]
    assert list(errors) == ["items.0.price"]
    sent = await till.calculation(item(product, price=10), discount=discount(FIXED, 0.5, apply_all=True))
    assert list(assert_error(sent, 422, "validation_error")["errors"]) == ["discount.amount"]


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({}, ["items"]),
        ({"items": []}, ["items"]),
        ({"items": [{}]}, ["items.0.item_id", "items.0.quantity"]),
        ({"items": [{"item_id": "1", "quantity": 0}]}, ["items.0.item_id", "items.0.quantity"]),
        ({"items": [{"item_id": 1, "quantity": "1"}]}, ["items.0.item_id", "items.0.quantity"]),
        (
            {"items": [{"quantity": 1.5, "price": "9", "applyDiscount": 1, "staff_id": "x", "option_id": "y"}]},
            [f"items.0.{name}" for name in ("applyDiscount", "item_id", "option_id", "price", "quantity", "staff_id")],
        ),
        ({"discount": {}}, ["discount.amount", "discount.type", "items"]),
        ({"discount": {"type": "half", "amount": "1", "apply_all": 0}},
         ["discount.amount", "discount.apply_all", "discount.type", "items"]),
        ({"discount": 5}, ["discount", "items"]),
    ],
)  # fmt: skip
async def test_a_malformed_calculation_is_refused_by_field(till: Till, body: Document, fields: list[str]) -> None:
    answer = await till.request("POST", "/pos/checkout-calculate", body)
    assert sorted(assert_error(answer, 422, "validation_error")["errors"]) == fields


@pytest.mark.parametrize(
    ("kind", "amount"), [(PERCENT, -1), (PERCENT, 100.001), (FIXED, -0.01), (FIXED, 1.005), (PERCENT, 101)]
)
async def test_a_discount_is_an_amount_or_at_most_all_of_it(till: Till, kind: str, amount: float) -> None:
    product = await till.branch.add_product()
    answer = await till.calculation(item(product), discount=discount(kind, amount))
    assert list(assert_error(answer, 422, "validation_error")["errors"]) == ["discount.amount"]


@pytest.mark.parametrize("price", [-1, -0.01, 0.001, 1.234])
async def test_a_price_is_an_amount_of_the_currency(till: Till, price: float) -> None:
    product = await till.branch.add_product()
    answer = await till.calculation(item(product), item(product, price=price))
    assert list(assert_error(answer, 422, "validation_error")["errors"]) == ["items.1.price"]


async def test_a_sum_beyond_all_bounds_is_refused(till: Till) -> None:
    product = await till.branch.add_product()
    answer = await till.calculation(item(product, 1_000_000, price=999_999_999_999))
    assert list(assert_error(answer, 422, "validation_error")["errors"]) == ["items.0.quantity"]
    answer = await till.calculation(*[item(product, price=999_999_999_999)] * 2)
    assert list(assert_error(answer, 422, "validation_error")["errors"]) == ["total"]


async def test_a_calculation_of_unknown_items_is_refused_by_line(till: Till, other_shop: Shop) -> None:
    theirs = (await other_shop.first("/items"))["id"]
    branch = till.branch
    product, gone = await branch.add_product(), await branch.add_product(active=False)
    answer = await till.calculation(item(product), item(uuid4()), item(theirs), item(gone), item(product, quantity=2))
    errors = assert_error(answer, 422, "validation_error")["errors"]
    assert list(errors) == ["items.1.item_id", "items.2.item_id", "items.3.item_id"]


async def test_providers_and_options_must_belong_to_the_item(till: Till, other_shop: Shop) -> None:
    branch = till.branch
    cut, product = await branch.add_service(), await branch.add_product()
    stranger = str(await branch.add_provider())
    own, off = await make_option(branch.shop, cut, "5"), await make_option(branch.shop, cut, "5", active=False)
    theirs = (await other_shop.sql("SELECT id FROM item_options WHERE tenant_id = $1"))[0]["id"]
    answer = await till.calculation(
        item(cut, staff_id=stranger),
        item(cut, option_id=[str(theirs)]),
        item(cut, option_id=[off]),
        item(cut, option_id=[own, own]),
        item(product, option_id=[own]),
        item(product, staff_id=str(uuid4())),
        item(product, staff_id=stranger),
    )
    assert list(assert_error(answer, 422, "validation_error")["errors"]) == [
        "items.0.staff_id",
        "items.1.option_id",
        "items.2.option_id",
        "items.3.option_id",
        "items.4.option_id",
        "items.5.staff_id",
    ]


async def test_a_sale_is_of_one_branch_and_a_bound_key_only_of_its_own(
    till: Till, busy_shop: Shop, branch: BranchFixture
) -> None:
    here = await branch.add_product()
    elsewhere = (await busy_shop.sql("SELECT id FROM items WHERE tenant_id = $1 AND slug = 'hair-mask'"))[0]["id"]
    mixed = await till.calculation(item(here), item(elsewhere))
    assert list(assert_error(mixed, 422, "validation_error")["errors"]) == ["items.1.item_id"]
    bound = Till(branch, await make_branch_key(busy_shop, branch.branch_id))
    assert (await bound.calculation(item(here))).status_code == 200
    assert list(assert_error(await bound.calculation(item(elsewhere)), 422, "validation_error")["errors"]) == [
        "items.0.item_id"
    ]


async def test_calculating_writes_nothing_and_asks_for_no_stock(till: Till) -> None:
    product = await till.branch.add_product(stock=1)
    before = await books(till.shop)
    await till.calculate(item(product, 50, applyDiscount=True), discount=discount(FIXED, 1))
    headers = {"idempotency-key": "one"}
    sent = await till.request("POST", "/pos/checkout-calculate", {"items": [item(product)]}, headers=headers)
    assert sent.status_code == 200
    assert await books(till.shop) == before


async def _till_in(service: Service, currency: str, decimals: int) -> Till:
    shop = await service.new_shop()
    await set_currency(shop, currency, decimals)
    return Till(await open_branch(shop))
