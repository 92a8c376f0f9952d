"""Commission rates. A sale has the rate of its day, so a rate from a later day on changes nothing before."""

from datetime import date
from decimal import Decimal
from uuid import UUID

import msgspec

from frontdesk.postgres.act import Act, ActWithoutLoad, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Lock, Query, lock_row
from frontdesk.postgres.write import UNIQUE
from frontdesk.problems import Problem, check_version
from frontdesk.reports.commission_queries import Basis, CommissionRate, RateCount, count_rates, get_rate
from frontdesk.reports.problems import RateProblem
from frontdesk.values.money import fits_currency

MAX_RATES = 1000
_DECIMALS = 2
_TWICE = {UNIQUE: lambda: Problem(RateProblem.DAY_TAKEN, "starts_on")}


class CreateCommissionRate(Act[RateCount], frozen=True):
    id: UUID
    staff_id: UUID | None  # None: all
    item_id: UUID | None
    starts_on: date
    percent: Decimal

    def load(self) -> Query[RateCount]:
        return count_rates(self.staff_id, self.item_id).locking(
            Lock("SELECT FROM commission_rates WHERE tenant_id = $1 ORDER BY id FOR UPDATE", ())
        )

    def decide(self, context: Context[RateCount]) -> FunctionCall:
        _check(self.percent)
        if not context.loaded.is_staff:
            raise Problem(RateProblem.UNKNOWN_STAFF, "staff")
        if not context.loaded.is_item:
            raise Problem(RateProblem.UNKNOWN_ITEM, "item")
        if context.loaded.rates >= MAX_RATES:
            raise Problem(RateProblem.TOO_MANY, most=MAX_RATES)
        return FunctionCall("save_commission_rate", msgspec.structs.asdict(self), _document(self.id), errors=_TWICE)


class _RateAct(Act[CommissionRate], frozen=True):
    rate_id: UUID

    def load(self) -> Query[CommissionRate]:
        return get_rate(self.rate_id).locking(lock_row("commission_rates", self.rate_id, "UPDATE"))


class ChangeCommissionRate(_RateAct, frozen=True):
    """Whom and what it is for stays, and what is None."""

    starts_on: date | None
    percent: Decimal | None
    version: int | None

    def decide(self, context: Context[CommissionRate]) -> FunctionCall:
        rate = context.loaded
        percent = rate.percent if self.percent is None else self.percent
        _check(percent)
        check_version(self.version, rate.version, rate.id)
        argument = {
            "id": rate.id,
            "version": rate.version,
            "staff_id": rate.staff_id,
            "item_id": rate.item_id,
            "starts_on": self.starts_on or rate.starts_on,
            "percent": percent,
        }
        return FunctionCall("save_commission_rate", argument, _document(rate.id), errors=_TWICE)


class DeleteCommissionRate(_RateAct, frozen=True):
    def decide(self, context: Context[CommissionRate]) -> FunctionCall:
        return FunctionCall("delete_commission_rate", {"id": self.rate_id, "version": context.loaded.version})


class SetCommissionBasis(ActWithoutLoad, frozen=True):
    basis: Basis

    def decide(self, context: Context[None]) -> FunctionCall:
        return FunctionCall("set_commission_basis", {"basis": self.basis})


def _document(rate_id: UUID) -> ResponseDocument:
    return ResponseDocument("commission_rate_document", rate_id)


def _check(percent: Decimal) -> None:
    if not 0 <= percent <= 100 or not fits_currency(percent, _DECIMALS):
        raise Problem(RateProblem.WRONG_RATE, "percent")
