"""The one place where an order's amounts come from, for every surface.

Amounts are whole minor units while they are computed, so nothing is lost or invented by rounding.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Literal, NamedTuple, assert_never

from frontdesk.values.money import MAX_INTEGER_DIGITS, exact_sum, fits_currency, from_minor, to_minor

PERCENTAGE_DECIMALS = 6


class DiscountKind(StrEnum):
    PERCENTAGE = "percentage"
    FIXED = "fixed"


class LineError(StrEnum):
    """The values are the messages a caller reads beside the field."""

    NEGATIVE = "must not be negative"
    BELOW_ONE = "must be at least 1"
    NOT_AN_AMOUNT = "has too many digits"
    DISCOUNT_ABOVE_LINE = "must not exceed the amount of the line"
    PERCENTAGE_ABOVE_100 = "must not exceed 100"
    TOO_LARGE = "makes the amount too large"
    MORE_THAN_LEFT = "must not exceed the rest of the line"


Field = Literal["unit_amount", "quantity", "discount_amount", "discount", "total"]


@dataclass(frozen=True, slots=True)
class PricingProblem:
    """Line is None where the order as a whole is at fault; each surface knows its own path to a field."""

    line: int | None
    field: Field
    error: LineError


class PricingError(Exception):
    """Holds every flaw, because a caller is told all broken fields at once."""

    def __init__(self, flaws: Sequence[PricingProblem]) -> None:
        super().__init__("; ".join(f"{flaw.field} {flaw.error} (line {flaw.line})" for flaw in flaws))
        self.flaws = tuple(flaws)


class LineToPrice(NamedTuple):
    """`discount_amount` is the whole line's own; the order's discount reaches only `eligible` lines."""

    unit_amount: Decimal
    quantity: int
    discount_amount: Decimal = Decimal(0)
    discountable: bool = False


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


class Priced(NamedTuple):
    lines: tuple[PricedLine, ...]
    sub_total: Decimal
    discount_amount: Decimal
    total: Decimal


class OptionPrice(NamedTuple):
    price: Decimal
    offer_price: Decimal | None = None


def unit_price(
    *,
    override: Decimal | None,
    provider_price: Decimal | None,
    offer_price: Decimal | None,
    price: Decimal,
    options: Sequence[OptionPrice] = (),
) -> Decimal:
    """A chosen option is a variant with a full price of its own, so it stands in the item's place, and
    several are sold together, so they add up. A provider's price is agreed for the plain service and
    knows nothing of its variants: were it put first, long hair would cost what short hair costs.
    """
    if override is not None:
        return override
    if options:
        return exact_sum(_charged(option.offer_price, option.price) for option in options)
    return _charged(provider_price, _charged(offer_price, price))


def _charged(preferred: Decimal | None, otherwise: Decimal) -> Decimal:
    """Zero is a price; only an absent one gives way."""
    return otherwise if preferred is None else preferred


def price(lines: Sequence[LineToPrice], discount: Discount | None, decimals: int) -> Priced:
    """The order's discount works on what the lines' own discounts have left, so no line falls below zero."""
    flaws = [flaw for index, line in enumerate(lines) for flaw in _line_problems(index, line, decimals)]
    flaws += _discount_problems(discount, decimals)
    if flaws:
        raise PricingError(flaws)
    totals = [to_minor(line.unit_amount, decimals) * line.quantity for line in lines]
    if sum(totals) >= _limit(decimals):
        raise PricingError([PricingProblem(None, "total", LineError.TOO_LARGE)])
    own = [to_minor(line.discount_amount, decimals) for line in lines]
    discountable = [
        total - off if _is_eligible(line, discount) else 0 for line, total, off in zip(lines, totals, own, strict=True)
    ]
    shared = spread(_order_discount(sum(discountable), discount, decimals), discountable)
    return _assemble(lines, totals, [a + b for a, b in zip(own, shared, strict=True)], decimals)


def _line_problems(index: int, line: LineToPrice, decimals: int) -> Iterator[PricingProblem]:
    unit_error = _amount_error(line.unit_amount, decimals)
    discount_error = _amount_error(line.discount_amount, decimals)
    if unit_error is not None:
        yield PricingProblem(index, "unit_amount", unit_error)
    if line.quantity < 1:
        yield PricingProblem(index, "quantity", LineError.BELOW_ONE)
    if discount_error is not None:
        yield PricingProblem(index, "discount_amount", discount_error)
    if unit_error is not None or line.quantity < 1:
        return
    total = to_minor(line.unit_amount, decimals) * line.quantity
    if total >= _limit(decimals):
        yield PricingProblem(index, "quantity", LineError.TOO_LARGE)
    if discount_error is None and to_minor(line.discount_amount, decimals) > total:
        yield PricingProblem(index, "discount_amount", LineError.DISCOUNT_ABOVE_LINE)


def _discount_problems(discount: Discount | None, decimals: int) -> Iterator[PricingProblem]:
    if discount is None:
        return
    is_percentage = discount.kind is DiscountKind.PERCENTAGE
    error = _amount_error(discount.amount, PERCENTAGE_DECIMALS if is_percentage else decimals)
    if error is None and is_percentage and discount.amount > 100:
        error = LineError.PERCENTAGE_ABOVE_100
    if error is not None:
        yield PricingProblem(None, "discount", error)


def _amount_error(amount: Decimal, decimals: int) -> LineError | None:
    if not fits_currency(amount, decimals):
        return LineError.NOT_AN_AMOUNT
    return LineError.NEGATIVE if amount < 0 else None


def _limit(decimals: int) -> int:
    """A total obeys the same bound as any amount sent to us, else it could be ordered but never paid."""
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


def spread(amount: int, weights: Sequence[int]) -> list[int]:
    """Largest remainder; sorting is stable, so ties fall to the earlier line."""
    whole = sum(weights)
    if amount == 0 or whole == 0:
        return [0] * len(weights)
    shares = [amount * weight // whole for weight in weights]
    by_remainder = sorted(range(len(weights)), key=lambda i: -(amount * weights[i] % whole))
    for i in by_remainder[: amount - sum(shares)]:
        shares[i] += 1
    return shares


def _assemble(lines: Sequence[LineToPrice], totals: Sequence[int], discounts: Sequence[int], decimals: int) -> Priced:
    priced = tuple(
        _priced_line(to_minor(line.unit_amount, decimals), line.quantity, total - off, decimals)
        for line, total, off in zip(lines, totals, discounts, strict=True)
    )
    sub_total, discount_amount = sum(totals), sum(discounts)
    return Priced(
        lines=priced,
        sub_total=from_minor(sub_total, decimals),
        discount_amount=from_minor(discount_amount, decimals),
        total=from_minor(sub_total - discount_amount, decimals),
    )


def _priced_line(unit: int, quantity: int, net: int, decimals: int) -> PricedLine:
    return PricedLine(
        unit_amount=from_minor(unit, decimals),
        quantity=quantity,
        total_amount=from_minor(unit * quantity, decimals),
        discount_amount=from_minor(unit * quantity - net, decimals),
        net_amount=from_minor(net, decimals),
    )


def refund_amounts(sold: PricedLine, *, already_refunded: int, quantity: int, decimals: int) -> PricedLine:
    """Each step is the difference of two rounded running sums, so all steps together give back the sale
    exactly, in whatever portions; what comes back is positive and the refund order gives it its sign.
    """
    if quantity < 1:
        raise PricingError([PricingProblem(None, "quantity", LineError.BELOW_ONE)])
    if already_refunded + quantity > sold.quantity:
        raise PricingError([PricingProblem(None, "quantity", LineError.MORE_THAN_LEFT)])
    net = to_minor(sold.net_amount, decimals)
    before = _divide_half_up(net * already_refunded, sold.quantity)
    after = _divide_half_up(net * (already_refunded + quantity), sold.quantity)
    return _priced_line(to_minor(sold.unit_amount, decimals), quantity, after - before, decimals)
