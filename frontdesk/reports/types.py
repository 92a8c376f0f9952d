from datetime import date
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

Names = dict[str, str]  # by language
NOBODY = UUID(int=0)  # in place of a staff member or an application that there is none of


class Span(NamedTuple):
    """The days to read: those before the first are only compared with."""

    compared_from: date
    first: date
    last: date
    branch_id: UUID | None


class DaySales(NamedTuple):
    day: date
    kind: str  # sale, cancellation, refund, canceled_refund or change
    orders: int
    total: Decimal
    tax: Decimal
    discount: Decimal


class ItemSales(NamedTuple):
    names: Names
    type: str  # service, product or package
    category: Names | None
    quantity: int
    total: Decimal
    tax: Decimal
    before: Decimal  # the total of the days that are compared with


class StaffSales(NamedTuple):
    staff_id: UUID
    name: str | None
    quantity: int
    total: Decimal
    tax: Decimal
    before: Decimal


class SourceSales(NamedTuple):
    source: str
    client: str | None  # the name of the application, or of the API client
    orders: int
    total: Decimal
    tax: Decimal
    before: Decimal


class TaxSales(NamedTuple):
    rate: Decimal
    total: Decimal
    tax: Decimal
    before: Decimal  # the tax


class MethodPayments(NamedTuple):
    names: Names
    payments: int
    paid: Decimal
    refunded: Decimal
    before: Decimal  # paid less refunded


class StaffTips(NamedTuple):
    name: str | None
    tips: int
    amount: Decimal
    before: Decimal


class CustomerCount(NamedTuple):
    new: int
    returning: int


class StockOfItem(NamedTuple):
    names: Names
    stock: int | None  # at the end of the last day; None: not counted
    cost: Decimal | None
    sold: int
    returned: int
    delivered: int
    corrected: int
    lost: int
    opened: int


class StaffCommission(NamedTuple):
    staff_id: UUID
    name: str
    names: Names  # of the item
    percent: Decimal
    base: Decimal  # what was sold, without tax
    commission: Decimal
    before: Decimal  # the commission of the days that are compared with


class Cancellations(NamedTuple):
    """Appointments of a provider that were canceled because the customer did not come."""

    name: str | None
    no_shows: int
    total: Decimal
