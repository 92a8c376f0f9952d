from collections.abc import Sequence
from datetime import UTC, datetime
from enum import StrEnum
from uuid import UUID

import msgspec

from frontdesk.problems import Problem, SharedProblem
from frontdesk.values.time import SkippedLocalTimeError, get_zone, to_instant


class TenantContext(msgspec.Struct, frozen=True):
    """The settings of the tenant that every request needs."""

    tenant_id: UUID
    timezone: str
    currency: str
    currency_decimals: int
    languages: tuple[str, ...]  # receipts use the first one
    grid_minutes: int

    def to_utc(self, moment: datetime, *at: str | int) -> datetime:
        """Without an offset the value is a local time; the first instant if the local time occurs twice."""
        if moment.tzinfo is not None:
            return moment.astimezone(UTC)
        try:
            return to_instant(moment, get_zone(self.timezone))
        except SkippedLocalTimeError:
            raise Problem(SharedProblem.SKIPPED_TIME, *at) from None


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
    last_order_at: datetime | None
    clients: int  # active ones
