"""Exact money: no float anywhere, and no result that changes with the caller's decimal context."""

import sys
from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Context, Decimal, DivisionByZero, InvalidOperation, Overflow
from functools import lru_cache

from iso4217 import Currency

MAX_INTEGER_DIGITS = 12
_LARGEST_CACHED = 256  # bytes of a number; JSON may hold one of a million digits

# A thousand million amounts of 12 digits with 4 decimals add up to 25 digits. The ambient context holds 28,
# but anyone may narrow it, so it is never asked.
_WIDE = Context(prec=60, rounding=ROUND_HALF_UP, traps=[InvalidOperation, Overflow, DivisionByZero])


@lru_cache(maxsize=256)
def currency_decimals(code: str) -> int:
    """Codes without a minor unit (gold, testing) cannot price anything, so they count as unknown."""
    decimals = Currency(code).exponent
    if decimals is None:
        raise ValueError(f"{code!r} has no minor unit")
    return decimals


def round_half_up(amount: Decimal, decimals: int) -> Decimal:
    """Ties go away from zero, so that a refund mirrors its sale; never answers -0.00."""
    rounded = amount.quantize(from_minor(1, decimals), context=_WIDE)
    return rounded if rounded else rounded.copy_abs()


def fits_currency(amount: Decimal, decimals: int) -> bool:
    """Judges the number, not its spelling: 1.500 and 15E-1 are both 1.5."""
    return _find_minor(amount, decimals) is not None


def to_minor(amount: Decimal, decimals: int) -> int:
    """Refuses what does not fit, because whether to round is the caller's decision."""
    minor = _find_minor(amount, decimals)
    if minor is None:
        raise ValueError(f"not an amount of money with {decimals} decimals")
    return minor


def _find_minor(amount: Decimal, decimals: int) -> int | None:
    if not amount.is_finite():
        return None
    if sys.getsizeof(amount) > _LARGEST_CACHED:
        return _minor_of.__wrapped__(amount, decimals)
    return _minor_of(amount, decimals)


@lru_cache(maxsize=4096)
def _minor_of(amount: Decimal, decimals: int) -> int | None:
    """Works on the digits: arithmetic would round to the context, and 1E+999999999 would eat the memory.

    Remembered, because prices come again and again, and one order asks of each of its amounts several times.
    """
    if not amount:
        return 0
    sign, digits, exponent = amount.as_tuple()
    written = "".join(map(str, digits))
    kept = written.rstrip("0")
    place = int(exponent) + len(written) - len(kept)
    if place < -decimals or amount.adjusted() >= MAX_INTEGER_DIGITS:
        return None
    minor = int(kept + "0" * (place + decimals))
    return -minor if sign else minor


@lru_cache(maxsize=4096)
def from_minor(minor: int, decimals: int) -> Decimal:
    """The exponent is the currency's, so str() writes 12.50, 12.500 or 12."""
    return Decimal(f"{minor}E-{decimals}")


def format_amount(amount: Decimal, decimals: int) -> str:
    return f"{round_half_up(amount, decimals):f}"


def exact_sum(amounts: Iterable[Decimal]) -> Decimal:
    """The built-in sum() rounds to the ambient context."""
    total = Decimal(0)
    for amount in amounts:
        total = _WIDE.add(total, amount)
    return total
