"""Cashiers: who sells at the till, by name and code. A cashier who leaves is deactivated; sales keep the name."""

from typing import NamedTuple
from uuid import UUID

from frontdesk.errors import WireError, check_version, invalid
from frontdesk.payments.cashier_queries import SeenCashiers, cashier_to_change, lock_cashier
from frontdesk.postgres.write import UNIQUE, Call, Look

MAX_CODE_LENGTH = 20


class CashierChange(NamedTuple):
    name: str
    code: str
    branch_id: UUID
    active: bool = True


def look_at_cashier(cashier_id: UUID | None) -> Look[SeenCashiers]:
    """None for a new one."""
    return Look(cashier_to_change(cashier_id), lock_cashier(cashier_id))


def plan_cashier(seen: SeenCashiers, cashier_id: UUID, version: int | None, new: CashierChange) -> Call:
    """Without a version it is a new one."""
    if seen.cashier is not None and version is not None:
        check_version(version, seen.cashier.version, cashier_id)
    errors = {}
    if not new.name.strip():
        errors["name"] = ["Enter a name."]
    if not new.code.strip() or len(new.code) > MAX_CODE_LENGTH or not new.code.isprintable():
        errors["code"] = [f"Enter a code of at most {MAX_CODE_LENGTH} characters."]
    if new.branch_id not in seen.branches:
        errors["branch"] = ["Choose a branch."]
    if errors:
        raise invalid(errors)
    argument = {"id": cashier_id, "version": version, **new._asdict()}
    return Call("save_cashier", argument, errors={UNIQUE: _code_used})


def _code_used() -> WireError:
    return invalid({"code": ["Another cashier uses this code."]})
