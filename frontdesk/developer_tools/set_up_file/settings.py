"""The settings of a business in a file. Each section is one record of the API."""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import yaml

from frontdesk.developer_tools.set_up_file.field_types import (
    LANGUAGES,
    Choice,
    Country,
    Field,
    FieldType,
    Find,
    Flag,
    Link,
    Localized,
    Node,
    Rows,
    Text,
    Whole,
    line_of,
    pairs,
    scalar,
)
from frontdesk.developer_tools.set_up_file.kind import Kind
from frontdesk.developer_tools.set_up_file.records import Mistake, Place

_SWITCHED = ("confirmation", "reminder", "change", "cancellation", "birthday")
_WRITTEN = (*_SWITCHED, "waiting_list_offer", "receipt")
_PARTS = ("subject", "opening", "words")


class _Several(FieldType):
    """In their order."""

    def __init__(self, noun: str, type_: FieldType) -> None:
        self.type = type_
        self.wanted = f"a list of {noun}"

    def read(self, node: Node, place: Place) -> list[Any]:
        if not isinstance(node, yaml.SequenceNode):
            raise Mistake(place, f"write {self.wanted}")
        return [self.type.read(value, place.at(line_of(value), n)) for n, value in enumerate(node.value)]

    def from_api(self, value: Any, find: Find) -> Any:  # noqa: ANN401
        return None if value is None else [self.type.from_api(part, find) for part in value]

    def show(self, value: list[Any]) -> str:
        return ", ".join(map(self.type.show, value)) or "none"

    def dump(self, value: list[Any]) -> object:
        return [self.type.dump(part) for part in value]

    def schema(self) -> dict[str, object]:
        return {"type": "array", "items": self.type.schema()}


class _Colour(Text):
    wanted = "a colour, such as '#7a4b2f'"

    def comparable(self, value: str | None) -> object:
        return value and value.lower()


class _Currency(Country):
    wanted = "a currency, such as SAR"


class _Time(Text):
    wanted = "a time, such as 21:30"

    def read(self, node: Node, place: Place) -> str:
        text = scalar(node, place, self.wanted)
        if not re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", text):
            raise Mistake(place, f"write {self.wanted}")
        return text


class _Drawers(Rows):
    """A branch that is left out keeps its number."""

    def same(self, wanted: Any, present: Any) -> bool:  # noqa: ANN401
        numbers = {id(row["branch"]): row["drawers"] for row in present}
        return all(numbers.get(id(row["branch"]), 1) == row["drawers"] for row in wanted)


class _OwnWords(FieldType):
    """By message and language. All that is left out is in the words of Frontdesk."""

    wanted = "messages with their words, such as {reminder: {en: {subject: See you soon}}}"

    def read(self, node: Node, place: Place) -> dict[str, dict[str, dict[str, str]]]:
        return {kind: self._languages(texts, at) for kind, at, texts in _named(node, place, _WRITTEN, "message")}

    def _languages(self, node: Node, place: Place) -> dict[str, dict[str, str]]:
        return {
            language: {part: scalar(text, on, "a text") for part, on, text in _named(parts, at, _PARTS, "part")}
            for language, at, parts in _named(node, place, LANGUAGES, "language")
        }

    def from_api(self, value: Any, find: Find) -> Any:  # noqa: ANN401
        found: dict[str, object] = {}
        for kind in _WRITTEN:
            own = {
                language: {part: words[part] for part in _PARTS if words[part]}
                for language, words in value[kind]["texts"].items()
            }
            if any(own.values()):
                found[kind] = {language: words for language, words in own.items() if words}
        return found

    def show(self, value: Mapping[str, Mapping[str, object]]) -> str:
        return ", ".join(f"{kind} {' '.join(texts)}" for kind, texts in value.items()) or "none"

    def body(self, value: Mapping[str, Mapping[str, object]]) -> object:
        """What is not named gets the words of Frontdesk again."""
        return {
            kind: {"texts": {language: value.get(kind, {}).get(language) for language in LANGUAGES}}
            for kind in _WRITTEN
        }

    def schema(self) -> dict[str, object]:
        words = _object({part: {"type": "string"} for part in _PARTS})
        return _object(dict.fromkeys(_WRITTEN, _object(dict.fromkeys(LANGUAGES, words))))


