"""An API request as data: what to send, and the type to decode the response into."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from types import NoneType
from typing import Any, Generic, TypeVar, get_args, get_origin
from urllib.parse import quote
from uuid import uuid4

import msgspec

from frontdesk_client.models import Id
from frontdesk_client.models.responses import DataResponse, ScheduleResponse, WriteResponse

T = TypeVar("T")

MAX_PER_PAGE = 100

_ENCODER = msgspec.json.Encoder(decimal_format="number")


class ApiRequest(msgspec.Struct, Generic[T], frozen=True):
    method: str
    path: str
    response_type: type[T]
    query: Mapping[str, str] = {}
    body: bytes | None = None
    idempotency_key: str | None = None  # the same for every attempt; None if the request writes nothing


def read(path: str, response_type: type[T], **query: object) -> ApiRequest[T]:
    sent: dict[str, str] = {}
    for name, value in _without_none(query).items():
        if isinstance(value, Mapping):
            sent |= {f"{name}[{key}]": _text(entry) for key, entry in value.items()}
        else:
            sent[name] = _text(value)
    return ApiRequest("GET", path, response_type, sent)


def with_fields(request: ApiRequest[T], fields: Sequence[str]) -> ApiRequest[T]:
    """The same read, whose records are dictionaries with these fields."""
    envelope: Any = get_origin(request.response_type)
    if request.method != "GET" or envelope is None:
        raise TypeError(f"{request.method} {request.path} is no read, of which fields could be selected")
    query = {**request.query, "fields": ",".join(fields)}
    return msgspec.structs.replace(request, response_type=envelope[dict[str, Any] | None], query=query)


def post_query(path: str, response_type: type[T], **fields: object) -> ApiRequest[T]:
    """A POST request that writes nothing."""
    return ApiRequest("POST", path, response_type, body=_ENCODER.encode(_without_none(fields)))


def write(
    method: str, path: str, response_type: type[T], idempotency_key: str | None, **fields: object
) -> ApiRequest[T]:
    body = _ENCODER.encode(_without_none(fields))
    return _writing(method, path, response_type, body, idempotency_key)


def change_hours(
    method: str, path: str, response_type: type[T], idempotency_key: str | None, **fields: object
) -> ApiRequest[T]:
    """A write whose response tells which bookings it affects."""
    (record,) = get_args(response_type)
    request = write(method, path, response_type, idempotency_key, **fields)
    decoded: type[T] = ScheduleResponse[record]  # type: ignore[assignment, valid-type]
    return msgspec.structs.replace(request, response_type=decoded)


def patch(path: str, response_type: type[T], idempotency_key: str | None, **fields: object) -> ApiRequest[T]:
    """Omits UNSET fields and sends None as null, which clears a field."""
    body = _ENCODER.encode({_wire_name(name): value for name, value in fields.items() if value is not msgspec.UNSET})
    return _writing("PATCH", path, response_type, body, idempotency_key)


def delete(path: str, idempotency_key: str | None, **query: object) -> ApiRequest[DataResponse[None]]:
    """What to delete, beyond the path, is in the query."""
    sent = {name: _text(value) for name, value in _without_none(query).items()}
    key = idempotency_key or str(uuid4())
    return ApiRequest("DELETE", path, DataResponse[None], sent, idempotency_key=key)


def _writing(method: str, path: str, response_type: type[T], body: bytes, idempotency_key: str | None) -> ApiRequest[T]:
    """The type of the response has room for what a dry run tells."""
    (record,) = get_args(response_type)
    decoded: type[T] = response_type if record is NoneType else WriteResponse[record]  # type: ignore[assignment, valid-type]
    return ApiRequest(method, path, decoded, body=body, idempotency_key=idempotency_key or str(uuid4()))


def path(template: str, record_id: Id) -> str:
    return template.format(quote(str(record_id), safe=""))


def decode(content: bytes, type_: type[T]) -> T:
    """Decodes numbers as Decimal, also inside untyped values, so that amounts stay exact."""
    decoder: msgspec.json.Decoder[T] = msgspec.json.Decoder(type_, float_hook=Decimal)
    return decoder.decode(content)


def _without_none(values: Mapping[str, object]) -> dict[str, object]:
    return {_wire_name(name): value for name, value in values.items() if value is not None}


def _wire_name(parameter: str) -> str:
    """`from` is a keyword and `type` a builtin, so these parameters end in an underscore."""
    return parameter.removesuffix("_")


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
