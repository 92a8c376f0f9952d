"""The envelopes of responses: around one record, and around a page of a list."""

from typing import Any, Generic, TypeVar, get_args

import msgspec
from msgspec import UNSET, UnsetType

from frontdesk.values.api_types import Timestamp

T = TypeVar("T")


class PaginationLinks(msgspec.Struct):
    first: str
    last: str
    prev: str | None
    next: str | None


class PaginationMeta(msgspec.Struct):
    current_page: int
    last_page: int
    per_page: int
    total: int
    next_since: Timestamp | UnsetType = UNSET  # on the first page of what has changed


class PageResponse(msgspec.Struct, Generic[T]):
    data: list[T]
    links: PaginationLinks
    meta: PaginationMeta


class DataResponse(msgspec.Struct, Generic[T]):
    data: T


def record_fields(envelope: Any) -> tuple[str, ...]:  # noqa: ANN401 - a type
    """The names of the fields of a record in it."""
    (content,) = get_args(envelope)
    record = next(kind for kind in (get_args(content) or (content,)) if issubclass(kind, msgspec.Struct))
    return tuple(field.encode_name for field in msgspec.structs.fields(record))