def _object(properties: dict[str, dict[str, object]]) -> dict[str, object]:
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _named(node: Node, place: Place, names: Collection[str], noun: str) -> Iterator[tuple[str, Place, Node]]:
    for name, at, value in pairs(node, place, f"the fields {', '.join(names)}"):
        if name not in names:
            raise Mistake(at, f"no such {noun}: use {', '.join(names)}")
        yield name, at, value


def _always(type_: FieldType, meaning: str = "") -> Field:
    return Field(type_, meaning, clearable=False)


def _settings(section: str, path: str, fields: Mapping[str, Field]) -> Kind:
    return Kind(section, "settings", path, fields, is_single=True)


BUSINESS = _settings(
    "business",
    "/settings",
    {
        "name": _always(Text()),
        "names": Field(Localized(), "that customers read instead, by language"),
        "country": Field(Country(), "two letters, such as `SA`"),
        "timezone": _always(Text(), "such as `Asia/Riyadh`"),
        "currency": _always(_Currency(), "of all amounts of the file; an application does not change it"),
        "languages": _always(_Several("languages", Text()), "the first one first"),
        "prices_include_tax": _always(Flag()),
        "charges_no_tax": _always(Flag()),
        "tax_registration_number": Field(Text()),
        "invoice_note": Field(Localized(), "by language"),
        "accent": Field(_Colour(), "colour of the public pages and mails"),
        "cancel_reasons": Field(_Several("reasons by language", Localized()), "null: those of Frontdesk"),
        "commission_basis": _always(Choice("done", "booked")),
        "grid_minutes": _always(Whole()),
        "notice_hours": _always(Whole()),
        "horizon_days": _always(Whole()),
        "cancellation_hours": _always(Whole()),
        "deposit_percent": _always(Whole()),
    },
)
BOOKING_PAGE = _settings(
    "booking_page",
    "/settings/booking-page",
    {
        "shown": _always(Flag(), "whether customers can open the page"),
        "about": Field(Localized(), "by language"),
        "asks_for_code": _always(Flag(), "whether a code verifies the e-mail address of who books"),
        "customers_move": _always(Flag()),
        "customers_cancel": _always(Flag()),
        "payment_instructions": Field(Localized(), "by language"),
        "embedding_origins": _always(_Several("sites", Text()), "that may show the page in a frame"),
    },
)
DRAWERS = _settings(
    "drawers",
    "/settings/drawers",
    {
        "own_shifts": _always(Flag(), "whether each cashier counts a shift of their own"),
        "blind_count": _always(Flag(), "whether what is expected is shown only after the count"),
        "branches": _always(
            _Drawers(
                "drawers, such as {branch: Olaya, drawers: 2}",
                {
                    "branch": Field(Link("branches"), required=True, of="branch_id", sent_as="branch_id"),
                    "drawers": Field(Whole(), required=True),
                },
            ),
            "how many drawers each branch has",
        ),
    },
)
MESSAGES = _settings(
    "messages",
    "/settings/messages",
    {
        "reminder_hours": _always(Whole(), "before the appointment"),
        "quiet_from": Field(_Time(), "the time at which reminders stop for the night"),
        "quiet_until": Field(_Time(), "the time at which reminders are sent again"),
        "for_applications": _always(Flag(), "whether messages are sent about bookings of applications"),
        **{
            kind: Field(
                Flag(), "whether it is sent", of=f"messages.{kind}.on", sent_as=f"messages.{kind}.on", clearable=False
            )
            for kind in _SWITCHED
        },
        "texts": Field(
            _OwnWords(), "own words by message and language", of="messages", sent_as="messages", clearable=False
        ),
    },
)
