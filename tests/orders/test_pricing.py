from dataclasses import replace
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from frontdesk.orders.pricing import (
    Discount,
    DiscountKind,
    LineToPrice,
    OptionPrice,
    Priced,
    PricedLine,
    compute_totals,
    refund_amounts,
    unit_price,
)
from frontdesk.orders.problems import PriceProblem
from frontdesk.problems import Problem
from frontdesk.values.money import from_minor, to_minor
from tests.support.repetitions import repetitions

pytestmark = [pytest.mark.both_servers, pytest.mark.torture]
# A busy machine is no fault of the arithmetic.
patiently = settings(
    max_examples=repetitions(20, long=300), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)

D = Decimal
PERCENTAGE, FIXED = DiscountKind.PERCENTAGE, DiscountKind.FIXED


def line(unit_amount: str, quantity: int = 1, *, discount_amount: str = "0", discountable: bool = True) -> LineToPrice:
    return LineToPrice(D(unit_amount), quantity, D(discount_amount), discountable)


@pytest.mark.parametrize(
    ("lines", "discount", "decimals", "spread", "total"),
    [
        ([line("10.00")] * 3, Discount(FIXED, D(10)), 2, "3.34 3.33 3.33", "20.00"),
        (
            [line("33.33"), line("33.33"), line("33.34")],
            Discount(PERCENTAGE, D(10)),
            2,
            "3.33 3.33 3.34",
            "90.00",
        ),
        ([line("82.50", 10)], Discount(PERCENTAGE, D(15)), 2, "123.75", "701.25"),
        ([line("100")], Discount(FIXED, D(150)), 2, "100.00", "0.00"),
        ([line("0.07", 3)], Discount(PERCENTAGE, D(100)), 2, "0.21", "0.00"),
        ([line("0.05")], Discount(PERCENTAGE, D(50)), 2, "0.03", "0.02"),
        ([line("100"), line("60", discountable=False)], Discount(FIXED, D(150)), 2, "100.00 0.00", "60.00"),
        ([line("10", discountable=False)], Discount(PERCENTAGE, D(50)), 2, "0.00", "10.00"),
        ([line("10", discountable=False)], Discount(PERCENTAGE, D(50), apply_all=True), 2, "5.00", "5.00"),
        ([line("10")], None, 2, "0.00", "10.00"),
        ([line("10")] * 3, Discount(FIXED, D(10)), 0, "4 3 3", "20"),
        ([line("10")] * 3, Discount(FIXED, D(10)), 3, "3.334 3.333 3.333", "20.000"),
        ([line("5"), line("5")], Discount(PERCENTAGE, D("12.5")), 0, "1 0", "9"),
        ([line("0"), line("0")], Discount(FIXED, D(10)), 2, "0.00 0.00", "0.00"),
        ([line("10", discount_amount="4"), line("6")], Discount(FIXED, D(6)), 2, "7.00 3.00", "6.00"),
        ([line("10", 2, discount_amount="20")], Discount(PERCENTAGE, D(50)), 2, "20.00", "0.00"),
        ([], Discount(FIXED, D(10)), 2, "", "0.00"),
    ],
)
def test_known_sales_come_to_known_amounts(
    lines: list[LineToPrice], discount: Discount | None, decimals: int, spread: str, total: str
) -> None:
    priced = compute_totals(lines, discount, decimals)
    assert " ".join(str(each.discount_amount) for each in priced.lines) == spread
    assert str(priced.total) == total


def test_a_line_tells_its_amounts_before_and_after_the_discount() -> None:
    priced = compute_totals([line("82.5", 10)], Discount(PERCENTAGE, D(15)), 2)
    assert priced.lines == (PricedLine(D("82.50"), 10, D("825.00"), D("123.75"), D("701.25")),)
    assert [str(amount) for amount in (priced.sub_total, priced.discount_amount)] == ["825.00", "123.75"]


@pytest.mark.parametrize(
    ("lines", "discount", "flaws"),
    [
        ([line("1"), line("-0.01")], None, [(PriceProblem.NEGATIVE, "lines", 1, "unit_amount")]),
        ([line("0.005")], None, [(PriceProblem.NOT_AN_AMOUNT, "lines", 0, "unit_amount")]),
        ([line("NaN")], None, [(PriceProblem.NOT_AN_AMOUNT, "lines", 0, "unit_amount")]),
        ([line("1", 0)], None, [(PriceProblem.BELOW_ONE, "lines", 0, "quantity")]),
        ([line("1", 10**12)], None, [(PriceProblem.TOO_LARGE, "lines", 0, "quantity")]),
        ([line("999999999999.99"), line("0.01")], None, [(PriceProblem.TOO_LARGE, "total")]),
        (
            [line("5", 2, discount_amount="10.01")],
            None,
            [(PriceProblem.DISCOUNT_ABOVE_LINE, "lines", 0, "discount_amount")],
        ),
        ([line("5", discount_amount="-1")], None, [(PriceProblem.NEGATIVE, "lines", 0, "discount_amount")]),
        ([line("5", discount_amount="0.001")], None, [(PriceProblem.NOT_AN_AMOUNT, "lines", 0, "discount_amount")]),
        ([line("5")], Discount(FIXED, D("-0.01")), [(PriceProblem.NEGATIVE, "discount")]),
        ([line("5")], Discount(FIXED, D("0.001")), [(PriceProblem.NOT_AN_AMOUNT, "discount")]),
        ([line("5")], Discount(PERCENTAGE, D(-1)), [(PriceProblem.NEGATIVE, "discount")]),
        (
            [line("5")],
            Discount(PERCENTAGE, D("100.000001")),
            [(PriceProblem.PERCENTAGE_ABOVE_100, "discount")],
        ),
        (
            [line("5")],
            Discount(PERCENTAGE, D("1E-999999")),
            [(PriceProblem.NOT_AN_AMOUNT, "discount")],
        ),
    ],
)
def test_an_impossible_sale_is_refused_with_the_line_and_the_reason(
    lines: list[LineToPrice], discount: Discount | None, flaws: list[tuple[object, ...]]
) -> None:
    with pytest.raises(Problem) as refused:
        compute_totals(lines, discount, 2)
    assert [(flaw.kind, *flaw.at) for flaw in refused.value.all] == flaws


