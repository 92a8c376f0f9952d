"""Decodes bytes to typed requests: strict JSON bodies and query strings, with all validation errors at once."""

import re
from collections.abc import Collection, Iterable
from decimal import Decimal, InvalidOperation
from functools import cache
from typing import Any, NamedTuple, TypeVar
from urllib.parse import parse_qsl

import msgspec
from msgspec import inspect as types

from frontdesk.http.errors import MAX_FIELD_ERRORS
from frontdesk.http.field_paths import map_names, split_name
from frontdesk.http.field_types import decode_field
from frontdesk.http.problems import BodyProblem, ValueProblem
from frontdesk.http.validation import find_overlong, join_lines, validate
from frontdesk.problems import Problem, raise_all
from frontdesk.values.text import has_breaks, trim

S = TypeVar("S", bound=msgspec.Struct)

_MAX_NUMBER_LENGTH = 40  # characters; no amount has as many
_MAX_NAME_LENGTH = 64  # of a field, as far as an error repeats it
_DEEPEST_NAMED = 10
_NO_NUMBER = Decimal("NaN")


def _number(text: str) -> Decimal:
    """Rejects very long numbers, because arithmetic with a million digits would block the event loop."""
    return Decimal(text) if len(text) <= _MAX_NUMBER_LENGTH else _NO_NUMBER


def _plain_number(text: str) -> Decimal | int:
    """1.50, 1.5 and 15e-1 become the same number, as do 2.0 and 2."""
    number = _number(text)
    if not number.is_finite() or abs(number.adjusted()) > _MAX_NUMBER_LENGTH:
        return number
    return int(number) if number == number.to_integral_value() else number.normalize()


_PLAIN_DECODER = msgspec.json.Decoder(float_hook=_plain_number)
_DECODER = msgspec.json.Decoder(float_hook=_number)
_INTEGER = re.compile(r"[+-]?[0-9]{1,4000}")  # Python reads no more digits than 4,300
_MAX_PARAMETERS = 100
_MAX_VALUES = 20_000  # in one body; each one is checked, and the largest valid request has a few hundred


def decode_object(raw: bytes) -> dict[str, Any]:
    """A JSON object with clean strings, not yet converted to a type."""
    if not raw.strip():
        raise Problem(BodyProblem.EMPTY)
    if raw.count(b",") >= _MAX_VALUES:
        raise Problem(BodyProblem.TOO_MANY_VALUES, most=_MAX_VALUES)
    try:
        value = _DECODER.decode(raw)
        if not isinstance(value, dict):
            raise Problem(BodyProblem.NOT_OBJECT)
        return clean(value)
    except RecursionError:
        raise Problem(BodyProblem.TOO_DEEP) from None
    except InvalidOperation:
        raise Problem(BodyProblem.TOO_LARGE_NUMBER) from None
    except UnicodeDecodeError as broken:
        raise Problem(BodyProblem.NOT_UTF8) from broken
    except msgspec.DecodeError as broken:
        raise Problem(BodyProblem.NOT_JSON, reason=str(broken)) from broken


def has_field(raw: bytes, name: str) -> bool:
    """Whether a JSON object has the field with a value, for a check that comes before the validation of the body."""
    try:
        value = _PLAIN_DECODER.decode(raw)
    except (RecursionError, InvalidOperation, UnicodeError, msgspec.DecodeError):
        return False
    return isinstance(value, dict) and value.get(name) is not None


def canonical_json(raw: bytes) -> bytes:
    """The same bytes for equal JSON, regardless of the order of keys and of whitespace."""
    try:
        return msgspec.json.encode(_PLAIN_DECODER.decode(raw), order="sorted")
    except (RecursionError, InvalidOperation, UnicodeError, msgspec.DecodeError):
        return raw


def convert(value: object, kind: type[S]) -> S:
    """Converts a decoded object to its type. Only if that fails, a slower walk collects all errors."""
    overlong: list[Problem] = []
    if isinstance(value, Trimmed):
        overlong = find_overlong(value.sent, _type_info(kind))
        value = join_lines(value, _type_info(kind)) if value.has_breaks else value
    try:
        converted = msgspec.convert(value, kind, dec_hook=decode_field)
    except msgspec.ValidationError as error:
        raise_all(one_a_field([*validate(value, _type_info(kind)), *overlong]))
        raise Problem(BodyProblem.OTHER_TYPE, reason=str(error)) from error
    raise_all(overlong)
    return converted


def one_a_field(problems: Iterable[Problem]) -> list[Problem]:
    """The last of each field."""
    return list({problem.at: problem for problem in problems}.values())


