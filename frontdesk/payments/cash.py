"""Cash at the counter: what a customer is likely to hand over, and how the change is made up."""

from decimal import ROUND_CEILING, Decimal

from frontdesk.values.denominations import denominations_of

_NOTES = (5, 10, 50, 100, 200, 500)
_MAX_AMOUNTS = 5


def likely_sums(amount: Decimal) -> list[Decimal]:
    """The exact amount, and the next sums that are paid with notes of one kind."""
    rounded = {(amount / note).to_integral_value(ROUND_CEILING) * note for note in _NOTES}
    return [amount, *sorted(rounded - {amount})][:_MAX_AMOUNTS]


def change_parts(change: Decimal, currency: str) -> list[tuple[int, Decimal]]:
    """As few notes and coins as possible, the largest first, each with its count; empty if none adds up to it."""
    listed, parts = denominations_of(currency), []
    for value in sorted(set(listed.all), reverse=True) if listed else ():
        count = int(change // value)
        if count:
            parts.append((count, value))
            change -= count * value
    return [] if change else parts
