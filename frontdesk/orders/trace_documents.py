"""The published form of the trace of an order: why each line costs what it costs, and what settled it."""

from decimal import Decimal
from typing import Literal
from uuid import UUID

import msgspec

from frontdesk.availability.types import ProviderRule
from frontdesk.orders.documents import PaymentMethodReference, SoldOption
from frontdesk.orders.types import Source
from frontdesk.values.api_types import Currency, LocalDateTime, NumberString, Timestamp
from frontdesk.webhooks.payloads import ChangedBy

StepKind = Literal[
    "catalog",
    "offer",
    "option",
    "option_offer",
    "provider",
    "tax_on_top",
    "given",
    "not_recorded",
    "quantity",
    "line_discount",
    "discount_share",
]


class TraceStep(msgspec.Struct):
    """What a step adds, and the amount after it."""

    kind: StepKind
    amount: Decimal
    running: Decimal


class TracePrices(msgspec.Struct):
    """All prices of one unit that applied when the line was priced, before tax that comes on top."""

    catalog: Decimal
    offer: Decimal | None
    option: Decimal | None
    option_offer: Decimal | None
    provider: Decimal | None


class TraceAuthor(msgspec.Struct):
    """Who has changed a part of the order, and when."""

    changed_by: ChangedBy
    at: Timestamp


class TraceTax(msgspec.Struct):
    """The tax that is contained in the total of a line. It is rounded half up, for each line."""

    class_id: UUID | None
    rate: Decimal
    amount: Decimal
    on_top: bool | None


class TraceOtherProvider(msgspec.Struct):
    """One who was free too."""

    staff_id: UUID
    booked_minutes: int
    price: Decimal | None


class TraceProvider(msgspec.Struct):
    """Who performs a line, and by which rule they were chosen."""

    staff_id: UUID
    rule: ProviderRule | None
    booked_minutes: int | None
    free_count: int | None
    others: list[TraceOtherProvider]
    changed: TraceAuthor | None


class TracePart(msgspec.Struct):
    """An item of a package, and its share of what the package costs, by the prices of the items alone."""

    item_id: UUID
    quantity: int
    price: Decimal
    share: Decimal


class TraceLine(msgspec.Struct):
    line_id: UUID
    refunded_line_id: UUID | None
    item_id: UUID
    name: str
    type: Literal["service", "product", "package"]
    quantity: int
    option: SoldOption | None
    prices: TracePrices | None
    steps: list[TraceStep]
    priced: TraceAuthor | None
    discounted: TraceAuthor | None
    total: Decimal
    tax: TraceTax
    provider: TraceProvider | None
    package: list[TracePart]


class TraceDiscount(msgspec.Struct):
    """The discount of the order. Its amount is shared by the largest remainder; the earlier line wins a tie."""

    kind: Literal["percentage", "fixed"]
    value: Decimal
    apply_all: bool
    base: Decimal
    amount: Decimal
    changed: TraceAuthor | None


class TraceSettled(msgspec.Struct):
    """A part of a line that a payment settles. Payments settle the lines in their order."""

    line_id: UUID
    amount: Decimal


class TracePayment(msgspec.Struct):
    id: UUID
    transaction_no: int
    amount: Decimal
    date: LocalDateTime
    is_deposit: bool
    payment_method: PaymentMethodReference
    returned_order_id: UUID | None
    settles: list[TraceSettled]


class TraceTip(msgspec.Struct):
    """Money beside the total."""

    amount: Decimal
    staff_id: UUID | None


class TraceRefundLine(msgspec.Struct):
    line_id: UUID
    quantity: int
    amount: Decimal
    tax_amount: Decimal


class TraceRefund(msgspec.Struct):
    order_id: UUID
    order_number: NumberString
    amount: Decimal
    reason: str | None
    created_at: Timestamp
    lines: list[TraceRefundLine]


class OrderTrace(msgspec.Struct):
    order_id: UUID
    order_number: NumberString
    parent_id: UUID | None
    source: Source
    created_by: ChangedBy
    created_at: Timestamp
    currency: Currency
    lines: list[TraceLine]
    discount: TraceDiscount | None
    sub_total: Decimal
    discount_amount: Decimal
    total: Decimal
    tax_amount: Decimal
    computed_total: Decimal
    agrees: bool
    payments: list[TracePayment] | None
    tips: list[TraceTip] | None
    refunds: list[TraceRefund]
