from datetime import date, datetime
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID


class Period(NamedTuple):
    start: datetime
    end: datetime


class OrderTotals(NamedTuple):
    cashier: str | None
    sales: int
    sold: Decimal
    refunds: int
    refunded: Decimal  # negative
    cancellations: int  # of sales of earlier days
    canceled: Decimal  # negative


class MethodTotal(NamedTuple):
    """What one cashier took and gave back by one payment method."""

    cashier: str | None
    method_id: UUID
    type: str
    paid: Decimal
    refunded: Decimal  # negative
    change: Decimal


class NewDayClose(NamedTuple):
    id: UUID
    branch_id: UUID
    day: date
    period: Period
    currency: str
    cashiers: str  # JSON
    closed_at: datetime


class StoredDayClose(NamedTuple):
    number: int
    currency: str
    cashiers: str  # JSON
    ends_at: datetime
    closed_at: datetime
