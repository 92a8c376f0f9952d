"""The published form of customers, as the statements of queries.py write it."""

from uuid import UUID

import msgspec

from frontdesk.customers.types import CustomerType
from frontdesk.kit.published import Email, Timestamp


class CustomerListItem(msgspec.Struct):
    id: UUID
    first_name: str
    last_name: str | None
    email: Email | None
    phone: str | None
    type: CustomerType
    city: str | None
    created_at: Timestamp
    updated_at: Timestamp


class TagReference(msgspec.Struct):
    id: UUID
    name: str


class CustomerDetail(CustomerListItem):
    address: str | None
    note: str | None
    blocked: bool
    tax_registration_number: str | None
    tags: list[TagReference]
