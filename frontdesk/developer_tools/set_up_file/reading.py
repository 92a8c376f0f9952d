"""Reads a file: its records, each with the line of every field, or all mistakes at once."""

from collections.abc import Iterable
from difflib import get_close_matches

import yaml

from frontdesk.developer_tools.set_up_file.business import naming, unique_keys
from frontdesk.developer_tools.set_up_file.field_types import Field, Node, is_null, line_of, pairs, scalar
from frontdesk.developer_tools.set_up_file.kind import Fields, Kind
from frontdesk.developer_tools.set_up_file.kinds import ITEMS, KINDS, OPTION_FIELDS
from frontdesk.developer_tools.set_up_file.records import Entry, FileRefused, Mistake, Place, Slot

SetUpFile = dict[str, list[Entry]]  # by section, those that the file has


def read_file(text: str) -> SetUpFile:
    return _Reader().file(text)


class _Reader:
    def __init__(self) -> None:
        self._mistakes: list[Mistake] = []

    def file(self, text: str) -> SetUpFile:
        found: SetUpFile = {}
        sections = {kind.section: kind for kind in KINDS}
        for name, place, node in _top(text):
            if name not in sections:
                self._mistakes.append(_unknown(place, name, sections, "section"))
            elif not is_null(node):
                kind = sections[name]
                found[name] = self._section(kind, node, place)
        if self._mistakes:
            raise FileRefused(self._mistakes)
        return found

    def _section(self, kind: Kind, node: Node, place: Place) -> list[Entry]:
        if not kind.is_single:
            return self._records(kind, kind.fields, node, place)
        entry = self._record(kind, kind.fields, node, place)
        if entry is None:
            return []
        entry.key = entry.slot.key = kind.section.replace("_", " ")
        return [entry]

    def _records(self, kind: Kind | None, fields: Fields, node: Node, place: Place) -> list[Entry]:
        """Of a section, or the options of an item."""
        if not isinstance(node, yaml.SequenceNode):
            self._mistakes.append(Mistake(place, "write a list of records"))
            return []
        read = [self._record(kind, fields, record, place.at(line_of(record), n)) for n, record in enumerate(node.value)]
        entries = [entry for entry in read if entry is not None]
        self._name(kind, entries)
        return entries

    def _record(self, kind: Kind | None, fields: Fields, node: Node, place: Place) -> Entry | None:
        """None if it has a mistake."""
        before = len(self._mistakes)
        entry, places = Entry("", Slot(""), {}, place), dict[str, Place]()
        try:
            for name, at, value in pairs(node, place, f"a record with the fields {', '.join(list(fields)[:2])}, …"):
                places[name] = at
                self._field(kind, fields, entry, name, value, at)
        except Mistake as mistake:
            self._mistakes.append(mistake)
            return None
        entry.places = places
        missing = [name for name, field in fields.items() if field.required and name not in places]
        self._mistakes += [Mistake(place, f"{name} is missing") for name in missing]
        return entry if len(self._mistakes) == before else None

    def _field(self, kind: Kind | None, fields: Fields, entry: Entry, name: str, node: Node, place: Place) -> None:
        try:
            if name == "key" and (kind is None or not kind.is_single):
                entry.key = scalar(node, place, "a name that no other record has")
                entry.has_own_key = True
            elif name == "options" and kind is ITEMS:
                entry.options = self._records(None, OPTION_FIELDS, node, place)
            elif name in fields:
                entry.values[name] = _value(fields[name], node, place)
            else:
                own = ["options"] if kind is ITEMS else []
                known = [*fields, *own] if kind is not None and kind.is_single else [*fields, "key", *own]
                self._mistakes.append(_unknown(place, name, known, "field"))
        except Mistake as mistake:
            self._mistakes.append(mistake)

    def _name(self, kind: Kind | None, entries: list[Entry]) -> None:
        """A record without a key has the one that a business gives it."""
        keys = unique_keys([naming(kind, entry.values) for entry in entries])
        seen: set[str] = set()
        for entry, key in zip(entries, keys, strict=True):
            if not entry.has_own_key:
                entry.key = key
            entry.slot.key = entry.key
            if entry.key in seen:
                text = f"another record is called {entry.key!r}: give one of them another key"
                self._mistakes.append(Mistake(entry.place_of("key"), text))
            seen.add(entry.key)


def _top(text: str) -> list[tuple[str, Place, Node]]:
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        return [] if node is None else list(pairs(node, Place(line_of(node), ""), "sections, such as items:"))
    except yaml.MarkedYAMLError as error:
        line = 1 if error.problem_mark is None else error.problem_mark.line + 1
        raise FileRefused([Mistake(Place(line, ""), f"this is no YAML: {error.problem}")]) from error
    except yaml.YAMLError as error:
        raise FileRefused([Mistake(Place(1, ""), f"this is no YAML: {error}".partition("\n")[0])]) from error
    except Mistake as mistake:
        raise FileRefused([mistake]) from mistake


def _value(field: Field, node: Node, place: Place) -> object:
    if not is_null(node):
        return field.type.read(node, place)
    if field.required or field.counts_if_absent or field.by_itself or not field.clearable:
        raise Mistake(place, f"write {field.type.wanted}")
    return None


def _unknown(place: Place, name: str, known: Iterable[str], what: str) -> Mistake:
    near = get_close_matches(name, list(known), 1)
    hint = f"did you mean {near[0]}?" if near else f"use {', '.join(known)}"
    return Mistake(place, f"no such {what}: {hint}")