def test_every_error_is_reported_at_once() -> None:
    with pytest.raises(Problem) as refused:
        compute_totals([line("-1", 0), line("1", discount_amount="2")], Discount(PERCENTAGE, D(101)), 2)
    assert [flaw.at for flaw in refused.value.all] == [
        ("lines", 0, "unit_amount"),
        ("lines", 0, "quantity"),
        ("lines", 1, "discount_amount"),
        ("discount",),
    ]


def test_the_largest_sale_is_exact_in_a_narrow_context() -> None:
    with localcontext() as context:
        context.prec = 2
        priced = compute_totals([line("999999.999", 1_000_000)], Discount(PERCENTAGE, D("33.333333")), 3)
    assert str(priced.sub_total) == "999999999000.000"
    assert str(priced.discount_amount) == "333333329666.667"


def sums(priced: Priced, decimals: int) -> tuple[int, int, int]:
    return (
        to_minor(priced.sub_total, decimals),
        to_minor(priced.discount_amount, decimals),
        to_minor(priced.total, decimals),
    )


@st.composite
def sales(draw: st.DrawFn) -> tuple[list[LineToPrice], Discount | None, int]:
    decimals = draw(st.sampled_from([0, 2, 3]))
    lines = draw(st.lists(lines_to_price(decimals), min_size=1, max_size=12))
    return lines, draw(st.none() | discounts(decimals)), decimals


@st.composite
def lines_to_price(draw: st.DrawFn, decimals: int) -> LineToPrice:
    unit = draw(st.integers(0, 50) | st.integers(0, 10**7))
    quantity = draw(st.integers(1, 9) | st.integers(1, 1000))
    own = draw(st.just(0) | st.integers(0, unit * quantity))
    return LineToPrice(
        from_minor(unit, decimals), quantity, from_minor(own, decimals), discountable=draw(st.booleans())
    )


def discounts(decimals: int) -> st.SearchStrategy[Discount]:
    percentages = st.integers(0, 10_000).map(lambda n: Discount(PERCENTAGE, from_minor(n, 2)))
    small = st.integers(0, 100) | st.integers(0, 10**12 - 1)
    fixed = small.map(lambda n: Discount(FIXED, from_minor(n, decimals)))
    return st.tuples(percentages | fixed, st.booleans()).map(lambda two: replace(two[0], apply_all=two[1]))


def reached(lines: list[LineToPrice], discount: Discount | None, decimals: int) -> list[int]:
    return [
        to_minor(each.unit_amount, decimals) * each.quantity - to_minor(each.discount_amount, decimals)
        if discount is not None and (discount.apply_all or each.discountable)
        else 0
        for each in lines
    ]


@patiently
@given(sales())
def test_lines_add_up_to_the_totals_and_nothing_is_negative(
    sale: tuple[list[LineToPrice], Discount | None, int],
) -> None:
    lines, discount, decimals = sale
    priced = compute_totals(lines, discount, decimals)
    minors = [
        (
            to_minor(each.unit_amount, decimals) * each.quantity,
            to_minor(each.total_amount, decimals),
            to_minor(each.discount_amount, decimals),
            to_minor(each.net_amount, decimals),
        )
        for each in priced.lines
    ]
    assert all(product == total == off + net for product, total, off, net in minors)
    assert all(off >= 0 and net >= 0 for _, _, off, net in minors)
    assert sums(priced, decimals) == (
        sum(m[1] for m in minors),
        sum(m[2] for m in minors),
        sum(m[3] for m in minors),
    )
    exponents = {amount.as_tuple().exponent for amount in (priced.sub_total, priced.discount_amount, priced.total)}
    assert exponents == {-decimals}


