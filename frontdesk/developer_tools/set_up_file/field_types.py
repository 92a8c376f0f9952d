"""The types of the fields: how a value is read from a file and from the API, compared, shown and sent.

A file is read by the type of the field and not by the form of the text, so that 10:00 is a time and `no` a name.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any, TypeAlias

import msgspec
import yaml

from frontdesk.developer_tools.set_up_file.records import Mistake, Place, Reference, Slot

Node: TypeAlias = Any  # of a YAML document
Find = Callable[[str, str], Slot]  # the record of a kind with this id
LANGUAGES = ("en", "ar")
_NULL = "tag:yaml.org,2002:null"
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


def line_of(node: Node) -> int:
    line: int = node.start_mark.line
    return line + 1


def is_null(node: Node) -> bool:
    return bool(node.tag == _NULL)


def pairs(node: Node, place: Place, wanted: str) -> Iterator[tuple[str, Place, Node]]:
    """The fields of a mapping, each with where it stands."""
    if not isinstance(node, yaml.MappingNode):
        raise Mistake(place, f"write {wanted}")
    seen = set()
    for key, value in node.value:
        name = str(key.value)
        at = place.at(line_of(key), name)
        if name in seen:
            raise Mistake(at, "it is there twice")
        seen.add(name)
        yield name, at, value


def scalar(node: Node, place: Place, wanted: str) -> str:
    if not isinstance(node, yaml.ScalarNode) or is_null(node) or not str(node.value).strip():
        raise Mistake(place, f"write {wanted}")
    return str(node.value).strip()


class FieldType:
    wanted = "a text"  # in messages, after "write"

    def read(self, node: Node, place: Place) -> Any:  # noqa: ANN401 - values have the type that the field has
        return scalar(node, place, self.wanted)

    def from_api(self, value: Any, find: Find) -> Any:  # noqa: ANN401
        return value

    def comparable(self, value: Any) -> object:  # noqa: ANN401
        """Equal for two values that mean the same."""
        return value

    def same(self, wanted: Any, present: Any) -> bool:  # noqa: ANN401
        return self.comparable(wanted) == self.comparable(present)

    def show(self, value: Any) -> str:  # noqa: ANN401
        return str(value)

    def body(self, value: Any) -> object:  # noqa: ANN401
        """As a request has it."""
        return value

    def created_body(self, value: Any) -> object:  # noqa: ANN401
        """As a request has it that creates the record."""
        return self.body(value)

    def dump(self, value: Any) -> object:  # noqa: ANN401
        """As a file has it."""
        return value

    def schema(self) -> dict[str, object]:
        return {"type": "string"}


class Text(FieldType):
    def show(self, value: str) -> str:
        return value if len(value) <= 40 else f"{value[:39]}…"


class Address(Text):
    """Of a mailbox. The domain is stored in small letters."""

    wanted = "an e-mail address"

    def comparable(self, value: str | None) -> object:
        name, at, domain = (value or "").rpartition("@")
        return name + at + domain.lower()


class Slug(Text):
    def read(self, node: Node, place: Place) -> str:
        return re.sub(r"[^\w]+", "-", super().read(node, place).casefold()).strip("-")


class Phone(Text):
    wanted = "a phone number with its calling code, such as +966501234567"

    def read(self, node: Node, place: Place) -> str:
        text = re.sub(r"[\s().-]", "", scalar(node, place, self.wanted))
        if not re.fullmatch(r"\+\d{5,15}", text):
            raise Mistake(place, f"write {self.wanted}")
        return text


class Country(Text):
    wanted = "the two letters of a country, such as SA"

    def read(self, node: Node, place: Place) -> str:
        return scalar(node, place, self.wanted).upper()


class Localized(FieldType):
    wanted = "a text by language, such as {en: Haircut}"

    def read(self, node: Node, place: Place) -> dict[str, str]:
        texts = {}
        for language, at, value in pairs(node, place, self.wanted):
            if language not in LANGUAGES:
                raise Mistake(at, f"no such language: use {' or '.join(LANGUAGES)}")
            texts[language] = scalar(value, at, "a text")
        if not texts:
            raise Mistake(place, f"write {self.wanted}")
        return texts

    def from_api(self, value: Any, find: Find) -> Any:  # noqa: ANN401
        return {language: text for language, text in (value or {}).items() if text} or None

    def show(self, value: Mapping[str, str]) -> str:
        return " / ".join(Text().show(value[language]) for language in LANGUAGES if language in value)

    def dump(self, value: Mapping[str, str]) -> object:
        return Flow({language: value[language] for language in LANGUAGES if language in value})

    def schema(self) -> dict[str, object]:
        texts = {language: {"type": "string"} for language in LANGUAGES}
        return {"type": "object", "properties": texts, "additionalProperties": False, "minProperties": 1}


class Flow(dict[str, object]):
    """Written in one line."""


class Amount(FieldType):
    wanted = "a number, such as 120.00"

    def read(self, node: Node, place: Place) -> Decimal:
        try:
            value = Decimal(scalar(node, place, self.wanted))
        except InvalidOperation:
            value = Decimal("NaN")
        if not value.is_finite():
            raise Mistake(place, f"write {self.wanted}")
        return value

    def from_api(self, value: Any, find: Find) -> Any:  # noqa: ANN401
        return None if value is None else Decimal(str(value))

    def schema(self) -> dict[str, object]:
        return {"type": "number"}


class Whole(FieldType):
    wanted = "a whole number"

    def read(self, node: Node, place: Place) -> int:
        text = scalar(node, place, self.wanted)
        if not re.fullmatch(r"\d{1,9}", text):
            raise Mistake(place, f"write {self.wanted}")
        return int(text)

    def schema(self) -> dict[str, object]:
        return {"type": "integer", "minimum": 0}


class Flag(FieldType):
    wanted = "true or false"

    def read(self, node: Node, place: Place) -> bool:
        text = scalar(node, place, self.wanted)
        if text not in ("true", "false"):
            raise Mistake(place, f"write {self.wanted}")
        return text == "true"

    def show(self, value: Any) -> str:  # noqa: ANN401
        return "true" if value else "false"

    def schema(self) -> dict[str, object]:
        return {"type": "boolean"}


class Choice(FieldType):
    def __init__(self, *values: str) -> None:
        self.values = values
        self.wanted = " or ".join(values)

    def read(self, node: Node, place: Place) -> str:
        text = scalar(node, place, self.wanted)
        if text not in self.values:
            raise Mistake(place, f"write {self.wanted}")
        return text

    def schema(self) -> dict[str, object]:
        return {"enum": list(self.values)}


class Day(FieldType):
    wanted = "a date, such as 2026-01-31"

    def read(self, node: Node, place: Place) -> str:
        text = scalar(node, place, self.wanted)
        if not _DATE.fullmatch(text):
            raise Mistake(place, f"write {self.wanted}")
        return text

    def dump(self, value: str) -> object:
        return Plain(value)

    def schema(self) -> dict[str, object]:
        return {"type": "string", "format": "date"}


class Plain(str):
    """Written without quotes, also where it looks like a date."""

    __slots__ = ()


class Link(FieldType):
    """Another record, by its key."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.wanted = f"the name of one of the {kind.replace('_', ' ')}"

    def read(self, node: Node, place: Place) -> Reference:
        return Reference(self.kind, scalar(node, place, self.wanted), place)

    def from_api(self, value: Any, find: Find) -> Slot | None:  # noqa: ANN401
        return None if value is None else find(self.kind, value)

    def body(self, value: Slot) -> object:
        return value.id

    def dump(self, value: Slot) -> object:
        return value.key


