"""Commission rates. A sale has the rate of its day, so a rate from a later day on changes nothing before."""

from datetime import date
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

from frontdesk.postgres.act import FunctionCall, Lock
from frontdesk.postgres.write import UNIQUE, Look
from frontdesk.problems import Problem, check_version
from frontdesk.reports.commission_queries import Basis, CommissionRate, RateCount, count_rates, get_basis, get_rate
from frontdesk.reports.problems import RateProblem
from frontdesk.values.money import fits_currency

MAX_RATES = 1000
_DECIMALS = 2
_TWICE = {UNIQUE: lambda: Problem(RateProblem.DAY_TAKEN, "starts_on")}


class NewRate(NamedTuple):
    staff_id: UUID | None  # None: all
    item_id: UUID | None
    starts_on: date
    percent: Decimal


def look_at_rates(new: NewRate) -> Look[RateCount]:
    lock = Lock("SELECT FROM commission_rates WHERE tenant_id = $1 ORDER BY id FOR UPDATE", ())
    return Look(count_rates(new.staff_id, new.item_id), lock)


def look_at_rate(rate_id: UUID) -> Look[CommissionRate]:
    lock = Lock("SELECT FROM commission_rates WHERE tenant_id = $1 AND id = $2 FOR UPDATE", (rate_id,))
    return Look(get_rate(rate_id), lock)


def plan_new_rate(seen: RateCount, rate_id: UUID, new: NewRate) -> FunctionCall:
    _check(new)
    if not seen.is_staff:
        raise Problem(RateProblem.UNKNOWN_STAFF, "staff")
    if not seen.is_item:
        raise Problem(RateProblem.UNKNOWN_ITEM, "item")
    if seen.rates >= MAX_RATES:
        raise Problem(RateProblem.TOO_MANY, most=MAX_RATES)
    return FunctionCall("save_commission_rate", {"id": rate_id, **new._asdict()}, errors=_TWICE)


def plan_rate(seen: CommissionRate, version: int, starts_on: date, percent: Decimal) -> FunctionCall:
    """Whom and what it is for stays."""
    new = NewRate(seen.staff_id, seen.item_id, starts_on, percent)
    _check(new)
    check_version(version, seen.version, seen.id)
    return FunctionCall("save_commission_rate", {"id": seen.id, "version": version, **new._asdict()}, errors=_TWICE)


def plan_rate_deletion(seen: CommissionRate) -> FunctionCall:
    return FunctionCall("delete_commission_rate", {"id": seen.id, "version": seen.version})


def look_at_basis() -> Look[Basis]:
    return Look(get_basis(), Lock("SELECT FROM tenants WHERE id = $1 FOR NO KEY UPDATE", ()))


def plan_basis(basis: Basis) -> FunctionCall:
    return FunctionCall("set_commission_basis", {"basis": basis})


def _check(new: NewRate) -> None:
    if not 0 <= new.percent <= 100 or not fits_currency(new.percent, _DECIMALS):
        raise Problem(RateProblem.WRONG_RATE, "percent")
