"""The payment methods of a business, as its settings page shows and changes them.

A method of an installed application keeps the name that the application gives it. A method with transactions
can be deactivated; one without them can also be deleted.
"""

from collections.abc import Iterable, Mapping
from typing import Literal
from uuid import UUID

from frontdesk.payments.create_method import Names, create_method, method_slug
from frontdesk.payments.problems import PaymentSettingsProblem
from frontdesk.payments.settings_queries import (
    MethodRow,
    MethodToRename,
    get_method,
    lock_methods,
    method_names,
    method_order,
    method_to_rename,
)
from frontdesk.payments.types import NewMethod
from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query, lock_row
from frontdesk.problems import Problem, SharedProblem, check_version, not_found
from frontdesk.values.text import is_name_taken

METHOD_TYPES = ("cash", "card", "bank_transfer", "voucher", "other")  # that a person can create
MAX_NAME_LENGTH = 80


class CreateTranslatedMethod(Act[Names], frozen=True):
    """With a name in each language, and of any type that a person can create."""

    type: str
    name: Mapping[str, str]

    def load(self) -> Query[Names]:
        return method_names().locking(lock_methods())

    def decide(self, context: Context[Names]) -> FunctionCall:
        _check_name(self.name, context.loaded.values())
        if self.type not in METHOD_TYPES:
            raise Problem(PaymentSettingsProblem.TYPE_REQUIRED, "type")
        text = next(text for text in (self.name.get("en", ""), *self.name.values()) if text)
        new = NewMethod(dict(self.name), self.type, method_slug(text, self.type), active=True)
        return create_method(new, context.loaded)


class RenamePaymentMethod(Act[MethodToRename], frozen=True):
    method_id: UUID
    name: Mapping[str, str]
    version: int

    def load(self) -> Query[MethodToRename]:
        return method_to_rename(self.method_id).locking(lock_row("payment_methods", self.method_id, "UPDATE"))

    def decide(self, context: Context[MethodToRename]) -> FunctionCall:
        method = context.loaded.method
        _check_name(self.name, context.loaded.other_names)
        check_version(self.version, method.version, method.id)
        if method.application is not None:
            raise Problem(PaymentSettingsProblem.NAMED_BY_APPLICATION, "name")
        return _update(method, name=self.name)


class _MethodAct(Act[MethodRow], frozen=True):
    method_id: UUID

    def load(self) -> Query[MethodRow]:
        return get_method(self.method_id).locking(lock_row("payment_methods", self.method_id, "UPDATE"))


class SetPaymentMethodActive(_MethodAct, frozen=True):
    active: bool

    def decide(self, context: Context[MethodRow]) -> FunctionCall:
        if not context.loaded.connected:
            raise Problem(PaymentSettingsProblem.APPLICATION_GONE)
        if self.active == context.loaded.active:
            return FunctionCall(None, {})
        return _update(context.loaded, active=self.active)


class ChangePaymentMethod(Act[MethodToRename], frozen=True):
    """Other fields stay as they are."""

    method_id: UUID
    name: Mapping[str, str] | None = None
    active: bool | None = None
    version: int | None = None

    def load(self) -> Query[MethodToRename]:
        return method_to_rename(self.method_id).locking(lock_row("payment_methods", self.method_id, "UPDATE"))

    def decide(self, context: Context[MethodToRename]) -> FunctionCall:
        method = context.loaded.method
        check_version(self.version, method.version, method.id)
        name = method.name if self.name is None else self.name
        active = method.active if self.active is None else self.active
        if name != method.name:
            _check_name(name, context.loaded.other_names)
            if method.application is not None:
                raise Problem(PaymentSettingsProblem.NAMED_BY_APPLICATION, "name")
        if active != method.active and not method.connected:
            raise Problem(PaymentSettingsProblem.APPLICATION_GONE)
        response = ResponseDocument("payment_method_document", self.method_id)
        if (name, active) == (method.name, method.active):
            return FunctionCall(None, None, response)
        return _update(method, name=name, active=active)._replace(response=response)


class DeletePaymentMethod(_MethodAct, frozen=True):
    def decide(self, context: Context[MethodRow]) -> FunctionCall:
        method = context.loaded
        if method.application is not None:
            raise Problem(PaymentSettingsProblem.OF_APPLICATION)
        if method.has_transactions:
            raise Problem(PaymentSettingsProblem.HAS_PAYMENTS)
        return FunctionCall("delete_payment_method", {"id": method.id, "version": method.version})


class OrderPaymentMethods(Act[list[UUID]], frozen=True):
    """Moves a method by one place. Methods that were added since come last."""

    method_id: UUID
    move: Literal["up", "down"]

    def load(self) -> Query[list[UUID]]:
        return method_order().locking(lock_methods())

    def decide(self, context: Context[list[UUID]]) -> FunctionCall:
        order = list(context.loaded)
        if self.method_id not in order:
            raise not_found("payment method")
        index = order.index(self.method_id)
        other = min(max(index + (-1 if self.move == "up" else 1), 0), len(order) - 1)
        order[index], order[other] = order[other], order[index]
        return FunctionCall("order_payment_methods", {"id": self.method_id, "ids": order})


class PlacePaymentMethod(Act[list[UUID]], frozen=True):
    """Before another one; None for the end."""

    method_id: UUID
    before: UUID | None

    def load(self) -> Query[list[UUID]]:
        return method_order().locking(lock_methods())

    def decide(self, context: Context[list[UUID]]) -> FunctionCall:
        if self.method_id not in context.loaded:
            raise not_found("payment method")
        order = [method_id for method_id in context.loaded if method_id != self.method_id]
        if self.before not in (None, *order):
            raise Problem(SharedProblem.NO_PLACE, "before")
        order.insert(len(order) if self.before is None else order.index(self.before), self.method_id)
        response = ResponseDocument("payment_method_document", self.method_id)
        return FunctionCall("order_payment_methods", {"id": self.method_id, "ids": order}, response)


def _update(method: MethodRow, **changes: object) -> FunctionCall:
    argument = {"id": method.id, "version": method.version, "name": method.name, "active": method.active, **changes}
    return FunctionCall("update_payment_method", argument)


def _check_name(name: Mapping[str, str], others: Iterable[Mapping[str, str]]) -> None:
    """At the till two methods with the same name look the same."""
    if not any(name.values()):
        raise Problem(PaymentSettingsProblem.NAME_REQUIRED, "name")
    if any(len(text) > MAX_NAME_LENGTH for text in name.values()):
        raise Problem(PaymentSettingsProblem.NAME_TOO_LONG, "name", most=MAX_NAME_LENGTH)
    if is_name_taken(name, others):
        raise Problem(PaymentSettingsProblem.NAME_TAKEN, "name")
