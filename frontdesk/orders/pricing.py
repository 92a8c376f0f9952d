"""Computes the amounts of an order, for all APIs and pages.

Computation uses integers in minor units, so that rounding neither adds nor loses an amount.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple, assert_never

from frontdesk.orders.allocate import allocate
from frontdesk.orders.problems import PriceProblem
from frontdesk.orders.tax import included_tax
from frontdesk.problems import Problem, raise_all
from frontdesk.values.money import MAX_INTEGER_DIGITS, exact_sum, fits_currency, from_minor, to_minor

PERCENTAGE_DECIMALS = 6


class DiscountKind(StrEnum):
    PERCENTAGE = "percentage"
    FIXED = "fixed"


class LineToPrice(NamedTuple):
    """`discount_amount` is for the whole line. The discount of the order applies only to discountable lines."""

    unit_amount: Decimal
    quantity: int
    discount_amount: Decimal = Decimal(0)
    discountable: bool = False
    tax_rate: Decimal = Decimal(0)  # in percent; the unit amount includes it


@dataclass(frozen=True, slots=True)
class Discount:
    kind: DiscountKind
    amount: Decimal
    apply_all: bool = False


class PricedLine(NamedTuple):
    """`total_amount` is before the discount, `net_amount` after it."""

    unit_amount: Decimal
    quantity: int
    total_amount: Decimal
    discount_amount: Decimal
    net_amount: Decimal
    tax_rate: Decimal = Decimal(0)
    tax_amount: Decimal = Decimal(0)  # the part of the net amount that is tax


class Priced(NamedTuple):
    lines: tuple[PricedLine, ...]
    sub_total: Decimal
    discount_amount: Decimal
    total: Decimal
    tax_amount: Decimal


class OptionPrice(NamedTuple):
    price: Decimal
    offer_price: Decimal | None = None


def unit_price(
    *,
    override: Decimal | None,
    provider_price: Decimal | None,
    offer_price: Decimal | None,
    price: Decimal,
    option: OptionPrice | None = None,
) -> Decimal:
    """A selected option is a variant with its own full price, which replaces the price of the item. The price of a
    provider is for the service without an option, so the option takes precedence over it.
    """
    if override is not None:
        return override
    if option is not None:
        return _charged(option.offer_price, option.price)
    return _charged(provider_price, _charged(offer_price, price))


def _charged(preferred: Decimal | None, otherwise: Decimal) -> Decimal:
    """Zero is a price, so only None is replaced."""
    return otherwise if preferred is None else preferred


def compute_totals(lines: Sequence[LineToPrice], discount: Discount | None, decimals: int) -> Priced:
    """The discount of the order applies after the discounts of the lines, so no line becomes negative."""
    problems = [problem for index, line in enumerate(lines) for problem in _line_problems(index, line, decimals)]
    problems += _discount_problems(discount, decimals)
    raise_all(problems)
    totals = [to_minor(line.unit_amount, decimals) * line.quantity for line in lines]
    if sum(totals) >= _limit(decimals):
        raise Problem(PriceProblem.TOO_LARGE, "total")
    own = [to_minor(line.discount_amount, decimals) for line in lines]
    discountable = [
        total - off if _is_eligible(line, discount) else 0 for line, total, off in zip(lines, totals, own, strict=True)
    ]
    shared = allocate(_order_discount(sum(discountable), discount, decimals), discountable)
    return _assemble(lines, totals, [a + b for a, b in zip(own, shared, strict=True)], decimals)


def _line_problems(index: int, line: LineToPrice, decimals: int) -> Iterator[Problem]:
    unit_error = _amount_error(line.unit_amount, decimals)
    discount_error = _amount_error(line.discount_amount, decimals)
    if unit_error is not None:
        yield Problem(unit_error, "lines", index, "unit_amount")
    if line.quantity < 1:
        yield Problem(PriceProblem.BELOW_ONE, "lines", index, "quantity")
    if discount_error is not None:
        yield Problem(discount_error, "lines", index, "discount_amount")
    if unit_error is not None or line.quantity < 1:
        return
    total = to_minor(line.unit_amount, decimals) * line.quantity
    if total >= _limit(decimals):
        yield Problem(PriceProblem.TOO_LARGE, "lines", index, "quantity")
    if discount_error is None and to_minor(line.discount_amount, decimals) > total:
        yield Problem(PriceProblem.DISCOUNT_ABOVE_LINE, "lines", index, "discount_amount")


def _discount_problems(discount: Discount | None, decimals: int) -> Iterator[Problem]:
    if discount is None:
        return
    is_percentage = discount.kind is DiscountKind.PERCENTAGE
    error = _amount_error(discount.amount, PERCENTAGE_DECIMALS if is_percentage else decimals)
    if error is None and is_percentage and discount.amount > 100:
        error = PriceProblem.PERCENTAGE_ABOVE_100
    if error is not None:
        yield Problem(error, "discount")


def _amount_error(amount: Decimal, decimals: int) -> PriceProblem | None:
    if not fits_currency(amount, decimals):
        return PriceProblem.NOT_AN_AMOUNT
    return PriceProblem.NEGATIVE if amount < 0 else None


def _limit(decimals: int) -> int:
    """A total has the same limit as an amount in a request; otherwise the order could not be paid."""
    return int(10 ** (MAX_INTEGER_DIGITS + decimals))


def _is_eligible(line: LineToPrice, discount: Discount | None) -> bool:
    return discount is not None and (discount.apply_all or line.discountable)


def _order_discount(eligible_sum: int, discount: Discount | None, decimals: int) -> int:
    if discount is None:
        return 0
    match discount.kind:
        case DiscountKind.PERCENTAGE:
            rate = to_minor(discount.amount, PERCENTAGE_DECIMALS)
            return _divide_half_up(eligible_sum * rate, 100 * 10**PERCENTAGE_DECIMALS)
        case DiscountKind.FIXED:
            return min(to_minor(discount.amount, decimals), eligible_sum)
        case _:
            assert_never(discount.kind)


def _divide_half_up(dividend: int, divisor: int) -> int:
    return (2 * dividend + divisor) // (2 * divisor)


def _assemble(lines: Sequence[LineToPrice], totals: Sequence[int], discounts: Sequence[int], decimals: int) -> Priced:
    priced = tuple(
        _taxed(_priced_line(to_minor(line.unit_amount, decimals), line.quantity, total - off, decimals), line, decimals)
        for line, total, off in zip(lines, totals, discounts, strict=True)
    )
    sub_total, discount_amount = sum(totals), sum(discounts)
    return Priced(
        lines=priced,
        sub_total=from_minor(sub_total, decimals),
        discount_amount=from_minor(discount_amount, decimals),
        total=from_minor(sub_total - discount_amount, decimals),
        tax_amount=exact_sum(line.tax_amount for line in priced),
    )


def _taxed(priced: PricedLine, line: LineToPrice, decimals: int) -> PricedLine:
    tax = included_tax(priced.net_amount, line.tax_rate, decimals)
    return priced._replace(tax_rate=line.tax_rate, tax_amount=tax)


def _priced_line(unit: int, quantity: int, net: int, decimals: int) -> PricedLine:
    return PricedLine(
        unit_amount=from_minor(unit, decimals),
        quantity=quantity,
        total_amount=from_minor(unit * quantity, decimals),
        discount_amount=from_minor(unit * quantity - net, decimals),
        net_amount=from_minor(net, decimals),
    )


def refund_amounts(sold: PricedLine, *, already_refunded: int, quantity: int, decimals: int) -> PricedLine:
    """Each refund is the difference of two rounded running sums, so that partial refunds add up to the sale exactly.
    The amounts are positive; the order of the refund negates them.
    """
    if quantity < 1:
        raise Problem(PriceProblem.BELOW_ONE, "quantity")
    if already_refunded + quantity > sold.quantity:
        raise Problem(PriceProblem.MORE_THAN_LEFT, "quantity")
    net = to_minor(sold.net_amount, decimals)
    before = _divide_half_up(net * already_refunded, sold.quantity)
    after = _divide_half_up(net * (already_refunded + quantity), sold.quantity)
    return _priced_line(to_minor(sold.unit_amount, decimals), quantity, after - before, decimals)
