"""Merging two records of one customer. What refers to the other record moves to the one that stays."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import msgspec

from frontdesk.customers.change import check_not_erased
from frontdesk.customers.merge_queries import CustomerPair, customers_to_merge, lock_orders_of
from frontdesk.customers.problems import CustomerProblem
from frontdesk.customers.queries import PHONE_IN_USE, customer_argument
from frontdesk.customers.types import NewCustomer
from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query
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
    "birthday": ("birthday",),
    "favorite": ("favorite_staff_id",),
}


class _PairAct(Act[CustomerPair], frozen=True):
    customer_id: UUID
    other_id: UUID

    def load(self) -> Query[CustomerPair]:
        return customers_to_merge(self.customer_id, self.other_id).locking(lock_orders_of(self.other_id))


class MergeCustomers(_PairAct, frozen=True):
    """The other record is deleted."""

    from_other: frozenset[str] | None  # the fields that are taken from the other record; None: those without a value
    version: int | None = None
    other_version: int | None = None
    document: str | None = None  # that the APIs answer with

    def decide(self, context: Context[CustomerPair]) -> FunctionCall:
        pair = context.loaded
        check_version(self.version, pair.customer.version, pair.customer.id)
        check_version(self.other_version, pair.other.version, pair.other.id)
        _require_two(pair)
        check_not_erased(pair.customer)
        check_not_erased(pair.other)
        kept, other = pair.customer.customer, pair.other.customer
        changes: dict[str, Any] = {
            name: getattr(other, name) for field in self._taken(kept, other) for name in FIELDS[field]
        }
        changes["note"] = kept.note or other.note
        changes["allergies"] = "\n".join(dict.fromkeys(filter(None, [kept.allergies, other.allergies]))) or None
        argument = {
            **customer_argument(msgspec.structs.replace(kept, **changes)),
            "id": pair.customer.id,
            "other_id": pair.other.id,
            "version": pair.customer.version,
            "other_version": pair.other.version,
            "extra_note": _extra_note(kept, other),
            "note_id": uuid7(),
        }
        document = ResponseDocument(self.document, self.customer_id) if self.document else None
        return FunctionCall("merge_customers", argument, document, errors=PHONE_IN_USE)

    def _taken(self, kept: NewCustomer, other: NewCustomer) -> frozenset[str]:
        if self.from_other is not None:
            return self.from_other
        return frozenset(field for field, (name, *_) in FIELDS.items() if getattr(kept, name) is None)


class MarkDistinctCustomers(_PairAct, frozen=True):
    document: str | None = None  # that the APIs answer with

    def decide(self, context: Context[CustomerPair]) -> FunctionCall:
        _require_two(context.loaded)
        document = ResponseDocument(self.document, self.customer_id) if self.document else None
        argument = {"id": self.customer_id, "other_id": self.other_id}
        return FunctionCall("mark_distinct_customers", argument, document)


def _require_two(pair: CustomerPair) -> None:
    if pair.customer.id == pair.other.id:
        raise Problem(CustomerProblem.SAME_CUSTOMER, "other_id")


def _extra_note(kept: NewCustomer, other: NewCustomer) -> str | None:
    """The other's note, if the one that stays has its own."""
    return other.note if kept.note and other.note != kept.note else None
