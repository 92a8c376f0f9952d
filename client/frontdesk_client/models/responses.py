"""The envelopes of responses: one record, one page of a list, an access token."""

from typing import Generic, Literal, TypeVar
from uuid import UUID

import msgspec

T = TypeVar("T")


class DataResponse(msgspec.Struct, Generic[T]):
    data: T


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


class Page(msgspec.Struct, Generic[T]):
    data: list[T]
    links: PaginationLinks
    meta: PaginationMeta


class TokenResponse(msgspec.Struct):
    token_type: Literal["Bearer"] | str
    expires_in: int  # seconds
    access_token: str
    scope: str
    # Only in the answer to an authorization code:
    client_id: str | None = None
    client_secret: str | None = None
    tenant_id: UUID | None = None
    install_id: UUID | None = None
