"""The published form of payment methods, which queries.py builds."""

from uuid import UUID

import msgspec

from frontdesk.values.api_types import Localized, Timestamp


class PaymentMethodType(msgspec.Struct):
    id: UUID
    name: str
    slug: str


class PaymentMethod(msgspec.Struct):
    id: UUID
    version: int
    name: Localized
    slug: str
    type: PaymentMethodType
    status: bool
    sort_order: int
    created_at: Timestamp
    updated_at: Timestamp


class CashierOfBusiness(msgspec.Struct):
    """Who sells at the till, by name and code. Not the PIN of a member, which nothing shows."""

    id: UUID
    version: int
    name: str
    code: str
    branch_id: UUID
    status: bool
    created_at: Timestamp
    updated_at: Timestamp
