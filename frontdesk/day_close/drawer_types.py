"""A drawer of a branch: what should be in it, and what was counted."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple, Protocol
from uuid import UUID

import msgspec

from frontdesk.day_close.types import MethodTotal, TipTotal
from frontdesk.problems import Problem
from frontdesk.values.money import exact_sum


class MovementKind(StrEnum):
    """What moves cash beside sales; a count moves none."""

    IN = "in"
    OUT = "out"
    SAFE = "safe"
    COUNT = "count"


class DrawerSums(msgspec.Struct, frozen=True):
    """What came into the drawer and left it, since the last close or, if it was not opened, in the part of the day."""

    session_id: UUID | None  # None: it was not opened
    opened_at: datetime | None
    opened_by: str | None
    float_amount: Decimal
    paid: Decimal
    refunded: Decimal  # negative, like all that leaves the drawer
    change: Decimal  # paid out in cash for payments by other methods
    tips: Decimal
    put_in: Decimal
    taken_out: Decimal
    to_safe: Decimal
    paid_before: Decimal = Decimal(0)  # the part of `paid` that was taken before the drawer was opened

    @property
    def expected(self) -> Decimal:
        moved = (self.put_in, self.taken_out, self.to_safe)
        return exact_sum((self.float_amount, self.paid, self.refunded, self.change, self.tips, *moved))


class Takings(Protocol):
    """What a count is compared with: of a day that is closed, or of a shift."""

    @property
    def drawer(self) -> DrawerSums | None: ...
    @property
    def methods(self) -> list[MethodTotal]: ...
    @property
    def tips(self) -> list[TipTotal]: ...


class Count(NamedTuple):
    """The count at the close of a day or of a shift."""

    pieces: Sequence[int] | None  # of each note and coin; None: the currency is counted as one amount
    counted: Decimal | None  # None: the drawer was not counted
    left: Decimal | None  # stays in the drawer; None: all that was counted
    found: Mapping[UUID, Decimal]  # by the payment methods that were counted
    note: str | None
    expected: Decimal | None  # what the form showed
    by_cashier: Mapping[tuple[str | None, UUID], Decimal] = {}  # and payment method, where it was counted
    problems: Sequence[Problem] = ()  # of fields that could not be read, reported with all others


class CashierCount(msgspec.Struct, frozen=True):
    """What a cashier should have taken by one payment method, and what they handed over."""

    cashier: str | None
    payment_method_id: UUID
    type: str
    expected: Decimal
    found: Decimal | None  # None: not counted


class StoredDrawer(msgspec.Struct, frozen=True):
    """The drawer as it is stored with a close."""

    sums: DrawerSums
    expected: Decimal
    session_id: UUID | None = None
    counted: Decimal | None = None
    left: Decimal | None = None
    pieces: list[int] | None = None


class MethodCount(msgspec.Struct, frozen=True):
    """What a payment method should have brought on the day, refunds subtracted, and what was found."""

    payment_method_id: UUID
    type: str
    expected: Decimal
    found: Decimal | None  # None: not counted
