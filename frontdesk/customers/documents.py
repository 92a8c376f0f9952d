"""The published forms of customers; the database function `customer_json` returns the whole form."""

from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from frontdesk.custom_data.queries import FIELDS
from frontdesk.customers.types import CustomerType
from frontdesk.values.api_types import Email, Timestamp


class CustomerSummary(msgspec.Struct, kw_only=True):
    id: UUID
    first_name: str
    last_name: str | None
    email: Email | None
    phone: str | None
    type: CustomerType
    city: str | None
    created_at: Timestamp
    updated_at: Timestamp
    external_id: str | UnsetType | None = UNSET  # the fields of the application that asks
    metadata: dict[str, str] | UnsetType = UNSET


class TagReference(msgspec.Struct):
    id: UUID
    name: str


class CustomerDetail(CustomerSummary, kw_only=True):
    address: str | None
    note: str | None
    blocked: bool
    tax_registration_number: str | None
    tags: list[TagReference]


class CustomerNote(msgspec.Struct):
    id: UUID
    version: int
    customer_id: UUID
    text: str
    is_warning: bool
    author: str | None
    created_at: Timestamp


_BRIEF = """
    'id', c.id, 'first_name', c.first_name, 'last_name', c.last_name, 'email', c.email, 'phone', c.phone,
    'type', c.type, 'city', c.city"""
_TIMESTAMPS = "'created_at', format_utc(c.created_at), 'updated_at', format_utc(c.updated_at)"

LIST_ITEM = f"json_build_object({_BRIEF}, {_TIMESTAMPS})"
OWN_LIST_ITEM = f"json_build_object({_BRIEF}, {FIELDS}, {_TIMESTAMPS})"  # with custom_data.queries.joined
