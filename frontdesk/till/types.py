from decimal import Decimal
from typing import NamedTuple
from uuid import UUID


class SaleTotal(NamedTuple):
    cashier: str | None
    sales: int
    sold: Decimal
    refunds: int
    refunded: Decimal  # negative


class MethodTotal(NamedTuple):
    """What one cashier took and gave back by one payment method."""

    cashier: str | None
    method_id: UUID
    type: str
    paid: Decimal
    refunded: Decimal  # negative
    change: Decimal
