"""The limits of a client and its business."""

from typing import Literal

import msgspec

Quota = Literal["api_clients", "api_keys", "webhooks", "members", "pending_invitations", "imports", "messages"] | str


class RateLimit(msgspec.Struct):
    limit: int
    remaining: int
    reset: int  # seconds
    window: int  # seconds


class QuotaUsage(msgspec.Struct):
    quota: Quota
    used: int
    limit: int


class ScopeBudgetUsage(msgspec.Struct):
    scope: str
    per_day: int
    extra: int
    used: int
    stopped_at: str | None


class HoldLimits(msgspec.Struct):
    minutes: int
    at_once: int
    minutes_in_an_hour: int
    longest_minutes: int


class ExportLimits(msgspec.Struct):
    open: int
    stored: int
    hours: int


class FixedLimits(msgspec.Struct):
    per_page: int
    body_bytes: int
    order_items: int
    idempotency_hours: int
    webhooks: int
    holds: HoldLimits
    exports: ExportLimits


class Limits(msgspec.Struct):
    rate: RateLimit
    quotas: list[QuotaUsage]
    budgets: list[ScopeBudgetUsage]
    fixed: FixedLimits
