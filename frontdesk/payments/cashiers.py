"""Cashiers: who sells at the till, by name and code. A cashier who leaves is deactivated; sales keep the name."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import msgspec

from frontdesk.payments.cashier_queries import CashierToSave, cashier_to_save
from frontdesk.payments.problems import PaymentSettingsProblem
from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query, lock_row
from frontdesk.postgres.write import UNIQUE
from frontdesk.problems import Problem, check_version, or_not_found, raise_all

MAX_CODE_LENGTH = 20


class SaveCashier(Act[CashierToSave], frozen=True):
    """Without a version it is a new one."""

    id: UUID
    name: str
    code: str
    branch_id: UUID
    active: bool = True
    version: int | None = None

    def load(self) -> Query[CashierToSave]:
        return cashier_to_save(self._changed_id).locking(lock_row("cashiers", self._changed_id, "UPDATE"))

    @property
    def _changed_id(self) -> UUID | None:
        return None if self.version is None else self.id

    def decide(self, context: Context[CashierToSave]) -> FunctionCall:
        if context.loaded.cashier is not None:
            check_version(self.version, context.loaded.cashier.version, self.id)
        problems = []
        if not self.name.strip():
            problems.append(Problem(PaymentSettingsProblem.NAME_REQUIRED, "name"))
        if not self.code.strip() or len(self.code) > MAX_CODE_LENGTH or not self.code.isprintable():
            problems.append(Problem(PaymentSettingsProblem.CASHIER_CODE_WRONG, "code", most=MAX_CODE_LENGTH))
        if self.branch_id not in context.loaded.branches:
            problems.append(Problem(PaymentSettingsProblem.UNKNOWN_BRANCH, "branch"))
        raise_all(problems)
        response = ResponseDocument("cashier_document", self.id)
        return FunctionCall("save_cashier", msgspec.structs.asdict(self), response, errors={UNIQUE: _code_used})


class ChangeCashier(Act[CashierToSave], frozen=True):
    """Other fields stay as they are."""

    cashier_id: UUID
    changes: Mapping[str, Any]
    version: int | None = None

    def load(self) -> Query[CashierToSave]:
        return cashier_to_save(self.cashier_id).locking(lock_row("cashiers", self.cashier_id, "UPDATE"))

    def decide(self, context: Context[CashierToSave]) -> FunctionCall:
        before = or_not_found(context.loaded.cashier, "cashier")
        check_version(self.version, before.version, before.id)
        after = msgspec.structs.replace(before, **self.changes)
        if after == before:
            return FunctionCall(None, None, ResponseDocument("cashier_document", before.id))
        save = SaveCashier(before.id, after.name, after.code, after.branch_id, after.active, before.version)
        return save.decide(context)


def _code_used() -> Problem:
    return Problem(PaymentSettingsProblem.CASHIER_CODE_TAKEN, "code")
