"""Commission rates. A sale has the rate of its day, so a rate from a later day on changes nothing before."""

from datetime import date
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

from frontdesk.errors import check_version, invalid
from frontdesk.postgres.write import UNIQUE, Call, Lock, Look
from frontdesk.reports.commission_queries import CommissionRate, RateCount, count_rates, get_rate
from frontdesk.values.money import fits_currency

MAX_RATES = 1000
_DECIMALS = 2
_TWICE = {UNIQUE: lambda: invalid({"starts_on": ["There is a rate for this from this day on already."]})}


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


def plan_new_rate(seen: RateCount, rate_id: UUID, new: NewRate) -> Call:
    _check(new)
    if not seen.is_staff:
        raise invalid({"staff": ["Choose a provider."]})
    if not seen.is_item:
        raise invalid({"item": ["Choose a service or a product."]})
    if seen.rates >= MAX_RATES:
        raise invalid({"": [f"A business can have at most {MAX_RATES} commission rates."]})
    return Call("save_commission_rate", {"id": rate_id, **new._asdict()}, errors=_TWICE)


def plan_rate(seen: CommissionRate, version: int, starts_on: date, percent: Decimal) -> Call:
    """Whom and what it is for stays."""
    new = NewRate(seen.staff_id, seen.item_id, starts_on, percent)
    _check(new)
    check_version(version, seen.version, seen.id)
    return Call("save_commission_rate", {"id": seen.id, "version": version, **new._asdict()}, errors=_TWICE)


def plan_rate_deletion(seen: CommissionRate) -> Call:
    return Call("delete_commission_rate", {"id": seen.id, "version": seen.version})


def _check(new: NewRate) -> None:
    if not 0 <= new.percent <= 100 or not fits_currency(new.percent, _DECIMALS):
        raise invalid({"percent": ["Enter a rate between 0 and 100, with at most two decimals."]})
