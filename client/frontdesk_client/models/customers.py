"""Customers."""

from uuid import UUID

import msgspec

from frontdesk_client.models.values import CustomerType, PartOfDay


class TagReference(msgspec.Struct):
    id: UUID
    name: str


class CustomerSummary(msgspec.Struct, kw_only=True):
    id: UUID
    first_name: str
    last_name: str | None
    email: str | None
    phone: str | None
    type: CustomerType
    city: str | None
    created_at: str
    updated_at: str
    external_id: str | None = None  # of the application itself
    metadata: dict[str, str] | None = None  # of the application itself


class CustomerDetail(CustomerSummary, kw_only=True):
    address: str | None
    note: str | None
    blocked: bool
    tax_registration_number: str | None
    tags: list[TagReference]


class CustomerNote(msgspec.Struct):
    """What the team has written of a customer."""

    id: UUID
    version: int
    customer_id: UUID
    text: str
    is_warning: bool
    author: str | None
    created_at: str


class WaitingListEntry(msgspec.Struct):
    """A customer who waits for a time that is not free."""

    id: UUID
    version: int
    customer_id: UUID
    service_ids: list[UUID]
    staff_id: UUID | None
    first_day: str
    last_day: str
    part_of_day: PartOfDay
    note: str | None
    created_at: str
    updated_at: str
