"""Finds for each record of a file the one of the business that it is, and for each name the record that it means."""

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Any

from frontdesk.developer_tools.set_up_file.business import Business
from frontdesk.developer_tools.set_up_file.kind import Kind
from frontdesk.developer_tools.set_up_file.kinds import KINDS
from frontdesk.developer_tools.set_up_file.reading import SetUpFile
from frontdesk.developer_tools.set_up_file.records import (
    Entry,
    FileRefused,
    Mistake,
    Present,
    Reference,
    Slot,
    name_of,
)


def match(file: SetUpFile, business: Business) -> None:
    known: dict[str, dict[str, Slot]] = {}
    mistakes: list[Mistake] = []
    for kind in KINDS:
        entries, records = file.get(kind.section, []), business[kind.section]
        for entry in entries:
            try:
                entry.values = {name: _resolved(value, known) for name, value in entry.values.items()}
            except Mistake as mistake:
                mistakes.append(mistake)
        if kind.is_single:
            for entry in entries:
                _take(entry, records, [*records])
            continue
        match_records(kind, entries, records)
        for entry in entries:
            if entry.present is not None:
                match_records(None, entry.options, entry.present.options)
        known[kind.section] = {record.slot.key: record.slot for record in records}
        known[kind.section] |= {entry.key: entry.slot for entry in entries}
        mistakes += _type_mistakes(kind, entries)
    if mistakes:
        raise FileRefused(mistakes)


def _resolved(value: Any, known: dict[str, dict[str, Slot]]) -> Any:  # noqa: ANN401 - of any type of field
    """With the records in place of their keys."""
    match value:
        case Reference():
            return _find(value, known[value.kind])
        case list():
            return [_resolved(part, known) for part in value]
        case dict():
            return {name: _resolved(part, known) for name, part in value.items()}
        case _:
            return value


def _find(reference: Reference, slots: dict[str, Slot]) -> Slot:
    if reference.key in slots:
        return slots[reference.key]
    near = get_close_matches(reference.key, slots, 1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise Mistake(reference.place, f"none of the {reference.kind.replace('_', ' ')} is called {reference.key!r}{hint}")


def match_records(kind: Kind | None, entries: Sequence[Entry], records: Sequence[Present]) -> None:
    """By an own key, then by name: in the same branch, unless it is a person."""
    free = list(records)
    for entry in entries:
        if entry.has_own_key:
            _take(entry, [record for record in free if record.slot.key == entry.key], free)
    for entry in entries:
        if entry.present is None:
            same = [record for record in free if _has_name(record, entry)]
            here = [record for record in same if record.values.get("branch") is entry.values.get("branch")]
            _take(entry, [*here, *same] if kind is not None and kind.stays_itself else here, free)


def _take(entry: Entry, found: Sequence[Present], free: list[Present]) -> None:
    """From now on they are one record."""
    if found:
        entry.present = found[0]
        entry.slot = found[0].slot
        free.remove(found[0])


def _has_name(record: Present, entry: Entry) -> bool:
    return name_of(record.values) == name_of(entry.values)


def _type_mistakes(kind: Kind, entries: Sequence[Entry]) -> Iterator[Mistake]:
    for entry in entries:
        type_ = entry.values.get("type")
        if entry.present is not None and entry.present.values.get("type") != type_:
            yield Mistake(entry.place_of("type"), f"a {entry.present.values['type']} cannot become a {type_}")
        elif entry.present is None and type_ in kind.types_by_hand:
            text = f"applications create no {kind.noun} of this type: create it in the dashboard first"
            yield Mistake(entry.place_of("type"), text)
