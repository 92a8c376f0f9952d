"""Divides an amount into whole minor units."""

from collections.abc import Sequence


def allocate(amount: int, weights: Sequence[int]) -> list[int]:
    """Largest remainder method. Sorting is stable, so the earlier line wins a tie."""
    whole = sum(weights)
    if amount == 0 or whole == 0:
        return [0] * len(weights)
    shares = [amount * weight // whole for weight in weights]
    by_remainder = sorted(range(len(weights)), key=lambda i: -(amount * weights[i] % whole))
    for i in by_remainder[: amount - sum(shares)]:
        shares[i] += 1
    return shares
