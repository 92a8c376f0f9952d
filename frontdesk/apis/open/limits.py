import msgspec

from frontdesk.auth.budgets import ScopeBudget, list_budgets
from frontdesk.auth.rate_limit import WINDOW_SECONDS, RateLimitStatus, seconds_until
from frontdesk.exports.create import MAX_OPEN, MAX_STORED, STORED_HOURS as EXPORT_HOURS
from frontdesk.http.body import MAX_BODY_BYTES
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.pagination import DataResponse
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, json_response
from frontdesk.orders.types import MAX_LINES
from frontdesk.postgres.idempotency import STORED_HOURS
from frontdesk.scheduling.hold import HELD_AT_ONCE, HELD_MINUTES, HELD_MINUTES_IN_AN_HOUR, LONGEST_MINUTES
from frontdesk.tenants.quotas import Quota, list_quotas
from frontdesk.values.api_types import Timestamp
from frontdesk.values.pagination import MAX_PER_PAGE
from frontdesk.values.time import format_utc
from frontdesk.webhooks.subscribe import MAX_WEBHOOKS

operations = Endpoints()


class RateLimit(msgspec.Struct):
    limit: int
    remaining: int
    reset: int
    window: int


class QuotaUsage(msgspec.Struct):
    quota: Quota
    used: int
    limit: int


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


_FIXED = FixedLimits(
    per_page=MAX_PER_PAGE,
    body_bytes=MAX_BODY_BYTES,
    order_items=MAX_LINES,
    idempotency_hours=STORED_HOURS,
    webhooks=MAX_WEBHOOKS,
    holds=HoldLimits(HELD_MINUTES, HELD_AT_ONCE, HELD_MINUTES_IN_AN_HOUR, LONGEST_MINUTES),
    exports=ExportLimits(MAX_OPEN, MAX_STORED, EXPORT_HOURS),
)


class ScopeBudgetUsage(msgspec.Struct):
    scope: str
    per_day: int
    extra: int
    used: int
    stopped_at: Timestamp | None


class Limits(msgspec.Struct):
    rate: RateLimit
    quotas: list[QuotaUsage]
    budgets: list[ScopeBudgetUsage]
    fixed: FixedLimits


@operations.get("/limits", response=DataResponse[Limits])
async def get_limits(request: Request) -> Response:
    """Retrieve the limits of this client and its business, and how much of each is used.

    The numbers of `rate` are those of the headers of this response. `quotas` count for the whole business, `budgets`
    for this client until the business's next day. `fixed` is the same for all.
    """
    quotas = await request.fetch(list_quotas())
    caller = request.caller
    budgets = await request.fetch(list_budgets(caller.id)) if caller.budgeted_scopes else {}
    limits = Limits(
        _rate(request.rate),
        [QuotaUsage(use.quota, use.used, use.limit) for use in quotas],
        [_budget(budgets[scope]) for scope in sorted(budgets)],
        _FIXED,
    )
    return json_response(DataResponse(limits))


def _rate(rate: RateLimitStatus | None) -> RateLimit:
    if rate is None:
        raise RuntimeError("the caller is not authenticated yet")
    return RateLimit(rate.limit, rate.remaining, seconds_until(rate.resets_at), WINDOW_SECONDS)


def _budget(budget: ScopeBudget) -> ScopeBudgetUsage:
    stopped_at = None if budget.stopped_at is None else format_utc(budget.stopped_at)
    return ScopeBudgetUsage(budget.scope, budget.per_day, budget.extra, budget.used, stopped_at)
