"""A small language for the types of the field tables, and the comparison of an answer with them."""

import datetime as dt
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from uuid import UUID


class Scalar(NamedTuple):
    name: str
    holds: Callable[[Any], bool]


class Nullable(NamedTuple):
    kind: "Kind"


class Array(NamedTuple):
    kind: "Kind"


class Keyed(NamedTuple):
    """An object whose names are data themselves."""

    name: Scalar
    kind: "Kind"
    may_be_empty: bool = False


class Record(NamedTuple):
    fields: "Fields"
    complete: bool = True  # no field besides these


Kind = Scalar | Nullable | Array | Keyed | Record
Fields = Mapping[str, Kind]


def _text(pattern: str) -> Callable[[Any], bool]:
    matcher = re.compile(pattern, re.ASCII)
    return lambda value: isinstance(value, str) and matcher.fullmatch(value) is not None


def _is_uuid(value: object) -> bool:
    return isinstance(value, str) and _text(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")(value) and bool(UUID(value))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_money(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and round(value, 2) == value


def _is_address(value: object) -> bool:
    parts = urlsplit(value) if isinstance(value, str) else None
    return parts is not None and parts.scheme in ("http", "https") and bool(parts.netloc)


def _is_timestamp(value: object) -> bool:
    written = _text(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")(value)
    return written and bool(dt.datetime.fromisoformat(str(value)))


def _is_moment(value: object) -> bool:
    """ISO 8601 with an offset from UTC, as the dates of transactions have it."""
    written = _text(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?[+-]\d\d:\d\d")(value)
    return written and bool(dt.datetime.fromisoformat(str(value)))


def one_of(*values: str) -> Scalar:
    return Scalar(f"one of {', '.join(values)}", lambda value: isinstance(value, str) and value in values)


UUID_ = Scalar("uuid", _is_uuid)
STRING = Scalar("string", lambda value: isinstance(value, str))
NAME = Scalar("string that is not empty", lambda value: isinstance(value, str) and value.strip() != "")
BOOLEAN = Scalar("boolean", lambda value: isinstance(value, bool))
INTEGER = Scalar("integer", lambda value: isinstance(value, int) and not isinstance(value, bool))
NUMBER = Scalar("number", _is_number)
MONEY = Scalar("number with the currency's decimals", _is_money)
DECIMAL = Scalar("decimal string", _text(r"-?\d+\.\d\d"))
AMOUNT = Scalar("number or decimal string", lambda value: MONEY.holds(value) or DECIMAL.holds(value))
NUMERAL = Scalar("string of digits", _text(r"[1-9]\d*"))
CURRENCY = Scalar("currency code", _text(r"[A-Z]{3}"))
COUNTRY = Scalar("2-character country code", _text(r"[A-Z]{2}"))
PHONE = Scalar("international number", _text(r"\+[1-9]\d{6,14}"))
EMAIL = Scalar("e-mail", _text(r"[^@\s]+@[^@\s]+"))
TAX_NUMBER = Scalar("15 digits", _text(r"\d{15}"))
URL = Scalar("absolute URL", _is_address)
TIMESTAMP = Scalar("UTC timestamp with six digits and Z", _is_timestamp)
MOMENT = Scalar("timestamp with offset", _is_moment)
INSTANT = Scalar("timestamp with Z or offset", lambda value: _is_timestamp(value) or _is_moment(value))
DATE = Scalar("YYYY-MM-DD", _text(r"\d{4}-\d\d-\d\d"))
CLOCK = Scalar("HH:mm", _text(r"([01]\d|2[0-3]):[0-5]\d"))
LANGUAGE = Scalar("language code", _text(r"[a-z]{2}"))
LOCALIZED = Keyed(LANGUAGE, STRING)


def faults(kind: Kind, value: Any, path: str) -> Iterator[str]:
    """What is wrong with a value, each with its place."""
    match kind:
        case Scalar(name, holds):
            if not holds(value):
                yield f"{path} is {value!r}, not a {name}"
        case Nullable(inner):
            if value is not None:
                yield from faults(inner, value, path)
        case Array(inner):
            if not isinstance(value, list):
                yield f"{path} is {value!r}, not an array"
                return
            for entry in value:
                yield from faults(inner, entry, f"{path}[]")
        case Keyed(name, inner, may_be_empty):
            if not isinstance(value, dict) or not (value or may_be_empty):
                yield f"{path} is {value!r}, not an object with entries"
                return
            for key, entry in value.items():
                yield from faults(name, key, f"{path}.<{key}>")
                yield from faults(inner, entry, f"{path}.{key}")
        case Record():
            yield from _record_faults(kind, value, path)


def _record_faults(kind: Record, value: Any, path: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{path} is {value!r}, not an object"
        return
    for name, inner in kind.fields.items():
        if name in value:
            yield from faults(inner, value[name], f"{path}.{name}")
        else:
            yield f"{path}.{name} is missing"
    for name in sorted(value.keys() - kind.fields.keys()) if kind.complete else ():
        yield f"{path}.{name} is not a field of the table"


def promised(kind: Kind, path: str) -> Iterator[str]:
    """Every place inside a field at which a value can stand."""
    match kind:
        case Scalar():
            yield path
        case Nullable(inner):
            yield from promised(inner, path)
        case Array(inner):
            yield from promised(inner, f"{path}[]")
        case Keyed(_, inner, _):
            yield from promised(inner, f"{path}.*")
        case Record(fields):
            for name, inner in fields.items():
                yield from promised(inner, f"{path}.{name}")


def seen(kind: Kind, value: Any, path: str) -> Iterator[str]:
    """The places at which a real value stood, so that a type that only ever was null is not taken for checked."""
    if value is None:
        return
    match kind:
        case Scalar():
            yield path
        case Nullable(inner):
            yield from seen(inner, value, path)
        case Array(inner):
            for entry in value:
                yield from seen(inner, entry, f"{path}[]")
        case Keyed(_, inner, _):
            for entry in value.values():
                yield from seen(inner, entry, f"{path}.*")
        case Record(fields):
            for name, inner in fields.items():
                yield from seen(inner, value[name], f"{path}.{name}")


def own(fields: Fields) -> Fields:
    """With what the application that asks has stored with the record, beside the fields that everybody sees."""
    return {**fields, "external_id": Nullable(NAME), "metadata": Keyed(NAME, NAME, may_be_empty=True)}
