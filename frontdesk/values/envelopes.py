"""The envelopes of responses: around one record, and around a page of a list."""

from typing import Generic, TypeVar

import msgspec

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


class PageResponse(msgspec.Struct, Generic[T]):
    data: list[T]
    links: PaginationLinks
    meta: PaginationMeta


class DataResponse(msgspec.Struct, Generic[T]):
    data: T
