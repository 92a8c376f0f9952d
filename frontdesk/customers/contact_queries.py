"""Finding the customer whose phone number or e-mail address was entered on the public page."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

import msgspec

from frontdesk.postgres.query import Query, decoded

_MAX_FOUND = 20


class KnownCustomer(msgspec.Struct, frozen=True):
    id: UUID
    name: str
    phone_digits: str | None
    email: str | None
    blocked: bool


class Match(NamedTuple):
    customer: KnownCustomer | None
    is_blocked: bool


def customers_with_contact(phone_digits: str | None, email: str | None) -> Query[list[KnownCustomer]]:
    """The one with the phone number first, then the newest."""
    return Query(
        f"""
        SELECT coalesce(json_agg(json_build_object('id', c.id, 'name', concat_ws(' ', c.first_name, c.last_name),
            'phone_digits', c.phone_digits, 'email', c.email, 'blocked', c.blocked)), '[]')::text AS document
        FROM (
            (SELECT * FROM customers WHERE tenant_id = $1 AND phone_digits = $2)
            UNION ALL
            (SELECT * FROM customers WHERE tenant_id = $1 AND lower(email) = lower($3)
                AND ($2::text IS NULL OR phone_digits IS DISTINCT FROM $2)
                ORDER BY created_at DESC, id DESC LIMIT {_MAX_FOUND})
        ) c
        """,
        (phone_digits, email),
        decoded(list[KnownCustomer]),
    )


def match_customer(found: Sequence[KnownCustomer], phone_digits: str | None) -> Match:
    """A phone number belongs to one customer. A family may share an e-mail address, so a person with another phone
    number is a new customer. A blocked customer is blocked with either of the two.
    """
    is_blocked = any(customer.blocked for customer in found)
    for customer in found:
        if phone_digits is None or customer.phone_digits in (None, phone_digits):
            return Match(customer, is_blocked)
    return Match(None, is_blocked)
