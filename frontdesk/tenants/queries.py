from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

import msgspec

from frontdesk.postgres.changes import list_order
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import Query, page, page_of
from frontdesk.problems import not_found
from frontdesk.tenants.types import Plan, Tenant, TenantStats
from frontdesk.values.actor import Actor
from frontdesk.values.pagination import ChangesSince, Page, PageRequest

_encode = msgspec.json.Encoder(enc_hook=str).encode


def list_branches(page_request: PageRequest, since: ChangesSince | None = None) -> Query[Page]:
    """Newest first."""
    order = list_order(since, "created_at DESC, id DESC", first=4)
    source = f"FROM branches WHERE tenant_id = $1{order.where}"
    return Query(
        f"""
        SELECT {page_of("branch_json(b)", order.of("b"))} AS documents, (SELECT count(*) {source}) AS total
        FROM (SELECT * {source} ORDER BY {order.forward} OFFSET $2 LIMIT $3) b
        """,
        (page_request.offset, page_request.per_page, *order.values),
        page,
        is_late=since is None,
    )


async def list_branch_names(conn: Connection, tenant_id: UUID) -> list[tuple[UUID, str]]:
    """For a selection list."""
    rows = await conn.fetch("SELECT id, name FROM branches WHERE tenant_id = $1 ORDER BY name, id", tenant_id)
    return [(row["id"], row["name"]) for row in rows]


async def taken_slugs(conn: Connection, slugs: Sequence[str]) -> set[str]:
    """Also the earlier slugs of a tenant, and those of deleted tenants."""
    rows = await conn.fetch("SELECT slug FROM tenant_slugs WHERE slug = ANY($1)", slugs)
    return {row["slug"] for row in rows}


# The number of rows that `add_row_count` maintains.
COUNTED_ROWS = "coalesce((SELECT value FROM tenant_counters WHERE tenant_id = $1 AND name = 'rows:{}'), 0)"


async def list_tenants(conn: Connection) -> list[Tenant]:
    rows = await conn.fetch(
        """
        SELECT id, name, plan, timezone, currency, languages, is_sandbox, suspended_at, created_at, suspended_reason
        FROM tenants WHERE deleted_at IS NULL ORDER BY created_at, id
        """
    )
    return [Tenant(*row) for row in rows]


_MATCHING = """deleted_at IS NULL AND (position(lower($1::text) IN lower(name) || ' ' || id::text) > 0
        OR EXISTS (SELECT FROM tenant_slugs s WHERE s.tenant_id = n.id AND position(lower($1) IN s.slug) > 0))"""


async def search_tenants(conn: Connection, text: str, page_request: PageRequest) -> tuple[list[Tenant], int]:
    """Tenants whose name, name in web addresses or id contains the text, newest first, and their number."""
    total = await conn.fetchval(f"SELECT count(*) FROM tenants n WHERE {_MATCHING}", text)
    rows = await conn.fetch(
        f"""
        SELECT id, name, plan, timezone, currency, languages, is_sandbox, suspended_at, created_at, suspended_reason
        FROM tenants n WHERE {_MATCHING} ORDER BY created_at DESC, id DESC OFFSET $2 LIMIT $3
        """,
        text,
        page_request.offset,
        page_request.per_page,
    )
    return [Tenant(*row) for row in rows], total


async def get_tenant(conn: Connection, tenant_id: UUID) -> tuple[Tenant, TenantStats]:
    """A tenant with its statistics."""
    row = await conn.fetchrow(
        """
        SELECT n.id, n.name, n.plan, n.timezone, n.currency, n.languages, n.is_sandbox, n.suspended_at, n.created_at,
               n.suspended_reason, n.country,
               (SELECT s.slug FROM tenant_slugs s WHERE s.tenant_id = n.id AND s.is_current),
               (SELECT count(*) FROM memberships m WHERE m.tenant_id = n.id),
               (SELECT count(*) FROM branches b WHERE b.tenant_id = n.id),
               coalesce((SELECT value FROM tenant_counters c WHERE c.tenant_id = n.id AND c.name = 'order_number'), 0),
               (SELECT max(created_at) - make_interval(secs => coalesce(n.clock_ahead, 0))
                   FROM orders o WHERE o.tenant_id = n.id),
               (SELECT count(*) FROM api_clients a WHERE a.tenant_id = n.id AND a.disabled_at IS NULL)
        FROM tenants n WHERE n.id = $1 AND n.deleted_at IS NULL
        """,
        tenant_id,
    )
    if row is None:
        raise not_found("business")
    return Tenant(*row[:12]), TenantStats(*row[12:])


async def insert_tenant(conn: Connection, tenant_id: UUID, argument: Mapping[str, Any]) -> None:
    await conn.execute("SELECT create_tenant($1, $2::jsonb)", tenant_id, _encode(argument).decode())


async def update_plan(conn: Connection, tenant_id: UUID, plan: Plan, *, before: str) -> bool:
    """False if the plan is not the one before any more."""
    return await conn.execute_one(
        """
        UPDATE tenants SET plan = p.code, open_api = p.open_api, updated_at = now() FROM plans p
        WHERE tenants.id = $1 AND tenants.deleted_at IS NULL AND tenants.plan = $3 AND p.code = $2
        """,
        tenant_id,
        plan,
        before,
    )


async def update_factor_rule(conn: Connection, tenant_id: UUID, *, required: bool) -> str | None:
    """The name of the business; None if nothing changes."""
    name: str | None = await conn.fetchval(
        """
        UPDATE tenants SET requires_second_factor = $2, updated_at = now()
        WHERE id = $1 AND requires_second_factor <> $2 RETURNING name
        """,
        tenant_id,
        required,
    )
    return name


async def update_suspended(conn: Connection, tenant_id: UUID, *, suspended: bool, reason: str | None = None) -> bool:
    """Suspending a suspended tenant changes the reason, not the time."""
    suspended_at = "least(suspended_at, now())" if suspended else "NULL"
    return await conn.execute_one(
        f"""
        UPDATE tenants SET suspended_at = {suspended_at},
            suspended_reason = CASE WHEN $2 THEN coalesce($3, suspended_reason) END, updated_at = now()
        WHERE id = $1 AND deleted_at IS NULL
        """,
        tenant_id,
        suspended,
        reason,
    )


async def mark_deleted(conn: Connection, tenant_id: UUID, name: str, actor: Actor) -> None:
    argument = _encode({"name": name, "actor": actor._asdict()}).decode()
    await conn.execute("SELECT delete_tenant($1, $2::jsonb)", tenant_id, argument)


async def exists_tenant(conn: Connection, tenant_id: UUID) -> bool:
    found: bool = await conn.fetchval(
        "SELECT EXISTS (SELECT FROM tenants WHERE id = $1 AND deleted_at IS NULL)", tenant_id
    )
    return found


async def exists_any_tenant(conn: Connection) -> bool:
    """Whether the database is in use."""
    found: bool = await conn.fetchval("SELECT EXISTS (SELECT true FROM tenants)")
    return found
