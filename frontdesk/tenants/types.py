from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from uuid import UUID

import msgspec


class TenantContext(msgspec.Struct, frozen=True):
    """What every request needs to know of the business it is made for."""

    tenant_id: UUID
    timezone: str
    currency: str
    currency_decimals: int
    languages: tuple[str, ...]  # the first is the one that receipts are written in
    grid_minutes: int


class Plan(StrEnum):
    STARTER = "starter"
    PROFESSIONAL = "professional"


class NewTenant(msgspec.Struct, frozen=True):
    name: str
    branch: str  # the store that it begins in
    plan: Plan
    timezone: str
    currency: str
    languages: Sequence[str]


class Tenant(msgspec.Struct, frozen=True):
    """A business as its operator sees it."""

    id: UUID
    name: str
    plan: str
    timezone: str
    currency: str
    languages: list[str]
    is_sandbox: bool
    suspended_at: datetime | None
    created_at: datetime
    suspended_reason: str | None


class TenantStats(msgspec.Struct, frozen=True):
    """How much there is of a business."""

    people: int
    branches: int
    orders: int
    last_order_at: datetime | None
    clients: int  # that may call
