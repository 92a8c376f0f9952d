"""Merging two records of one customer. What refers to the other record moves to the one that stays."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import msgspec

from frontdesk.customers.change import check_not_erased
from frontdesk.customers.merge_queries import SeenPair, customers_to_merge
from frontdesk.customers.problems import CustomerProblem
from frontdesk.customers.queries import PHONE_IN_USE, customer_argument
from frontdesk.customers.types import NewCustomer
from frontdesk.postgres.act import FunctionCall, Lock
from frontdesk.postgres.write import Look
from frontdesk.problems import Problem, check_version
from frontdesk.values.ids import uuid7

# The fields of a customer that are chosen together.
FIELDS: Mapping[str, tuple[str, ...]] = {
    "name": ("first_name", "last_name"),
    "phone": ("phone", "phone_country"),
    "email": ("email",),
    "type": ("type",),
    "city": ("city",),
    "address": ("address",),
    "tax_registration_number": ("tax_registration_number",),
}


def look_at_pair(customer_id: UUID, other_id: UUID) -> Look[SeenPair]:
    lock = Lock(
        "SELECT FROM orders WHERE tenant_id = $1 AND customer_id = $2 ORDER BY id FOR NO KEY UPDATE", (other_id,)
    )
    return Look(customers_to_merge(customer_id, other_id), lock)


def plan_merge(seen: SeenPair, from_other: frozenset[str], version: int, other_version: int) -> FunctionCall:
    """`from_other` names the fields that are taken from the other record, which is deleted."""
    check_version(version, seen.customer.version, seen.customer.id)
    check_version(other_version, seen.other.version, seen.other.id)
    _require_two(seen)
    check_not_erased(seen.customer)
    check_not_erased(seen.other)
    kept, other = seen.customer.customer, seen.other.customer
    changes: dict[str, Any] = {name: getattr(other, name) for field in from_other for name in FIELDS[field]}
    changes["note"] = kept.note or other.note
    merged = msgspec.structs.replace(kept, **changes)
    argument = {
        **customer_argument(merged),
        "id": seen.customer.id,
        "other_id": seen.other.id,
        "version": seen.customer.version,
        "other_version": seen.other.version,
        "extra_note": _extra_note(kept, other),
        "note_id": uuid7(),
    }
    return FunctionCall("merge_customers", argument, errors=PHONE_IN_USE)


def plan_separation(seen: SeenPair) -> FunctionCall:
    _require_two(seen)
    return FunctionCall("separate_customers", {"id": seen.customer.id, "other_id": seen.other.id})


def _require_two(seen: SeenPair) -> None:
    if seen.customer.id == seen.other.id:
        raise Problem(CustomerProblem.SAME_CUSTOMER)


def _extra_note(kept: NewCustomer, other: NewCustomer) -> str | None:
    """The other's note, if the one that stays has its own."""
    return other.note if kept.note and other.note != kept.note else None
