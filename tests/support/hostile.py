"""Strategies for requests that mean harm, or nearly make sense."""

import datetime as dt
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any
from urllib.parse import quote

import msgspec
from hypothesis import strategies as st
from msgspec import inspect as types

ODD_TEXTS = (
    "", " ", "\0", "a\0b", "\ud800", "\udfffx", "%", "_", "%%", "\\", "'", "';--", '"', "../../etc/passwd", "null",
    "NaN", "true", "-1", "0", "1.0", "1e5", "٣", "9" * 30, "x" * 300, "x" * 6000, "\u202e\u200f", "ﷺ" * 90, "🧕" * 64,
    "é" * 255, "2030-02-30", "2030-01-01T10:00:00", "0001-01-01", "9999-12-31T23:59:59.999999Z", "24:00",
    "+966500000001", "00" * 60, "a@b", "a@b.example", "@", "{}", "[]", "\r\nX-Evil: 1",
    "00000000-0000-0000-0000-000000000000",
)  # fmt: skip
ODD_NUMBERS = (
    0,
    -1,
    1,
    2**31,
    -(2**31) - 1,
    2**63,
    10**20,
    10**400,
    0.1,
    -0.0,
    1e308,
    1.005,
    float("nan"),
    float("inf"),
)

odd_texts = st.one_of(st.sampled_from(ODD_TEXTS), st.text(max_size=40))
odd_scalars = st.one_of(
    st.none(), st.booleans(), st.sampled_from(ODD_NUMBERS), st.integers(), st.floats(), odd_texts
)  # fmt: skip
odd_values = st.recursive(
    odd_scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(odd_texts, inner, max_size=4)),
    max_leaves=12,
)


def path_values(ids: Sequence[str]) -> st.SearchStrategy[str]:
    """One segment of a path, as it travels."""
    readable = odd_texts.map(lambda text: quote(text.encode("utf-8", "surrogatepass"), safe=""))
    return st.one_of(
        st.sampled_from(ids), readable, st.binary(min_size=1, max_size=20).map(lambda raw: quote(raw, safe=""))
    )


def query_values(ids: Sequence[str]) -> st.SearchStrategy[str]:
    numbers = st.one_of(st.integers(-2, 120), st.integers()).map(str)
    values = st.one_of(st.sampled_from(ids), numbers, odd_texts)
    return values.map(lambda text: quote(text.encode("utf-8", "surrogatepass"), safe=""))


def nearly(kind: type[msgspec.Struct], ids: Sequence[str]) -> st.SearchStrategy[dict[str, Any]]:
    """A body as the description asks for it, with one thing wrong somewhere, or nothing."""
    sound = _sound(_type_info(kind), ids)
    return st.one_of(sound, st.builds(_spoil, sound, st.randoms(use_true_random=False), odd_values))


def _spoil(body: Any, random: Any, wrong: object) -> Any:
    """Put the wrong value, or nothing, in one place."""
    places = list(_places(body))
    if not places:
        return wrong
    holder, key = random.choice(places)
    if random.random() < 0.2:
        del holder[key]
    else:
        holder[key] = wrong
    return body


def _places(value: Any) -> Any:
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in list(entries):
        yield value, key
        yield from _places(entry)


@cache
def _type_info(kind: type[msgspec.Struct]) -> types.Type:
    return types.type_info(kind)


def _sound(kind: types.Type, ids: Sequence[str]) -> st.SearchStrategy[Any]:
    match kind:
        case types.Metadata():
            return _sound(kind.type, ids)
        case types.UnionType():
            return st.one_of(*(_sound(arm, ids) for arm in kind.types))
        case types.StructType():
            required = {f.encode_name: _sound(f.type, ids) for f in kind.fields if f.required}
            optional = {f.encode_name: _sound(f.type, ids) for f in kind.fields if not f.required}
            return st.fixed_dictionaries(required, optional=optional)
        case types.ListType():
            return st.lists(_sound(kind.item_type, ids), min_size=kind.min_length or 0, max_size=3)
        case _:
            return _sound_scalar(kind, ids)


def _sound_scalar(kind: types.Type, ids: Sequence[str]) -> st.SearchStrategy[Any]:
    match kind:
        case types.NoneType():
            return st.none()
        case types.BoolType():
            return st.booleans()
        case types.IntType():
            return st.integers(kind.ge if kind.ge is not None else 0, min(kind.le or 20, 20))
        case types.UUIDType():
            return st.sampled_from(ids)
        case types.EnumType():
            return st.sampled_from([member.value for member in kind.cls])
        case types.LiteralType():
            return st.sampled_from(list(kind.values))
        case types.DateType():
            return st.dates(dt.date(2026, 1, 1), dt.date(2030, 1, 1)).map(str)
        case types.CustomType():
            return st.sampled_from([1, 20, 82.5, "20.00", "2030-01-06T10:00:00", "2026-01-06T10:00:00+03:00"])
        case types.StrType():
            return st.sampled_from(
                ["Maha", "Riyadh", "SA", "123456789012345", "+966500000001", "maha@desk.example", "cash"]
            )
        case _:
            return odd_values


LONGEST_NAME = 64  # of a field, as far as an error repeats it


def names_what_was_sent(path: str, sent: object, messages: Sequence[str]) -> bool:
    """Whether a fault's path leads to something in the request, or says what is missing from it."""
    if path == "":
        return True
    entries: Mapping[str, object]
    if isinstance(sent, dict):
        entries = sent
    elif isinstance(sent, list):
        entries = {str(place): entry for place, entry in enumerate(sent)}
    else:
        return False
    below = (
        names_what_was_sent(path[len(name) + 1 :], entry, messages)
        for name, entry in ((whole[:LONGEST_NAME], entry) for whole, entry in entries.items())
        if path == name or path.startswith(f"{name}.")
    )
    return any(below) or any("required" in message for message in messages)