@patiently
@given(sales())
def test_the_orders_discount_is_its_exact_amount_rounded_half_up(
    sale: tuple[list[LineToPrice], Discount | None, int],
) -> None:
    lines, discount, decimals = sale
    base = sum(reached(lines, discount, decimals))
    own = sum(to_minor(each.discount_amount, decimals) for each in lines)
    given_off = sums(compute_totals(lines, discount, decimals), decimals)[1] - own
    if discount is None:
        assert given_off == 0
    elif discount.kind is FIXED:
        assert given_off == min(base, to_minor(discount.amount, decimals))
    else:
        exact = base * Fraction(discount.amount) / 100
        assert Fraction(-1, 2) < given_off - exact <= Fraction(1, 2)


@patiently
@given(sales())
def test_the_discount_is_spread_by_largest_remainder_with_ties_to_the_earlier_line(
    sale: tuple[list[LineToPrice], Discount | None, int],
) -> None:
    lines, discount, decimals = sale
    weights = reached(lines, discount, decimals)
    priced = compute_totals(lines, discount, decimals)
    shares = [
        to_minor(after.discount_amount, decimals) - to_minor(before.discount_amount, decimals)
        for before, after in zip(lines, priced.lines, strict=True)
    ]
    exact = [Fraction(sum(shares) * weight, sum(weights) or 1) for weight in weights]
    extra = [share - part.__floor__() for share, part in zip(shares, exact, strict=True)]
    assert set(extra) <= {0, 1}
    ranks = [(-(part - part.__floor__()), index) for index, part in enumerate(exact)]
    with_extra = [rank for rank, more in zip(ranks, extra, strict=True) if more]
    without = [rank for rank, more in zip(ranks, extra, strict=True) if not more]
    assert not with_extra or not without or max(with_extra) < min(without)


@patiently
@given(sales(), st.randoms(use_true_random=False))
def test_the_order_of_lines_does_not_change_the_totals(
    sale: tuple[list[LineToPrice], Discount | None, int], random: Random
) -> None:
    lines, discount, decimals = sale
    shuffled = random.sample(lines, len(lines))
    assert sums(compute_totals(shuffled, discount, decimals), decimals) == sums(
        compute_totals(lines, discount, decimals), decimals
    )


@patiently
@given(sales(), st.data())
def test_refunds_in_any_steps_give_back_exactly_the_sale(
    sale: tuple[list[LineToPrice], Discount | None, int], data: st.DataObject
) -> None:
    lines, discount, decimals = sale
    sold = compute_totals(lines, discount, decimals).lines[0]
    cuts = data.draw(st.sets(st.integers(1, sold.quantity), max_size=10))
    stops = sorted({0, sold.quantity, *cuts})
    steps = [
        refund_amounts(sold, already_refunded=done, quantity=stop - done, decimals=decimals)
        for done, stop in pairwise(stops)
    ]
    for step in steps:
        assert step.unit_amount == sold.unit_amount
        assert step.total_amount == step.unit_amount * step.quantity == step.discount_amount + step.net_amount
        assert step.discount_amount >= 0
        assert step.net_amount >= 0
    assert sum(step.quantity for step in steps) == sold.quantity
    assert sum(step.net_amount for step in steps) == sold.net_amount
    assert sum(step.discount_amount for step in steps) == sold.discount_amount
    assert sum(step.total_amount for step in steps) == sold.total_amount


def test_refunds_of_single_units_add_up_to_the_line() -> None:
    sold = compute_totals([line("5", 3, discount_amount="5")], None, 2).lines[0]
    nets = [refund_amounts(sold, already_refunded=k, quantity=1, decimals=2).net_amount for k in range(3)]
    assert [str(net) for net in nets] == ["3.33", "3.34", "3.33"]


@pytest.mark.parametrize(
    ("already", "quantity", "fault"),
    [
        (0, 4, PriceProblem.MORE_THAN_LEFT),
        (2, 2, PriceProblem.MORE_THAN_LEFT),
        (3, 1, PriceProblem.MORE_THAN_LEFT),
        (0, 0, PriceProblem.BELOW_ONE),
    ],
)
def test_no_more_than_was_sold_can_be_refunded(already: int, quantity: int, fault: PriceProblem) -> None:
    sold = compute_totals([line("5", 3)], None, 2).lines[0]
    with pytest.raises(Problem) as refused:
        refund_amounts(sold, already_refunded=already, quantity=quantity, decimals=2)
    assert [flaw.kind for flaw in refused.value.all] == [fault]


LONG, SHORT = OptionPrice(D(150), D(130)), OptionPrice(D(90))


@pytest.mark.parametrize(
    ("override", "provider", "offer", "option", "charged"),
    [
        (None, None, None, None, 100),
        (None, None, D(80), None, 80),
        (None, D(120), D(80), None, 120),
        (D(70), D(120), D(80), None, 70),
        (D(0), D(120), D(80), LONG, 0),
        (None, D(0), D(80), None, 0),
        (None, None, D(0), None, 0),
        (None, None, D(80), SHORT, 90),
        (None, None, D(80), LONG, 130),
        (None, D(120), None, LONG, 130),
    ],
)
def test_the_most_particular_price_is_charged(
    override: Decimal | None,
    provider: Decimal | None,
    offer: Decimal | None,
    option: OptionPrice | None,
    charged: int,
) -> None:
    assert charged == unit_price(
        override=override, provider_price=provider, offer_price=offer, price=D(100), option=option
    )
