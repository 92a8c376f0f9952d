"""The notes and coins of a currency, from the largest to the smallest."""

from decimal import Decimal
from typing import NamedTuple

_TABLE = {  # notes; coins
    "AED": ("1000 500 200 100 50 20 10 5", "1 0.50 0.25"),
    "AUD": ("100 50 20 10 5", "2 1 0.50 0.20 0.10 0.05"),
    "BHD": ("20 10 5 1 0.500", "0.500 0.100 0.050 0.025 0.010 0.005"),
    "CAD": ("100 50 20 10 5", "2 1 0.25 0.10 0.05"),
    "CHF": ("1000 200 100 50 20 10", "5 2 1 0.50 0.20 0.10 0.05"),
    "EGP": ("200 100 50 20 10 5 1", "1 0.50 0.25"),
    "EUR": ("500 200 100 50 20 10 5", "2 1 0.50 0.20 0.10 0.05 0.02 0.01"),
    "GBP": ("50 20 10 5", "2 1 0.50 0.20 0.10 0.05 0.02 0.01"),
    "INR": ("500 200 100 50 20 10", "20 10 5 2 1"),
    "JOD": ("50 20 10 5 1", "0.500 0.250 0.100 0.050"),
    "JPY": ("10000 5000 2000 1000", "500 100 50 10 5 1"),
    "KWD": ("20 10 5 1 0.500 0.250", "0.100 0.050 0.020 0.010 0.005"),
    "OMR": ("50 20 10 5 1 0.500 0.100", "0.050 0.025 0.010 0.005"),
    "QAR": ("500 200 100 50 10 5 1", "0.50 0.25"),
    "SAR": ("500 200 100 50 20 10 5", "2 1 0.50 0.25 0.10 0.05 0.01"),
    "TRY": ("200 100 50 20 10 5", "1 0.50 0.25 0.10 0.05 0.01"),
    "USD": ("100 50 20 10 5 2 1", "1 0.50 0.25 0.10 0.05 0.01"),
}


class Denominations(NamedTuple):
    notes: tuple[Decimal, ...]
    coins: tuple[Decimal, ...]

    @property
    def all(self) -> tuple[Decimal, ...]:
        return self.notes + self.coins


def denominations_of(currency: str) -> Denominations | None:
    """None for a currency that is not listed: its cash is counted as one amount."""
    found = _TABLE.get(currency)
    if found is None:
        return None
    notes, coins = (tuple(Decimal(value) for value in values.split()) for values in found)
    return Denominations(notes, coins)
