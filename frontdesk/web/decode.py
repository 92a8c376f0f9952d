"""From bytes to typed requests: strict JSON bodies and query strings, with every fault named."""

import re
from decimal import Decimal, InvalidOperation
from functools import cache
from typing import Any, TypeVar
from urllib.parse import parse_qsl

import msgspec
from msgspec import inspect as types

from frontdesk.errors import invalid
from frontdesk.web.faults import Faults, find_faults
from frontdesk.web.fields import decode_field

S = TypeVar("S", bound=msgspec.Struct)

_DECODER = msgspec.json.Decoder(float_hook=Decimal)
_INTEGER = re.compile(r"[+-]?[0-9]{1,19}")
_MOST_PARAMETERS = 100


def decode_body(raw: bytes, kind: type[S]) -> S:
    return convert(decode_object(raw), kind)


def decode_object(raw: bytes) -> dict[str, Any]:
    """A JSON object with clean strings, whatever it means."""
    if not raw.strip():
        raise invalid({"": ["the body is empty: send a JSON object"]})
    try:
        value = _DECODER.decode(raw)
        if not isinstance(value, dict):
            raise invalid({"": ["the body must be a JSON object"]})
        return _clean(value)
    except RecursionError:
        raise invalid({"": ["the body is nested too deeply"]}) from None
    except InvalidOperation:
        raise invalid({"": ["the body holds a number beyond all bounds"]}) from None
    except (UnicodeDecodeError, msgspec.DecodeError) as broken:
        raise invalid({"": [f"the body is not JSON: {_reason(broken)}"]}) from broken


def convert(value: object, kind: type[S]) -> S:
    """An already decoded object as its type. The quick way first; a second, slow walk only to explain a refusal."""
    try:
        return msgspec.convert(value, kind, dec_hook=decode_field)
    except msgspec.ValidationError as wrong:
        faults = find_faults(value, _type_info(kind))
        raise invalid(faults or {"": [str(wrong)]}) from wrong


def decode_query(raw: bytes, kind: type[S]) -> S:
    try:
        pairs = parse_qsl(raw.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=_MOST_PARAMETERS)
    except UnicodeDecodeError:
        raise invalid({"": ["the query is not percent-encoded UTF-8"]}) from None
    except ValueError:
        raise invalid({"": [f"the query has more than {_MOST_PARAMETERS} parameters"]}) from None
    numbers = _integer_names(kind)
    values = {name: int(text) if name in numbers and _INTEGER.fullmatch(text) else text for name, text in pairs}
    known = _field_names(kind)
    return convert(_clean({name: value for name, value in values.items() if name in known}), kind)


def _clean(value: dict[str, Any]) -> dict[str, Any]:
    """Trim every string, and refuse what no text column can hold."""
    faults: Faults = {}
    cleaned = _clean_members(value, "", faults)
    if faults:
        raise invalid(faults)
    return cleaned


def _clean_at(value: object, path: str, faults: Faults) -> object:
    if isinstance(value, str):
        if "\0" in value or not _encodes(value):
            faults.setdefault(path, []).append("must not contain NUL or unpaired surrogates")
        return value.strip()
    if isinstance(value, list):
        return [_clean_at(entry, f"{path}.{place}", faults) for place, entry in enumerate(value)]
    if isinstance(value, dict):
        return _clean_members(value, path, faults)
    return value


def _clean_members(value: dict[str, Any], path: str, faults: Faults) -> dict[str, Any]:
    return {
        name: _clean_at(entry, f"{path}.{name}" if path else name, faults)
        for name, entry in value.items()
        if _encodes(name)
    }


def _encodes(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _reason(broken: Exception) -> str:
    return "it is not UTF-8" if isinstance(broken, UnicodeDecodeError) else str(broken)


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
