"""Cash at the counter: what a customer is likely to hand over."""

from decimal import Decimal

_STEPS = (5, 10, 50, 500)  # as notes come


def likely_sums(amount: Decimal) -> list[Decimal]:
    """The exact amount, and four larger sums of round notes."""
    sums = [amount]
    for step in _STEPS:
        rounded = -(-amount // step) * step
        while rounded <= sums[-1]:
            rounded += step
        sums.append(rounded)
    return sums
