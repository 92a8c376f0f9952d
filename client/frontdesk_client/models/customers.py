"""Customers."""

from uuid import UUID

import msgspec

from frontdesk_client.models.values import CustomerType


class TagReference(msgspec.Struct):
    id: UUID
    name: str


class CustomerSummary(msgspec.Struct):
    id: UUID
    first_name: str
    last_name: str | None
    email: str | None
    phone: str | None
    type: CustomerType
    city: str | None
    created_at: str
    updated_at: str


class CustomerDetail(CustomerSummary):
    address: str | None
    note: str | None
    blocked: bool
    tax_registration_number: str | None
    tags: list[TagReference]
