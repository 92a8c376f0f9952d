"""Cash at the counter: what a customer is likely to hand over."""

from decimal import ROUND_CEILING, Decimal

_NOTES = (5, 10, 50, 100, 200, 500)
_MOST = 5


def likely_sums(amount: Decimal) -> list[Decimal]:
    """The exact amount, and the next sums that are paid with notes of one kind."""
    rounded = {(amount / note).to_integral_value(ROUND_CEILING) * note for note in _NOTES}
    return [amount, *sorted(rounded - {amount})][:_MOST]
