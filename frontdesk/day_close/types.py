from datetime import datetime
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

from frontdesk.day_close.documents import CashierTotals


class OrderTotals(NamedTuple):
    cashier: str | None
    sales: int
    sold: Decimal
    refunds: int
    refunded: Decimal  # negative
    cancellations: int  # of sales of earlier days
    canceled: Decimal  # negative


class MethodTotal(NamedTuple):
    """What one cashier received and refunded by one payment method."""

    cashier: str | None
    method_id: UUID
    type: str
    paid: Decimal
    refunded: Decimal  # negative
    change: Decimal


class TipTotal(NamedTuple):
    """What one cashier took as tips by one payment method."""

    cashier: str | None
    method_id: UUID
    type: str
    amount: Decimal


class PaidBack(NamedTuple):
    """A refund of the day, by any payment method."""

    order_id: UUID
    order_number: int
    method_id: UUID
    cashier: str | None
    at: datetime
    amount: Decimal  # negative


class StoredDayClose(NamedTuple):
    """One close of a day, which may have several."""

    id: UUID
    number: int
    currency: str
    cashiers: list[CashierTotals]
    starts_at: datetime
    ends_at: datetime
    closed_at: datetime
