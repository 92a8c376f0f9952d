from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Literal, NamedTuple
from uuid import UUID

import msgspec

from frontdesk.orders.pricing import Discount

MAX_LINES = 100  # of one order
MAX_PAYMENTS = 20  # of one sale


class Status(StrEnum):
    DRAFT = "draft"
    CONFIRMED = "confirmed"
    IN_PROGRESS = "in-progress"
    COMPLETED = "completed"
    CANCELED = "canceled"


class LineType(StrEnum):
    SERVICE = "service"
    PRODUCT = "product"
    PACKAGE = "package"


class Source(StrEnum):
    API = "api"
    POS = "pos"
    DASHBOARD = "dashboard"
    ONLINE = "online"


class Cashier(NamedTuple):
    """The cashier as the POS client sent it."""

    name: str | None = None
    code: str | None = None


NO_CASHIER = Cashier()  # not sold through the POS API


class OrderLineRequest(NamedTuple):
    item_id: UUID
    type: LineType
    quantity: int
    staff_id: UUID | None = None
    unit_amount: Decimal | None = None
    discount_amount: Decimal = Decimal(0)
    option_ids: tuple[UUID, ...] = ()
    discountable: bool = False  # whether the discount of the order applies
    client_total: Decimal | None = None  # unit amount × quantity, as the client computed it
    tax_rate: Decimal | None = None  # of a line that was sold before; None: the rate of today


class PaymentRequest(NamedTuple):
    amount: Decimal
    method_id: UUID | None
    method_type: str | None
    reference_number: str | None
    date: datetime | None
    note: str | None
    tendered: Decimal | None = None  # the cash received; the difference is change


class ClientTotals(NamedTuple):
    """The totals that the client computed, to be compared with ours."""

    sub_total: Decimal
    total: Decimal


class OrderRequest(NamedTuple):
    """An order as it is requested: well formed, and not yet checked against the catalog.

    Times without an offset are local times of the tenant.
    """

    branch_id: UUID | None  # None: the branch of the items
    customer_id: UUID | None
    start: datetime | None
    lines: list[OrderLineRequest]
    note: str | None
    payments: Sequence[PaymentRequest]
    source: Source
    requires_booking: bool = True  # False: services without a start are sold without a booking
    draft: bool = False
    discount: Discount | None = None
    client_totals: ClientTotals | None = None
    cashier: Cashier = NO_CASHIER
    oversell: bool = False  # whether more may be sold than there is in stock, which is then recorded
    hold_id: UUID | None = None  # of the time that the client holds for it

    @property
    def has_time_without_services(self) -> bool:
        """A time that no provider is booked for, such as when products are fetched."""
        services = any(line.type is LineType.SERVICE for line in self.lines)
        return self.start is not None and not self.draft and not services


class DraftStock(msgspec.Struct, frozen=True):
    """What a line that holds nothing yet needs of one product."""

    line_id: UUID
    item_id: UUID
    units: int  # of the whole line
    option_ids: tuple[UUID, ...]  # that a product line names, or that it held before it was canceled


class DraftService(msgspec.Struct, frozen=True):
    """A service line that holds no time, and who could perform it."""

    line_id: UUID
    item_id: UUID
    staff_id: UUID | None  # who is named, or was booked before the order was canceled
    minutes: int | None  # as they were booked
    candidates: dict[UUID, int]  # minutes by provider, as of today
    buffer_before: int
    buffer_after: int

    @property
    def named(self) -> dict[UUID, int]:
        """The candidates that the line allows."""
        return {i: n for i, n in self.candidates.items() if self.staff_id in (None, i)}


class ScheduledService(msgspec.Struct, frozen=True):
    """A service line with its booking, and who could perform it."""

    booking_id: UUID
    line_id: UUID
    item_id: UUID
    staff_id: UUID
    held: list[tuple[datetime, datetime]]  # the time that becomes free if it is moved
    minutes: int  # of the whole line, as it was booked
    candidates: dict[UUID, int]  # minutes by provider, as of today
    same_price: list[UUID]  # of the candidates: those who cost as much as the one who is booked
    buffer_before: int
    buffer_after: int


class OrderState(NamedTuple):
    """The properties of an order that decide which changes are allowed."""

    id: UUID
    version: int  # changes with every write
    status: Status
    branch_id: UUID
    customer_id: UUID | None
    parent_id: UUID | None
    currency: str
    total: Decimal
    paid_amount: Decimal
    refunded_amount: Decimal
    payment_status: str
    starts_at: datetime | None
    first_booking_at: datetime | None  # of the bookings that hold time
    has_bookings: bool  # whether they hold time or not
    invoiced: bool
    refunded: bool
    on_account: bool = False  # the customer owes the rest

    @property
    def holds_time_and_stock(self) -> bool:
        return self.status not in (Status.DRAFT, Status.CANCELED)

    @property
    def remaining(self) -> Decimal:
        return max(self.total - self.paid_amount, Decimal(0))


class Notice(msgspec.Struct, frozen=True):
    """A message to the customer that a person at the desk can send or leave out."""

    by: Literal["email", "phone"]  # by phone an application sends it
    usual: bool  # whether the business sends it by itself
