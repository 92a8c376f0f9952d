"""The published form of payment methods, as the statements of queries.py write it."""

from uuid import UUID

import msgspec


class PaymentMethodType(msgspec.Struct):
    id: UUID
    name: str
    slug: str


class PaymentMethod(msgspec.Struct):
    id: UUID
    name: dict[str, str]
    slug: str
    type: PaymentMethodType
    created_at: str
    updated_at: str
