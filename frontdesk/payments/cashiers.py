"""Cashiers: who sells at the till, by name and code. A cashier who leaves is deactivated; sales keep the name."""

from typing import NamedTuple
from uuid import UUID

from frontdesk.payments.cashier_queries import SeenCashiers, cashier_to_change, lock_cashier
from frontdesk.payments.problems import PaymentSettingsProblem
from frontdesk.postgres.act import FunctionCall
from frontdesk.postgres.write import UNIQUE, Look
from frontdesk.problems import Problem, check_version, raise_all

MAX_CODE_LENGTH = 20


class CashierChange(NamedTuple):
    name: str
    code: str
    branch_id: UUID
    active: bool = True


def look_at_cashier(cashier_id: UUID | None) -> Look[SeenCashiers]:
    """None for a new one."""
    return Look(cashier_to_change(cashier_id), lock_cashier(cashier_id))


def plan_cashier(seen: SeenCashiers, cashier_id: UUID, version: int | None, new: CashierChange) -> FunctionCall:
    """Without a version it is a new one."""
    if seen.cashier is not None and version is not None:
        check_version(version, seen.cashier.version, cashier_id)
    problems = []
    if not new.name.strip():
        problems.append(Problem(PaymentSettingsProblem.NAME_REQUIRED, "name"))
    if not new.code.strip() or len(new.code) > MAX_CODE_LENGTH or not new.code.isprintable():
        problems.append(Problem(PaymentSettingsProblem.CASHIER_CODE_WRONG, "code", most=MAX_CODE_LENGTH))
    if new.branch_id not in seen.branches:
        problems.append(Problem(PaymentSettingsProblem.UNKNOWN_BRANCH, "branch"))
    raise_all(problems)
    argument = {"id": cashier_id, "version": version, **new._asdict()}
    return FunctionCall("save_cashier", argument, errors={UNIQUE: _code_used})


def _code_used() -> Problem:
    return Problem(PaymentSettingsProblem.CASHIER_CODE_TAKEN, "code")
