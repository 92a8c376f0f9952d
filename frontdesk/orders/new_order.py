"""What is written for one order: the argument of the database function `create_order`, and its parts."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from uuid import UUID

import msgspec

from frontdesk.availability.types import ProviderChoice
from frontdesk.orders.origins import PriceOrigin
from frontdesk.orders.pricing import Discount
from frontdesk.orders.types import LineType, Source, Status


class NewLine(msgspec.Struct, frozen=True):
    """A line of the new order."""

    id: UUID
    type: LineType
    item_id: UUID | None
    package_id: UUID | None
    option_ids: tuple[UUID, ...]
    option_name: str | None
    staff_id: UUID | None
    name: str
    price: Decimal
    quantity: int
    discount_amount: Decimal
    own_discount: Decimal  # given on this line; the rest is its share of the order's
    total: Decimal
    tax_rate: Decimal
    tax_amount: Decimal
    discountable: bool
    duration: int | None
    priced: PriceOrigin | None = None  # why it costs that; None: as it is stored
    chosen: ProviderChoice | None = None  # why this provider


class StockDeduction(msgspec.Struct, frozen=True):
    """How many units of a product one unit of a line takes."""

    line_id: UUID
    item_id: UUID
    units: int
    quantity: int  # of the line
    option_id: UUID | None = None  # that the units are taken from


class Booking(msgspec.Struct, frozen=True):
    id: UUID
    line_id: UUID
    staff_id: UUID
    item_id: UUID
    start: datetime
    end: datetime
    busy_from: datetime  # with the buffers
    busy_until: datetime
    schedule_version: int  # of the provider: the booking was checked against it
    is_extra: bool = False  # on purpose over another booking, or outside the hours
    chosen: ProviderChoice | None = None  # of a line that exists; a new one has it itself


class Payment(msgspec.Struct, frozen=True):
    id: UUID
    method_id: UUID
    amount: Decimal
    is_deposit: bool
    note: str | None
    reference_number: str | None
    date: datetime
    tendered: Decimal | None = None
    returned_order_id: UUID | None = None  # the earlier sale whose returned lines pay this one


class Tip(msgspec.Struct, frozen=True):
    """Money beside the total of an order."""

    id: UUID
    method_id: UUID
    staff_id: UUID | None  # None: for all
    amount: Decimal


class NewOrder(msgspec.Struct, frozen=True):
    """Everything that is written for one order: the argument of the database function `create_order`."""

    id: UUID
    branch_id: UUID
    customer_id: UUID | None
    status: Status
    source: Source
    currency: str
    decimals: int  # of the currency
    sub_total: Decimal
    discount_amount: Decimal
    total: Decimal
    tax_amount: Decimal
    paid_amount: Decimal
    starts_at: datetime | None
    note: str | None
    discount: Discount | None
    cashier: str | None
    cashier_code: str | None
    lines: list[NewLine]
    bookings: list[Booking]
    stock: list[StockDeduction]
    payments: list[Payment]
    tips: Sequence[Tip] = ()
    series_id: UUID | None = None
    oversell: bool = False
    on_account: bool = False  # the customer owes what is not paid
    hold_id: UUID | None = None  # of the client, which ends
