"""Which records are to be moved so that a business has them in the order of a file."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from frontdesk.developer_tools.set_up_file.kind import Order
from frontdesk.developer_tools.set_up_file.records import Entry, Present, Slot


def moves(order: Order, entries: Sequence[Entry], records: Sequence[Present]) -> Iterator[tuple[Entry, Slot | None]]:
    """The fewest moves, each with the record that it goes before; None for the end.

    What is created comes last. What the file does not have stays where it is.
    """
    new = [entry for entry in entries if entry.present is None]
    slots = [record.slot for record in records] + [entry.slot for entry in new]
    values = {id(record.slot): record.values for record in records}
    values |= {id(entry.slot): {**values.get(id(entry.slot), {}), **entry.values} for entry in entries}
    if order.needs_status:
        named = {id(entry.slot): entry.values.get("status", True) for entry in entries}
        slots = [slot for slot in slots if named.get(id(slot), values[id(slot)].get("status", True))]
    groups: dict[int, list[Slot]] = {}
    for slot in slots:
        groups.setdefault(id(values[id(slot)].get(order.among)), []).append(slot)
    for group in groups.values():
        places = {id(slot): place for place, slot in enumerate(group)}
        yield from _moves([entry for entry in entries if id(entry.slot) in places], group, places)


def _moves(wanted: Sequence[Entry], group: list[Slot], places: dict[int, int]) -> Iterator[tuple[Entry, Slot | None]]:
    staying = _longest_in_order([places[id(entry.slot)] for entry in wanted])
    last: Slot | None = None
    for entry in wanted:
        if places[id(entry.slot)] not in staying:
            first = next(slot for slot in group if places[id(slot)] in staying)
            group.remove(entry.slot)
            at = group.index(first) if last is None else group.index(last) + 1
            yield entry, group[at] if at < len(group) else None
            group.insert(at, entry.slot)
        last = entry.slot


def _longest_in_order(numbers: Sequence[int]) -> set[int]:
    """A longest part of them that ascends."""
    ends: list[int] = []  # by length, the smallest number with which such a part ends
    lengths = []
    for number in numbers:
        length = bisect_left(ends, number)
        ends[length : length + 1] = [number]
        lengths.append(length)
    found: set[int] = set()
    wanted = len(ends) - 1
    for number, length in zip(reversed(numbers), reversed(lengths), strict=True):
        if length == wanted:
            found.add(number)
            wanted -= 1
    return found
