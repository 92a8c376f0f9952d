"""Tax of lines, orders and refunds. Pure functions.

A line's total is what the customer pays, so it always contains its tax. An order's tax is the sum of its lines'.
"""

from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

import msgspec

from frontdesk.orders.allocate import allocate
from frontdesk.values.money import exact_sum, from_minor, to_minor

RATE_DECIMALS = 2


class TaxRate(msgspec.Struct, frozen=True):
    """A rate of a tax class, valid from a local date on."""

    class_id: UUID
    is_default: bool  # of the class
    starts_on: date
    rate: Decimal  # in percent


class TaxRules(NamedTuple):
    """How a business taxes what it sells on one day."""

    prices_include_tax: bool
    by_class: dict[UUID, Decimal]
    default: Decimal

    def rate_of(self, class_id: UUID | None) -> Decimal:
        return self.default if class_id is None else self.by_class.get(class_id, Decimal(0))


def tax_rules(rates: Iterable[TaxRate], *, prices_include_tax: bool, day: date) -> TaxRules:
    """Of each class the last rate that has started by the day."""
    valid = sorted((rate for rate in rates if rate.starts_on <= day), key=lambda rate: rate.starts_on)
    default = next((rate.rate for rate in reversed(valid) if rate.is_default), Decimal(0))
    return TaxRules(prices_include_tax, {rate.class_id: rate.rate for rate in valid}, default)


def included_tax(total: Decimal, rate: Decimal, decimals: int) -> Decimal:
    """The part of the total that is tax, rounded half up."""
    percent = to_minor(rate, RATE_DECIMALS)
    return _divide(to_minor(total, decimals) * percent, 100 * 10**RATE_DECIMALS + percent, decimals)


def add_tax(price: Decimal, rate: Decimal, decimals: int) -> Decimal:
    """The unit price that is charged when tax comes on top of the catalog's prices."""
    whole = 100 * 10**RATE_DECIMALS
    return _divide(to_minor(price, decimals) * (whole + to_minor(rate, RATE_DECIMALS)), whole, decimals)


def _divide(dividend: int, divisor: int, decimals: int) -> Decimal:
    return from_minor((2 * dividend + divisor) // (2 * divisor), decimals)


class SoldTax(NamedTuple):
    """A sold line, and what earlier refunds have taken back of it."""

    total: Decimal
    rate: Decimal
    tax: Decimal
    refunded: Decimal
    refunded_tax: Decimal


def refunded_taxes(sold: Sequence[SoldTax], refunded: Sequence[Decimal], decimals: int) -> list[Decimal]:
    """The tax in each amount that is refunded now, one amount for each sold line; 0 for none.

    Each is the difference of two running sums, so that the refunds of a line take back its tax exactly, and those of a
    whole order its tax.
    """
    after = [line.refunded + amount for line, amount in zip(sold, refunded, strict=True)]
    due = _tax_in(sold, after, decimals) - exact_sum(line.refunded_tax for line in sold)
    taxes = [
        max(_line_tax(line, now, decimals) - line.refunded_tax, Decimal(0)) if amount else Decimal(0)
        for line, now, amount in zip(sold, after, refunded, strict=True)
    ]
    return _settle(taxes, refunded, max(due, Decimal(0)))


def _line_tax(line: SoldTax, refunded: Decimal, decimals: int) -> Decimal:
    return included_tax(min(refunded, line.total), line.rate, decimals)


def _tax_in(sold: Sequence[SoldTax], refunded: Sequence[Decimal], decimals: int) -> Decimal:
    """The tax in everything that has been refunded.

    After a refund of an amount, which all lines share, a line can be refunded beyond its total. What is beyond counts
    as refunded from the others.
    """
    within = [min(amount, line.total) for line, amount in zip(sold, refunded, strict=True)]
    left = [to_minor(line.total - amount, decimals) for line, amount in zip(sold, within, strict=True)]
    beyond = allocate(to_minor(exact_sum(refunded) - exact_sum(within), decimals), left)
    return exact_sum(
        _line_tax(line, amount + from_minor(more, decimals), decimals)
        for line, amount, more in zip(sold, within, beyond, strict=True)
    )


def _settle(taxes: Sequence[Decimal], refunded: Sequence[Decimal], due: Decimal) -> list[Decimal]:
    """The taxes, changed where an amount is refunded so that they add up to what is due."""
    result, missing = list(taxes), due - exact_sum(taxes)
    for index, amount in enumerate(refunded):
        change = max(missing, -result[index]) if amount else Decimal(0)
        result[index] += change
        missing -= change
    return result


def main_rate(lines: Iterable[tuple[Decimal, Decimal]]) -> Decimal:
    """Of lines given as (rate, total): the rate that most of the total has. Of equal parts the higher rate."""
    totals: dict[Decimal, Decimal] = {}
    for rate, total in lines:
        totals[rate] = totals.get(rate, Decimal(0)) + total
    return max(totals, key=lambda rate: (totals[rate], rate), default=Decimal(0))
