from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from uuid import UUID

import msgspec


class Plan(StrEnum):
    STARTER = "starter"
    PROFESSIONAL = "professional"


class NewTenant(msgspec.Struct, frozen=True):
    name: str
    branch: str  # the name of the first branch
    plan: Plan
    timezone: str
    currency: str
    languages: Sequence[str]
    slug: str | None = None  # in the address of its public page; None: made from the name
    country: str | None = None
    signed_up: bool = False  # by its owner


class Tenant(msgspec.Struct, frozen=True):
    """A tenant as operators see it."""

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
    country: str | None = None  # this and the following are read for one tenant only
    slug: str | None = None


class TenantStats(msgspec.Struct, frozen=True):
    """The numbers of a tenant's records."""

    people: int
    branches: int
    orders: int
    last_order_at: datetime | None  # at the time of the machine, as people of other businesses see it
    clients: int  # active ones
