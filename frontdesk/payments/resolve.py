"""Finds the payment method of a payment, or one of four errors."""

from collections.abc import Iterable
from uuid import UUID

from frontdesk.errors import Code, WireError
from frontdesk.payments.types import MethodInfo


def choose_method(methods: Iterable[MethodInfo], method_id: UUID | None, method_type: str | None) -> UUID:
    """By id if it is given; otherwise by type, if exactly one usable method has it."""
    if method_id is None and method_type is None:
        raise WireError(
            Code.PAYMENT_METHOD_REQUIRED,
            "The payment has no payment method. Send payment_method_id or payment_method_type.",
        )
    meant = (m for m in methods if (m.type == method_type if method_id is None else m.id == method_id))
    found = [method for method in meant if method.active]
    usable = [method for method in found if method.connected]
    if len(usable) == 1:
        return usable[0].id
    raise _unusable_reason(found, usable)


def _unusable_reason(found: list[MethodInfo], usable: list[MethodInfo]) -> WireError:
    if not found:
        return WireError(Code.PAYMENT_METHOD_NOT_FOUND, "The business has no such active payment method.")
    if not usable:
        return WireError(
            Code.PAYMENT_METHOD_UNAVAILABLE, "The application that provides this payment method is no longer installed."
        )
    return WireError(
        Code.PAYMENT_METHOD_TYPE_AMBIGUOUS,
        "Several active payment methods have this type. Send payment_method_id instead.",
        details={"payment_method_ids": [str(method.id) for method in usable]},
    )
