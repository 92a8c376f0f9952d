"""The quotas of each plan. They stop a program that runs out of control, and do not limit normal use."""

from collections.abc import Mapping
from enum import StrEnum
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import Query
from frontdesk.problems import Problem
from frontdesk.tenants.problems import QuotaProblem
from frontdesk.tenants.quota_queries import count_all, count_used, lock_plan
from frontdesk.tenants.types import Plan


class Quota(StrEnum):
    API_CLIENTS = "api_clients"
    API_KEYS = "api_keys"
    WEBHOOKS = "webhooks"
    MEMBERS = "members"
    PENDING_INVITATIONS = "pending_invitations"
    IMPORTS = "imports"
    MESSAGES = "messages"  # by mail to customers, in 24 hours


_STARTER = {
    Quota.API_CLIENTS: 50,
    Quota.API_KEYS: 100,
    Quota.WEBHOOKS: 200,
    Quota.MEMBERS: 100,
    Quota.PENDING_INVITATIONS: 100,
    Quota.IMPORTS: 20,
    Quota.MESSAGES: 1000,
}
_PROFESSIONAL = {
    Quota.API_CLIENTS: 500,
    Quota.API_KEYS: 500,
    Quota.WEBHOOKS: 2000,
    Quota.MEMBERS: 1000,
    Quota.PENDING_INVITATIONS: 500,
    Quota.IMPORTS: 100,
    Quota.MESSAGES: 10_000,
}
LIMITS: Mapping[Plan, Mapping[Quota, int]] = {Plan.STARTER: _STARTER, Plan.PROFESSIONAL: _PROFESSIONAL}


class QuotaUse(msgspec.Struct, frozen=True):
    quota: Quota
    used: int
    limit: int


async def lock_quotas(conn: Connection, tenant_id: UUID) -> Mapping[Quota, int]:
    """Returns the limits, locked until the transaction ends, so that concurrent inserts cannot exceed them."""
    return LIMITS[Plan(await lock_plan(conn, tenant_id))]


async def require_within(conn: Connection, tenant_id: UUID, limits: Mapping[Quota, int], quota: Quota) -> None:
    """Called after the insert, in the same transaction, which is rolled back if the limit is exceeded."""
    used = await count_used(conn, tenant_id, quota)
    if used > limits[quota]:
        raise _exceeded(quota, limits[quota], used - 1)


def require_room(plan: Plan, quota: Quota, used: int) -> int:
    """Returns the limit, which the insert checks again under the lock."""
    limit = LIMITS[plan][quota]
    if used >= limit:
        raise _exceeded(quota, limit, used)
    return limit


def list_quotas() -> Query[list[QuotaUse]]:
    return count_all(_uses)


def _uses(row: Record) -> list[QuotaUse]:
    limits, used = LIMITS[Plan(row["plan"])], msgspec.json.decode(row["used"], type=dict[Quota, int])
    return [QuotaUse(quota, used[quota], limits[quota]) for quota in Quota]


def _exceeded(quota: Quota, limit: int, used: int) -> Problem:
    return Problem(QuotaProblem[quota.name], limit=limit, used=used)
