"""A request as data: what is asked for, and what its answer is read as."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Generic, TypeVar
from urllib.parse import quote
from uuid import UUID, uuid4

import msgspec

A = TypeVar("A")
Id = UUID | str

_ENCODER = msgspec.json.Encoder(decimal_format="number")


class ApiRequest(msgspec.Struct, Generic[A], frozen=True):
    method: str
    path: str
    answer: type[A]
    query: Mapping[str, str] = {}
    body: bytes | None = None
    key: str | None = None  # Idempotency-Key: one for the act, however often it is tried; None where nothing is written


def read(path: str, answer: type[A], **query: object) -> ApiRequest[A]:
    return ApiRequest("GET", path, answer, {name: _text(value) for name, value in _given(query).items()})


def post_query(path: str, answer: type[A], **fields: object) -> ApiRequest[A]:
    """A POST that writes nothing."""
    return ApiRequest("POST", path, answer, body=_ENCODER.encode(_given(fields)))


def write(method: str, path: str, answer: type[A], key: str | None, **fields: object) -> ApiRequest[A]:
    return ApiRequest(method, path, answer, body=_ENCODER.encode(_given(fields)), key=key or str(uuid4()))


def change(path: str, answer: type[A], key: str | None, **fields: object) -> ApiRequest[A]:
    """Unlike elsewhere None is sent: it clears a field. What is UNSET is left out."""
    given = {name.removesuffix("_"): value for name, value in fields.items() if value is not msgspec.UNSET}
    return ApiRequest("PATCH", path, answer, body=_ENCODER.encode(given), key=key or str(uuid4()))


def at(path: str, record_id: Id) -> str:
    return path.format(quote(str(record_id), safe=""))


def decode(content: bytes, kind: type[A]) -> A:
    """Amounts never go through a float, also where nothing is known of what they are."""
    decoder: msgspec.json.Decoder[A] = msgspec.json.Decoder(kind, float_hook=Decimal)
    return decoder.decode(content)


def _given(values: Mapping[str, object]) -> dict[str, object]:
    """`from` and `type` are words of Python, so parameters of that name end in an underscore."""
    return {name.removesuffix("_"): value for name, value in values.items() if value is not None}


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
