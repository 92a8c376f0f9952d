"""Exact money: no floats, and no dependence on the ambient decimal context."""

import re
import sys
from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Context, Decimal, DivisionByZero, InvalidOperation, Overflow
from functools import lru_cache
from typing import TYPE_CHECKING

from frontdesk.values.lazy_modules import LazyModule

if TYPE_CHECKING:
    import iso4217
else:
    iso4217 = LazyModule("iso4217")  # reads a file of all currencies

MAX_INTEGER_DIGITS = 12
_MAX_CACHED_BYTES = 256  # of one number; JSON may hold one of a million digits

# A billion amounts of 12 digits with 4 decimals add up to 25 digits. The default context has 28, but any code may
# change it, so it is never used.
_WIDE = Context(prec=60, rounding=ROUND_HALF_UP, traps=[InvalidOperation, Overflow, DivisionByZero])


@lru_cache(maxsize=256)
def currency_decimals(code: str) -> int:
    """Raises ValueError for codes without a minor unit (gold, testing), which cannot be used for prices."""
    decimals = iso4217.Currency(code).exponent
    if decimals is None:
        raise ValueError(f"{code!r} has no minor unit")
    return decimals


def round_half_up(amount: Decimal, decimals: int) -> Decimal:
    """Rounds ties away from zero, so that a refund mirrors its sale. Never returns -0.00."""
    rounded = amount.quantize(from_minor(1, decimals), context=_WIDE)
    return rounded if rounded else rounded.copy_abs()


def deposit_of(total: Decimal, percent: int, decimals: int) -> Decimal | None:
    """What a customer who books online is asked to pay before. None: nothing."""
    return round_half_up(total * percent / 100, decimals) if percent and total else None


def fits_currency(amount: Decimal, decimals: int) -> bool:
    """Compares the value, not its notation: 1.500 and 15E-1 are both 1.5."""
    return find_minor(amount, decimals) is not None


def to_minor(amount: Decimal, decimals: int) -> int:
    """Raises ValueError if the amount has too many decimals or digits; rounding is the caller's decision."""
    minor = find_minor(amount, decimals)
    if minor is None:
        raise ValueError(f"not an amount of money with {decimals} decimals")
    return minor


def find_minor(amount: Decimal, decimals: int) -> int | None:
    if not amount.is_finite():
        return None
    if sys.getsizeof(amount) > _MAX_CACHED_BYTES:
        return minor_of.__wrapped__(amount, decimals)
    return minor_of(amount, decimals)


@lru_cache(maxsize=4096)
def minor_of(amount: Decimal, decimals: int) -> int | None:
    """Works on the digits: arithmetic would round to the context, and 1E+999999999 would exhaust memory.

    Cached, because the same prices recur and each amount of an order is converted several times.
    """
    if not amount:
        return 0
    sign, digits, exponent = amount.as_tuple()
    text = "".join(map(str, digits))
    significant = text.rstrip("0")
    scale = int(exponent) + len(text) - len(significant)
    if scale < -decimals or amount.adjusted() >= MAX_INTEGER_DIGITS:
        return None
    minor = int(significant + "0" * (scale + decimals))
    return -minor if sign else minor


@lru_cache(maxsize=4096)
def from_minor(minor: int, decimals: int) -> Decimal:
    """The exponent is the currency's, so str() writes 12.50, 12.500 or 12."""
    return Decimal(f"{minor}E-{decimals}")


def highest_entry(decimals: int) -> Decimal:
    """More than this in a field of the counter is a typing mistake: 10,000,000 where a unit has 100 parts."""
    return Decimal(f"1E{9 - decimals}")


def format_amount(amount: Decimal, decimals: int) -> str:
    return f"{round_half_up(amount, decimals):f}"


def exact_sum(amounts: Iterable[Decimal]) -> Decimal:
    """The built-in sum() rounds to the ambient context."""
    total = Decimal(0)
    for amount in amounts:
        total = _WIDE.add(total, amount)
    return total


_DIGITS = str.maketrans("٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹٫٬،", "01234567890123456789.,,")
_TYPED = re.compile(r"(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:[.][0-9]{1,3})?|[0-9]+,[0-9]{1,2}")


def parse_amount(text: str) -> Decimal | None:
    """An amount as a person types it, or None. A comma before exactly three digits separates thousands."""
    typed = "".join(text.translate(_DIGITS).split())
    if not _TYPED.fullmatch(typed):
        return None
    groups = typed.split(",")
    is_decimal_comma = len(groups) == 2 and len(groups[1]) < 3 and "." not in typed
    amount = Decimal(typed.replace(",", "." if is_decimal_comma else ""))
    return amount if amount.adjusted() < MAX_INTEGER_DIGITS else None
