"""The published forms of customers: the types, and the SQL that writes them, with `c` the customer."""

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
_TAGS = """(
    SELECT coalesce(json_agg(json_build_object('id', t.id, 'name', t.name) ORDER BY t.name_folded, t.id), '[]')
    FROM customer_tags ct JOIN tags t ON t.tenant_id = ct.tenant_id AND t.id = ct.tag_id
    WHERE ct.tenant_id = c.tenant_id AND ct.customer_id = c.id)"""

LIST_ITEM = f"json_build_object({_BRIEF}, {_TIMESTAMPS})"
DETAIL = f"""json_build_object({_BRIEF},
    'address', c.address, 'note', c.note, 'blocked', c.blocked,
    'tax_registration_number', c.tax_registration_number, 'tags', {_TAGS}, {_TIMESTAMPS})"""
