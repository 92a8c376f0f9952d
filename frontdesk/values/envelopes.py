"""The envelopes of responses: around one record, and around a page of a list."""

from typing import Generic, TypeVar

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