class Field(msgspec.Struct, frozen=True):
    type: FieldType
    meaning: str = ""
    required: bool = False
    of: str = ""  # where the API has it, if not under its own name: "branch.id"
    sent_as: str = ""  # how requests call it, if not by its own name: "messages.reminder.on"
    only_created: bool = False  # creating takes it; it never changes
    only_changed: bool = False  # creating does not take it
    by_itself: bool = False  # it has an operation of its own
    default: object = None  # what a new record has, which is not written
    counts_if_absent: bool = False  # a record that does not name it has the default
    clearable: bool = True  # null clears it


class Rows(FieldType):
    """Several rows with fields of their own. The order of the rows does not matter.

    A row of which only the first field is given can be written as its value alone.
    """

    def __init__(self, noun: str, fields: Mapping[str, Field]) -> None:
        self.fields = fields
        self.required = [name for name, field in fields.items() if field.required]
        self.wanted = f"a list of {noun}"

    def read(self, node: Node, place: Place) -> list[dict[str, Any]]:
        if not isinstance(node, yaml.SequenceNode):
            raise Mistake(place, f"write {self.wanted}")
        return [self._row(row, place.at(line_of(row), n)) for n, row in enumerate(node.value)]

    def _row(self, node: Node, place: Place) -> dict[str, Any]:
        first = next(iter(self.fields))
        if isinstance(node, yaml.ScalarNode) and len(self.required) == 1:
            return {first: self.fields[first].type.read(node, place)}
        row: dict[str, Any] = {}
        for name, at, value in pairs(node, place, f"the fields {', '.join(self.fields)}"):
            if name not in self.fields:
                raise Mistake(at, f"no such field: it has {', '.join(self.fields)}")
            row[name] = self.fields[name].type.read(value, at)
        for name in self.required:
            if name not in row:
                raise Mistake(place, f"{name} is missing")
        return row

    def from_api(self, value: Any, find: Find) -> Any:  # noqa: ANN401
        return [dict(self._given(row, find)) for row in value]

    def _given(self, row: Mapping[str, Any], find: Find) -> Iterator[tuple[str, object]]:
        """Without what every row has."""
        for name, field in self.fields.items():
            value = field.type.from_api(row[field.of or name], find)
            if value not in (None, field.default):
                yield name, value

    def comparable(self, value: Any) -> object:  # noqa: ANN401
        rows = [tuple(self._comparable(row, name) for name in self.fields) for row in value or ()]
        return sorted(rows, key=repr)

    def _comparable(self, row: Mapping[str, Any], name: str) -> object:
        value = row.get(name, self.fields[name].default)
        return id(value) if isinstance(value, Slot) else value

    def show(self, value: Any) -> str:  # noqa: ANN401
        rows = (" ".join(self.fields[name].type.show(given) for name, given in row.items()) for row in value)
        return ", ".join(rows) or "none"

    def body(self, value: Any) -> object:  # noqa: ANN401
        return [
            {self.fields[name].sent_as or name: self.fields[name].type.body(given) for name, given in row.items()}
            for row in value
        ]

    def dump(self, value: Any) -> object:  # noqa: ANN401
        return [
            self._dumped({name: self.fields[name].type.dump(given) for name, given in row.items()}) for row in value
        ]

    def _dumped(self, row: dict[str, object]) -> object:
        return next(iter(row.values())) if len(row) == len(self.required) == 1 else Flow(row)

    def schema(self) -> dict[str, object]:
        fields = {name: field.type.schema() for name, field in self.fields.items()}
        row: dict[str, object] = {"type": "object", "properties": fields, "additionalProperties": False}
        row["required"] = self.required
        first = next(iter(fields.values()))
        return {"type": "array", "items": {"anyOf": [first, row]} if len(self.required) == 1 else row}
