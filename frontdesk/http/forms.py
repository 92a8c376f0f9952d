"""HTML forms, decoded into the same types as JSON bodies, with the same errors."""

import re
from collections.abc import Collection, Mapping
from functools import cache
from typing import Any, TypeVar
from urllib.parse import parse_qsl

import msgspec
from msgspec import inspect as types

from frontdesk.http.decoding import clean, convert
from frontdesk.http.field_types import Secret
from frontdesk.http.multipart import is_multipart, read_multipart
from frontdesk.http.problems import BodyProblem
from frontdesk.problems import Problem

S = TypeVar("S", bound=msgspec.Struct)
Fields = Mapping[str, list[str]]

_MAX_FIELDS = 500
_SEPARATORS = re.compile("[,٬]")  # of thousands
_INTEGER = re.compile(r"[+-]?(\d{1,19}|\d{1,3}([,٬]\d{3}){1,5})")


def read_form(raw: bytes) -> dict[str, list[str]]:
    """Every name with its values, in the order in which they were sent."""
    fields: dict[str, list[str]] = {}
    for name, value in read_multipart(raw) if is_multipart(raw) else _read_encoded(raw):
        fields.setdefault(name, []).append(value.replace("\r\n", "\n"))
    return fields


def _read_encoded(raw: bytes) -> list[tuple[str, str]]:
    try:
        return parse_qsl(raw.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=_MAX_FIELDS)
    except ValueError:
        raise Problem(BodyProblem.MALFORMED_FORM) from None


def convert_form(fields: Fields, kind: type[S]) -> S:
    return convert(clean(dict(_shaped(fields, kind))), kind)


def with_empty(fields: Fields, wrong: Collection[str]) -> Fields:
    """The form as if the wrong fields were left empty, so that the others can be checked."""
    left = {name: list(values) for name, values in fields.items()}
    for path in wrong:
        name, _, index = path.partition(".")
        values = left.get(name, [])
        if index.isdecimal() and int(index) < len(values):
            values[int(index)] = ""
        elif not index:
            left[name] = [""]
    return left


def _shaped(fields: Fields, kind: type[msgspec.Struct]) -> list[tuple[str, Any]]:
    shaped = ((name, _shape(fields.get(name, []), want)) for name, want in _wanted(kind).items())
    return [(name, value) for name, value in shaped if value is not None]


def _shape(sent: list[str], want: types.Type, units: Collection[str] = ()) -> object:  # noqa: PLR0911 - one row a kind
    """Browsers omit an unchecked checkbox and send an empty string for an empty field."""
    match want:
        case types.Metadata(type=bare, extra=extra):
            return _shape(sent, bare, (extra or {}).get("units", ()))
        case types.ListType(item_type=each):
            return [_shape([value], each) for value in sent]
        case types.BoolType():
            return bool(sent)
        case _ if not sent:
            return None
        case types.CustomType(cls=cls) if cls is Secret:
            return Secret(sent[-1])
        case types.IntType():
            return _whole_number(sent[-1], units)
        case types.UnionType():
            return _shape(sent, _present(want)) if sent[-1].strip() else None
        case _:
            return sent[-1]


def _whole_number(typed: str, units: Collection[str]) -> int | str:
    """As a person types it: 30, 1,000, 30 min, with Latin or Arabic digits; what is none is left to the type."""
    text = typed.strip().casefold()
    for unit in units:
        text = text.removeprefix(unit).removesuffix(unit).strip()
    return int(_SEPARATORS.sub("", text)) if _INTEGER.fullmatch(text) else typed


def _present(want: types.UnionType) -> types.Type:
    return next(arm for arm in want.types if not isinstance(arm, types.NoneType))


@cache
def _wanted(kind: type[msgspec.Struct]) -> dict[str, types.Type]:
    info = types.type_info(kind)
    if not isinstance(info, types.StructType):
        raise TypeError(kind)
    return {field.encode_name: field.type for field in info.fields}
