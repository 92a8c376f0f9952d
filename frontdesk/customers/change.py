"""Changing and blocking a customer. Values that stay the same are no change and emit no event."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import msgspec

from frontdesk.customers.problems import CustomerProblem
from frontdesk.customers.queries import PHONE_IN_USE, CustomerToChange, customer_argument, customer_to_change
from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query, lock_row
from frontdesk.problems import Problem, check_version


class CustomerAct(Act[CustomerToChange], frozen=True):
    customer_id: UUID

    def load(self) -> Query[CustomerToChange]:
        return customer_to_change(self.customer_id).locking(lock_row("customers", self.customer_id))


class AnsweringCustomerAct(CustomerAct, frozen=True, kw_only=True):
    """The APIs answer with the customer; pages read more than that."""

    document: str | None = None

    def answer(self) -> ResponseDocument | None:
        return ResponseDocument(self.document, self.customer_id) if self.document else None


class UpdateCustomer(CustomerAct, frozen=True):
    changes: Mapping[str, Any]  # fields of a customer, checked and normalized
    version: int | None = None  # the one that a form was filled from

    def decide(self, context: Context[CustomerToChange]) -> FunctionCall:
        loaded = context.loaded
        check_version(self.version, loaded.version, loaded.id)
        check_not_erased(loaded)
        after = msgspec.structs.replace(loaded.customer, **self.changes)
        if after == loaded.customer:
            return unchanged(loaded)
        argument = {"id": loaded.id, "version": loaded.version, **customer_argument(after)}
        document = ResponseDocument("customer_document", loaded.id)
        return FunctionCall("update_customer", argument, document, errors=PHONE_IN_USE)


class BlockCustomer(AnsweringCustomerAct, frozen=True):
    reason: str

    def decide(self, context: Context[CustomerToChange]) -> FunctionCall:
        if context.loaded.blocked:
            return unchanged(context.loaded)
        return _set_blocked(context.loaded, blocked=True, reason=self.reason)._replace(response=self.answer())


class UnblockCustomer(AnsweringCustomerAct, frozen=True):
    def decide(self, context: Context[CustomerToChange]) -> FunctionCall:
        if not context.loaded.blocked:
            return unchanged(context.loaded)
        return _set_blocked(context.loaded, blocked=False, reason=None)._replace(response=self.answer())


def _set_blocked(loaded: CustomerToChange, *, blocked: bool, reason: str | None) -> FunctionCall:
    check_not_erased(loaded)
    argument = {"id": loaded.id, "version": loaded.version, "blocked": blocked, "reason": reason}
    return FunctionCall("set_customer_blocked", argument)


def unchanged(loaded: CustomerToChange) -> FunctionCall:
    return FunctionCall(None, None, ResponseDocument("customer_document", loaded.id))


def check_not_erased(loaded: CustomerToChange) -> None:
    if loaded.is_erased:
        raise Problem(CustomerProblem.ERASED)
