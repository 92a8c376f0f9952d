"""The published forms of customers; the database function `customer_json` returns the whole form."""

from uuid import UUID

import msgspec

from frontdesk.customers.types import CustomerType
from frontdesk.values.api_types import Email, Timestamp


class CustomerSummary(msgspec.Struct):
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


class CustomerDetail(CustomerSummary):
    address: str | None
    note: str | None
    blocked: bool
    tax_registration_number: str | None
    tags: list[TagReference]


_BRIEF = """
    'id', c.id, 'first_name', c.first_name, 'last_name', c.last_name, 'email', c.email, 'phone', c.phone,
    'type', c.type, 'city', c.city"""
_TIMESTAMPS = "'created_at', format_utc(c.created_at), 'updated_at', format_utc(c.updated_at)"

LIST_ITEM = f"json_build_object({_BRIEF}, {_TIMESTAMPS})"
