"""Finds the payment method of a payment, or one of four errors."""

from collections.abc import Iterable
from uuid import UUID

from frontdesk.payments.problems import MethodProblem
from frontdesk.payments.types import MethodInfo
from frontdesk.problems import Problem


def choose_method(methods: Iterable[MethodInfo], method_id: UUID | None, method_type: str | None) -> UUID:
    """By id if it is given; otherwise by type, if exactly one usable method has it."""
    if method_id is None and method_type is None:
        raise Problem(MethodProblem.REQUIRED)
    meant = (m for m in methods if (m.type == method_type if method_id is None else m.id == method_id))
    found = [method for method in meant if method.active]
    usable = [method for method in found if method.connected]
    if len(usable) == 1:
        return usable[0].id
    raise _unusable_reason(found, usable)


def _unusable_reason(found: list[MethodInfo], usable: list[MethodInfo]) -> Problem:
    if not found:
        return Problem(MethodProblem.UNKNOWN)
    if not usable:
        return Problem(MethodProblem.UNAVAILABLE)
    return Problem(MethodProblem.AMBIGUOUS, payment_method_ids=[method.id for method in usable])