def decode_query(raw: bytes, kind: type[S]) -> S:
    try:
        pairs = parse_qsl(raw.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=_MAX_PARAMETERS)
    except UnicodeDecodeError:
        raise Problem(BodyProblem.QUERY_NOT_ENCODED) from None
    except ValueError:
        raise Problem(BodyProblem.TOO_MANY_PARAMETERS, most=_MAX_PARAMETERS) from None
    numbers = _integer_names(kind)
    known, maps = _field_names(kind), map_names(kind)
    values: dict[str, Any] = {}
    for name, text in pairs:
        entry = split_name(name, maps)
        if entry is not None and isinstance(values.setdefault(entry[0], {}), dict):
            values[entry[0]][entry[1]] = text
        elif name in known:
            values[name] = int(text) if name in numbers and _INTEGER.fullmatch(text) else text
    return convert(clean(values), kind)


def decode_parameters(raw: bytes, kind: type[S] | None, choices: Collection[str]) -> tuple[S | None, tuple[str, ...]]:
    """The query, and what its parameter `fields` names: some of the choices. With all errors at once."""
    names, problems = _selected_fields(raw) if choices else (), list[Problem]()
    query: S | None = None
    if len(names) > len(choices):
        problems.append(Problem(ValueProblem.TOO_MANY_ENTRIES, "fields", most=len(choices)))
    for index, name in enumerate(names[: len(choices)]):
        if name not in choices:
            problems.append(Problem(ValueProblem.NOT_ONE_OF, "fields", index, choices=list(choices)))
    try:
        query = None if kind is None else decode_query(raw, kind)
    except Problem as problem:
        problems = [*problem.all, *problems]
    raise_all(problems[:MAX_FIELD_ERRORS])
    return query, names


def _selected_fields(raw: bytes) -> tuple[str, ...]:
    """The last `fields` counts, as for every parameter."""
    if b"fields" not in raw:
        return ()
    sent = dict(parse_qsl(raw.decode("ascii", "replace"), keep_blank_values=True)).get("fields")
    return () if sent is None else tuple(name.strip() for name in sent.split(","))


class Trimmed(dict[str, Any]):
    """An object some of whose strings were trimmed, or have several lines. Length limits apply to the strings as they
    were sent.
    """

    __slots__ = ("has_breaks", "sent")
    sent: dict[str, Any]
    has_breaks: bool


def clean(value: dict[str, Any]) -> dict[str, Any]:
    """Trims every string, and rejects characters that a text column cannot store."""
    notes = _Notes([], [], [])
    cleaned = _clean_members(value, None, notes)
    raise_all([Problem(ValueProblem.UNSTORABLE, *_names(path)) for path in notes.broken])
    if notes.trimmed or notes.broken_lines:
        cleaned = Trimmed(cleaned)
        cleaned.sent, cleaned.has_breaks = value, bool(notes.broken_lines)
    return cleaned


# The path of the parent, and the name or index of the value in it. It is converted to text only for an error, because
# the caller chooses the names and the number of values.
_Path = tuple["_Path | None", str | int]


class _Notes(NamedTuple):
    broken: list[_Path]
    trimmed: list[bool]
    broken_lines: list[bool]


def _clean_at(value: object, path: _Path, notes: _Notes) -> object:
    if isinstance(value, str):
        if value.isascii() and value.strip() is value and value[:1] > " " and value.isprintable():
            return value  # the common case
        if ("\0" in value or not _encodes(value)) and len(notes.broken) < MAX_FIELD_ERRORS:
            notes.broken.append(path)
        text = trim(value)
        if not notes.trimmed and len(text) != len(value):
            notes.trimmed.append(True)
        if not notes.broken_lines and not text.isprintable() and has_breaks(text):
            notes.broken_lines.append(True)
        return text
    if isinstance(value, list):
        return [_clean_at(entry, (path, index), notes) for index, entry in enumerate(value)]
    if isinstance(value, dict):
        return _clean_members(value, path, notes)
    return value


def _clean_members(value: dict[str, Any], path: _Path | None, notes: _Notes) -> dict[str, Any]:
    return {name: _clean_at(entry, (path, name), notes) for name, entry in value.items() if _encodes(name)}


def _names(path: _Path | None) -> list[str]:
    words: list[str] = []
    while path is not None:
        path, name = path
        words.append(str(name)[:_MAX_NAME_LENGTH])
    return words[-_DEEPEST_NAMED:][::-1]


def _encodes(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


@cache
def _type_info(kind: type[msgspec.Struct]) -> types.Type:
    return types.type_info(kind)


@cache
def _field_names(kind: type[msgspec.Struct]) -> frozenset[str]:
    return frozenset(field.encode_name for field in msgspec.structs.fields(kind))


@cache
def _integer_names(kind: type[msgspec.Struct]) -> frozenset[str]:
    info = _type_info(kind)
    if not isinstance(info, types.StructType):
        raise TypeError(kind)
    return frozenset(field.encode_name for field in info.fields if _is_integer(field.type))


def _is_integer(kind: types.Type) -> bool:
    if isinstance(kind, types.Metadata):
        return _is_integer(kind.type)
    if isinstance(kind, types.UnionType):
        return any(_is_integer(arm) for arm in kind.types)
    return isinstance(kind, types.IntType)
