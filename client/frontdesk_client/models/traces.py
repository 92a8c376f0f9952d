"""Why an order costs what it costs."""

from decimal import Decimal
from uuid import UUID

import msgspec

from frontdesk_client.models.orders import ChangedBy, SoldOption
from frontdesk_client.models.payments import PaymentMethodReference
from frontdesk_client.models.values import DiscountKind, OrderItemType, OrderSource, ProviderRule, TraceStepKind


class TraceStep(msgspec.Struct):
    kind: TraceStepKind
    amount: Decimal
    running: Decimal  # after the step


class TracePrices(msgspec.Struct):
    """Of one unit, when the line was priced."""

    catalog: Decimal
    offer: Decimal | None
    option: Decimal | None
    option_offer: Decimal | None
    provider: Decimal | None


class TraceAuthor(msgspec.Struct):
    changed_by: ChangedBy
    at: str


class TraceTax(msgspec.Struct):
    class_id: UUID | None
    rate: Decimal
    amount: Decimal
    on_top: bool | None


class TraceOtherProvider(msgspec.Struct):
    staff_id: UUID
    booked_minutes: int
    price: Decimal | None


class TraceProvider(msgspec.Struct):
    staff_id: UUID
    rule: ProviderRule | None  # None: not recorded
    booked_minutes: int | None
    free_count: int | None
    others: list[TraceOtherProvider]
    changed: TraceAuthor | None


class TracePart(msgspec.Struct):
    """An item of a package, and its share of what the package costs."""

    item_id: UUID
    quantity: int
    price: Decimal
    share: Decimal


class TraceLine(msgspec.Struct):
    line_id: UUID
    refunded_line_id: UUID | None
    item_id: UUID
    name: str
    type: OrderItemType
    quantity: int
    option: SoldOption | None
    prices: TracePrices | None  # None: not recorded
    steps: list[TraceStep]
    priced: TraceAuthor | None
    discounted: TraceAuthor | None
    total: Decimal
    tax: TraceTax
    provider: TraceProvider | None
    package: list[TracePart]


class TraceDiscount(msgspec.Struct):
    """Of the order; the lines share it."""

    kind: DiscountKind
    value: Decimal
    apply_all: bool
    base: Decimal
    amount: Decimal
    changed: TraceAuthor | None


class TraceSettled(msgspec.Struct):
    line_id: UUID
    amount: Decimal


class TracePayment(msgspec.Struct):
    id: UUID
    transaction_no: int
    amount: Decimal
    date: str
    is_deposit: bool
    payment_method: PaymentMethodReference
    returned_order_id: UUID | None
    settles: list[TraceSettled]


class TraceTip(msgspec.Struct):
    amount: Decimal
    staff_id: UUID | None  # None: for all


class TraceRefundLine(msgspec.Struct):
    line_id: UUID
    quantity: int
    amount: Decimal
    tax_amount: Decimal


class TraceRefund(msgspec.Struct):
    order_id: UUID
    order_number: str
    amount: Decimal
    reason: str | None
    created_at: str
    lines: list[TraceRefundLine]


class OrderTrace(msgspec.Struct):
    order_id: UUID
    order_number: str
    parent_id: UUID | None
    source: OrderSource
    created_by: ChangedBy
    created_at: str
    currency: str
    lines: list[TraceLine]
    discount: TraceDiscount | None
    sub_total: Decimal
    discount_amount: Decimal
    total: Decimal
    tax_amount: Decimal
    computed_total: Decimal
    agrees: bool
    payments: list[TracePayment] | None  # None without the scope transactions:read
    tips: list[TraceTip] | None
    refunds: list[TraceRefund]
