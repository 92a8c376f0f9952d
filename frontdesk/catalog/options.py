"""What can be sold of an item with options: one of those on sale, and the item without one only if the owner says so.

An item whose options are all off sale is not sold then: attention/rules.py names it.
"""

from collections.abc import Sequence
from decimal import Decimal


def price_range(
    options: Sequence[Decimal], without: Sequence[Decimal], *, base_sellable: bool
) -> tuple[Decimal, Decimal]:
    """The lowest and the highest price. `without` are the prices without an option, one for each provider."""
    found = [*options, *(without if base_sellable or not options else ())]
    return min(found), max(found)


def duration_range(
    minutes: int, options: Sequence[int | None], providers: Sequence[int | None], *, base_sellable: bool
) -> tuple[int, int]:
    """The shortest and the longest, in minutes. The duration of an option counts before that of a provider."""
    without = [own or minutes for own in providers] or [minutes]
    found = [duration for option in options for duration in ([option] if option else without)]
    found += without if base_sellable or not options else []
    return min(found), max(found)
