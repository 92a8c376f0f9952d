"""How many records a day an API client may read with a scope, so that a leak stops while it runs."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from math import ceil
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.auth.problems import BudgetProblem, ClientProblem
from frontdesk.postgres.act import Act, Context, FunctionCall
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import Query, found
from frontdesk.problems import Problem
from frontdesk.values.clock import current_time

MAX_PER_DAY = 10_000_000


class ScopeBudget(msgspec.Struct, frozen=True):
    """With what was read today."""

    scope: str
    per_day: int
    extra: int  # allowed in addition today
    used: int
    stopped_at: datetime | None  # the first refusal of today

    @property
    def allowed(self) -> int:
        return self.per_day + self.extra


class SaveScopeBudget(Act[list[str]], frozen=True):
    """Without a number the budget ends."""

    client_id: UUID
    scope: str
    per_day: int | None

    def load(self) -> Query[list[str]]:
        return _approved_scopes(self.client_id)

    def decide(self, context: Context[list[str]]) -> FunctionCall:
        if self.per_day is not None and not is_countable(self.scope, context.loaded):
            raise Problem(ClientProblem.UNKNOWN_SCOPE, "scope", scope=self.scope)
        argument = {"client_id": self.client_id, "scope": self.scope, "per_day": self.per_day}
        return FunctionCall("save_scope_budget", {**argument, "timezone": context.tenant.timezone})


class ExtendScopeBudget(Act[list[str]], frozen=True):
    """For today."""

    client_id: UUID
    scope: str
    more: int

    def load(self) -> Query[list[str]]:
        return _approved_scopes(self.client_id)

    def decide(self, context: Context[list[str]]) -> FunctionCall:
        argument = {"client_id": self.client_id, "scope": self.scope, "more": self.more}
        return FunctionCall("extend_scope_budget", {**argument, "timezone": context.tenant.timezone})


def is_countable(scope: str, approved: list[str]) -> bool:
    """Only reads have a budget: what leaves the business."""
    return scope.endswith(":read") and (scope in approved or "*" in approved)


def list_budgets(client_id: UUID) -> Query[dict[str, ScopeBudget]]:
    return Query(
        """
        SELECT json_agg(json_build_object('scope', b.scope, 'per_day', b.per_day,
            'extra', CASE WHEN b.day = t.day THEN b.extra ELSE 0 END,
            'used', CASE WHEN b.day = t.day THEN b.used ELSE 0 END,
            'stopped_at', CASE WHEN b.day = t.day THEN b.stopped_at END))::text AS document
        FROM scope_budgets b, LATERAL (
            SELECT local_today(n.timezone) AS day FROM tenants n WHERE n.id = $1) t
        WHERE b.tenant_id = $1 AND b.client_id = $2
        """,
        (client_id,),
        _by_scope,
    )


async def charge(conn: Connection, tenant_id: UUID, client_id: UUID, reads: Mapping[str, int]) -> None:
    """Raises if the client may not have so many records of each scope today; then none of them is counted.

    The first refusal of a day is mailed to the owner.
    """
    async with conn.transaction():
        refused = await _count(conn, tenant_id, client_id, sorted(reads.items()))
        if refused is None:
            return
        scope, row = refused
        if row["is_first"]:
            await _tell(conn, tenant_id, client_id, scope, row["allowed"])
    seconds = max(1, ceil((row["resets_at"] - current_time()).total_seconds()))
    numbers = {"allowed": row["allowed"], "used": row["counted"], "records": reads[scope]}
    raise Problem(BudgetProblem.USED_UP, scope=scope, seconds=seconds, **numbers)


async def _count(
    conn: Connection, tenant_id: UUID, client_id: UUID, reads: Sequence[tuple[str, int]]
) -> tuple[str, Record] | None:
    """The first scope that is refused; what was counted before it is taken back, while its rows are still locked."""
    for index, (scope, records) in enumerate(reads):
        row = await conn.fetchrow(_CHARGE, tenant_id, client_id, scope, records)
        if row is not None and row["allowed"] is not None:
            for counted, more in reads[:index]:
                await conn.fetchrow(_CHARGE, tenant_id, client_id, counted, -more)
            return scope, row
    return None


_CHARGE = "SELECT * FROM charge_scope_budget($1, $2, $3, $4)"


async def _tell(conn: Connection, tenant_id: UUID, client_id: UUID, scope: str, allowed: int) -> None:
    """The owners, and the developer of an installed application, who has no page to open. Two statements, because the
    business and the queue may be on different nodes."""
    rows = await conn.fetch(
        """
        SELECT json_build_object('kind', 'budget_used_up', 'email', u.email, 'name', u.name,
            'language', u.language, 'data', json_build_object('business_name', n.name, 'application', c.name,
                'scope', $3::text, 'allowed', $4::integer::text, 'link', CASE WHEN m.user_id IS NULL THEN NULL
                    WHEN i.id IS NULL THEN '/settings/api' ELSE '/settings/applications/installed/' || i.id END)
            )::text AS message
        FROM api_clients c
        JOIN tenants n ON n.id = $1
        LEFT JOIN installs i ON i.tenant_id = $1 AND i.id = c.install_id
        LEFT JOIN applications a ON a.id = i.application_id
        JOIN users u ON u.disabled_at IS NULL AND (u.id = a.developer_id OR u.id IN (
            SELECT o.user_id FROM memberships o WHERE o.tenant_id = $1 AND o.role = 'owner'))
        LEFT JOIN memberships m ON m.tenant_id = $1 AND m.user_id = u.id AND m.role = 'owner'
        WHERE c.tenant_id = $1 AND c.id = $2
        """,
        tenant_id,
        client_id,
        scope,
        allowed,
    )
    messages = [row["message"] for row in rows]
    await conn.execute("SELECT queue_account_message(m::jsonb) FROM unnest($1::text[]) m", messages)


def _approved_scopes(client_id: UUID) -> Query[list[str]]:
    return Query(
        "SELECT scopes FROM api_clients WHERE tenant_id = $1 AND id = $2 AND disconnected_at IS NULL",
        (client_id,),
        found("API client", lambda row: list(row["scopes"])),
    )


def _by_scope(row: Record | None) -> dict[str, ScopeBudget]:
    document = row["document"] if row is not None else None
    budgets = msgspec.json.decode(document, type=list[ScopeBudget]) if document else []
    return {budget.scope: budget for budget in budgets}
