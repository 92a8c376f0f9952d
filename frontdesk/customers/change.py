"""Updating a customer. Values that stay the same are no change and emit no event."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import msgspec

from frontdesk.customers.problems import CustomerProblem
from frontdesk.customers.queries import PHONE_IN_USE, SeenCustomer, customer_argument, customer_to_change
from frontdesk.postgres.act import FunctionCall, Lock, ResponseDocument
from frontdesk.postgres.write import Look
from frontdesk.problems import Problem, check_version


def look_at_customer(customer_id: UUID) -> Look[SeenCustomer]:
    lock = Lock("SELECT FROM customers WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE", (customer_id,))
    return Look(customer_to_change(customer_id), lock)


def plan_change(seen: SeenCustomer, changes: Mapping[str, Any], version: int | None = None) -> FunctionCall:
    """`changes` are fields of a customer, checked and normalized; `version` is the one that a form was filled from."""
    if version is not None:
        check_version(version, seen.version, seen.id)
    check_not_erased(seen)
    after = msgspec.structs.replace(seen.customer, **changes)
    if after == seen.customer:
        return unchanged(seen)
    argument = {"id": seen.id, "version": seen.version, **customer_argument(after)}
    return FunctionCall(
        "update_customer", argument, ResponseDocument("customer_document", seen.id), errors=PHONE_IN_USE
    )


def plan_block(seen: SeenCustomer, reason: str) -> FunctionCall:
    if seen.blocked:
        return unchanged(seen)
    return _set_blocked(seen, blocked=True, reason=reason)


def plan_unblock(seen: SeenCustomer) -> FunctionCall:
    if not seen.blocked:
        return unchanged(seen)
    return _set_blocked(seen, blocked=False, reason=None)


def _set_blocked(seen: SeenCustomer, *, blocked: bool, reason: str | None) -> FunctionCall:
    check_not_erased(seen)
    argument = {"id": seen.id, "version": seen.version, "blocked": blocked, "reason": reason}
    return FunctionCall("set_customer_blocked", argument)


def unchanged(seen: SeenCustomer) -> FunctionCall:
    return FunctionCall(None, None, ResponseDocument("customer_document", seen.id))


def check_not_erased(seen: SeenCustomer) -> None:
    if seen.is_erased:
        raise Problem(CustomerProblem.ERASED)
