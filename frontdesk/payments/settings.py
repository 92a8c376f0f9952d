"""The payment methods of a business, as its settings page shows and changes them.

A method of an installed application keeps the name that the application gives it. A method with transactions
can be deactivated; one without them can also be deleted.
"""

import re
from collections.abc import Iterable, Mapping
from uuid import UUID

from frontdesk.payments.create_method import Names, create_method
from frontdesk.payments.problems import PaymentSettingsProblem
from frontdesk.payments.settings_queries import MethodRow, get_method, lock_method, lock_methods, method_names
from frontdesk.payments.types import NewMethod
from frontdesk.postgres.act import FunctionCall
from frontdesk.postgres.write import Look
from frontdesk.problems import Problem, check_version
from frontdesk.values.text import is_name_taken, search_key

METHOD_TYPES = ("cash", "card", "bank_transfer", "voucher", "other")  # that a person can create
MAX_NAME_LENGTH = 80
_GAPS = re.compile(r"[\W_]+")


def look_at_methods() -> Look[Names]:
    return Look(method_names(), lock_methods())


def look_at_method(method_id: UUID) -> Look[MethodRow]:
    return Look(get_method(method_id), lock_method(method_id))


def plan_new_method(others: Names, type_: str, name: Mapping[str, str]) -> FunctionCall:
    _check_name(name, others.values())
    if type_ not in METHOD_TYPES:
        raise Problem(PaymentSettingsProblem.TYPE_REQUIRED, "type")
    text = next(text for text in (name.get("en", ""), *name.values()) if text)
    slug = _GAPS.sub("-", search_key(text)).strip("-")[:80] or type_
    return create_method(NewMethod(dict(name), type_, slug, active=True), others)


def plan_rename(seen: MethodRow, version: int, name: Mapping[str, str], names: Names) -> FunctionCall:
    _check_name(name, [other for id_, other in names.items() if id_ != seen.id])
    check_version(version, seen.version, seen.id)
    if seen.application is not None:
        raise Problem(PaymentSettingsProblem.NAMED_BY_APPLICATION, "name")
    return _update(seen, name=dict(name))


def plan_active(seen: MethodRow, *, active: bool) -> FunctionCall:
    if not seen.connected:
        raise Problem(PaymentSettingsProblem.APPLICATION_GONE)
    if active == seen.active:
        return FunctionCall(None, {})
    return _update(seen, active=active)


def plan_method_deletion(seen: MethodRow) -> FunctionCall:
    if seen.application is not None:
        raise Problem(PaymentSettingsProblem.OF_APPLICATION)
    if seen.has_transactions:
        raise Problem(PaymentSettingsProblem.HAS_PAYMENTS)
    return FunctionCall("delete_payment_method", {"id": seen.id, "version": seen.version})


def plan_order(moved: UUID, order: list[UUID]) -> FunctionCall:
    """Methods that are not listed come last."""
    return FunctionCall("order_payment_methods", {"id": moved, "ids": order})


def _update(seen: MethodRow, **changes: object) -> FunctionCall:
    argument = {"id": seen.id, "version": seen.version, "name": seen.name, "active": seen.active, **changes}
    return FunctionCall("update_payment_method", argument)


def _check_name(name: Mapping[str, str], others: Iterable[Mapping[str, str]]) -> None:
    """At the till two methods with the same name look the same."""
    if not any(name.values()):
        raise Problem(PaymentSettingsProblem.NAME_REQUIRED, "name")
    if any(len(text) > MAX_NAME_LENGTH for text in name.values()):
        raise Problem(PaymentSettingsProblem.NAME_TOO_LONG, "name", most=MAX_NAME_LENGTH)
    if is_name_taken(name, others):
        raise Problem(PaymentSettingsProblem.NAME_TAKEN, "name")
