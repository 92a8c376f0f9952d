"""Unknown names are ignored, and listed in a header of the response, so that a misspelled one is noticed."""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, quote

import msgspec
from msgspec import inspect as types

from frontdesk.http.field_paths import map_names, split_name
from frontdesk.http.request import Request

HEADER = "frontdesk-ignored"
_MAX_NAMES = 20  # in one response
_MAX_NAME_LENGTH = 64  # characters of each name; the caller may have sent anything
_MAX_HEADER_LENGTH = 1024  # proxies reject long headers; names that do not fit are omitted


class _Shape(NamedTuple):
    """The field names of a type, and the shapes of the fields that are objects or lists of objects."""

    names: frozenset[str]
    nested: tuple[tuple[str, "_Shape"], ...]


def ignored_fields(sent: dict[str, Any], kind: type[msgspec.Struct]) -> list[str]:
    shape = _shape_of(kind)
    found: list[str] = []
    if shape.nested or not sent.keys() <= shape.names:
        _collect(sent, shape, "", found)
    return found


def ignored_parameters(query: bytes, kind: type[msgspec.Struct] | None, more: Sequence[str] = ()) -> list[str]:
    """`more` are names of parameters that the type does not have."""
    if not query:
        return []
    known: frozenset[str] = (_shape_of(kind).names if kind else frozenset()).union(more)
    maps: frozenset[str] = map_names(kind) if kind else frozenset()
    pairs = parse_qsl(query.decode("ascii", "replace"), keep_blank_values=True)
    unknown = [name for name in dict(pairs) if name not in known and split_name(name, maps) is None]
    return list(dict.fromkeys(name[:_MAX_NAME_LENGTH] for name in unknown))


def note_ignored(request: Request, names: list[str]) -> None:
    header = ""
    for name in names[:_MAX_NAMES]:
        longer = f"{header}, {quote(name, safe='.-_[]')}" if header else quote(name, safe=".-_[]")
        header = longer if len(longer) <= _MAX_HEADER_LENGTH else header
    if header:
        request.headers[HEADER] = header


def _collect(sent: dict[str, Any], shape: _Shape, path: str, found: list[str]) -> None:
    if not sent.keys() <= shape.names:
        found += [f"{path}{name[:_MAX_NAME_LENGTH]}" for name in sent if name not in shape.names][:_MAX_NAMES]
    for name, inner in shape.nested:
        entry = sent.get(name)
        if isinstance(entry, dict):
            _collect(entry, inner, f"{path}{name}.", found)
        elif isinstance(entry, list):
            _collect_entries(entry, inner, f"{path}{name}.", found)


def _collect_entries(entries: list[Any], shape: _Shape, path: str, found: list[str]) -> None:
    for number, entry in enumerate(entries):
        if len(found) >= _MAX_NAMES:
            return
        if isinstance(entry, dict) and (shape.nested or not entry.keys() <= shape.names):
            _collect(entry, shape, f"{path}{number}.", found)


@cache
def _shape_of(kind: type[msgspec.Struct]) -> _Shape:
    return _shape(types.type_info(kind)) or _Shape(frozenset(), ())


def _shape(kind: types.Type) -> _Shape | None:
    match kind:
        case types.Metadata():
            return _shape(kind.type)
        case types.UnionType():
            return next((shape for arm in kind.types if (shape := _shape(arm))), None)
        case types.ListType():
            return _shape(kind.item_type)
        case types.StructType():
            inner = [(field.encode_name, _shape(field.type)) for field in kind.fields]
            nested = tuple((name, shape) for name, shape in inner if shape is not None)
            return _Shape(frozenset(name for name, _ in inner), nested)
        case _:
            return None
