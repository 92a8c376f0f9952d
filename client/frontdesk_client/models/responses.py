"""The envelopes of responses: one record, one page of a list, an access token."""

from typing import Any, Generic, Literal, TypeVar
from uuid import UUID

import msgspec

from frontdesk_client.models.values import EventType

T = TypeVar("T")


class DataResponse(msgspec.Struct, Generic[T]):
    data: T


class PlannedEvent(msgspec.Struct):
    """An event that a dry run would emit. `data` is None if the token lacks the scope of the event type."""

    type: EventType
    data: dict[str, Any] | None


class DryRunReport(msgspec.Struct):
    events: list[PlannedEvent]


class WriteResponse(DataResponse[T], Generic[T]):
    dry_run: DryRunReport | None = None


class AffectedBooking(msgspec.Struct):
    """A coming booking that a change of hours leaves outside the hours."""

    order_id: UUID
    order_number: str
    staff_id: UUID
    start: str
    end: str


class AffectedBookings(msgspec.Struct):
    total: int
    bookings: list[AffectedBooking]  # the first 100


class ScheduleResponse(WriteResponse[T], Generic[T]):
    """The answer to a change of hours."""

    affected_bookings: AffectedBookings | None = None


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
    next_since: str | None = None  # on the first page of what has changed


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
