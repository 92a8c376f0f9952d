"""The published forms of the POS start-up data and of the day close."""

import datetime as dt
from decimal import Decimal
from uuid import UUID

import msgspec

from frontdesk.payments.documents import PaymentMethod
from frontdesk.staff.documents import WorkingHour
from frontdesk.tags.documents import Tag
from frontdesk.tenants.documents import Branch, BranchReference, PriceTax
from frontdesk.values.api_types import Currency, Localized, Timestamp, Url


class PosServiceStaffMember(msgspec.Struct):
    id: UUID
    name: str
    image: Url | None
    price: Decimal
    tax: PriceTax
    duration: int
    branch: BranchReference


class PosCategory(msgspec.Struct):
    id: UUID
    name: Localized
    slug: str
    status: bool
    sort_order: int


class Cashier(msgspec.Struct):
    id: UUID
    name: str
    code: str


class ApiLimits(msgspec.Struct):
    requests_per_minute: int
    per_page: int
    order_lines: int
    payment_methods: int


class PaymentMethodTotals(msgspec.Struct):
    payment_method_id: UUID
    type: str
    paid: Decimal
    refunded: Decimal
    change: Decimal


class CashierTotals(msgspec.Struct):
    cashier: str | None
    sales: int
    sold: Decimal
    refunds: int
    refunded: Decimal
    change: Decimal
    expected_cash: Decimal
    methods: list[PaymentMethodTotals]
    cancellations: int
    canceled: Decimal


class DayClose(msgspec.Struct):
    date: dt.date
    currency: Currency
    cashiers: list[CashierTotals]
    close_number: int | None = None  # of a day that is closed
    closed_at: Timestamp | None = None


class BranchMetadata(msgspec.Struct):
    branch: Branch
    currency: Currency
    currency_decimals: int
    timezone: str
    languages: list[str]
    tax: PriceTax
    payment_methods: list[PaymentMethod]
    categories: list[PosCategory]
    tags: list[Tag]
    working_hour: WorkingHour | None
    cashiers: list[Cashier]
    limits: ApiLimits
    server_time: Timestamp
