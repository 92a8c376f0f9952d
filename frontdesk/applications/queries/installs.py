"""Queries for installed applications."""

from uuid import UUID

import asyncpg
import msgspec

from frontdesk.applications.problems import InstallProblem
from frontdesk.applications.queries.applications import SEEN
from frontdesk.applications.types import DisconnectImpact, Install
from frontdesk.postgres.pool import Connection
from frontdesk.problems import Problem

# Installed ones, including suspended ones.
_INSTALL = f"""
    SELECT i.id, i.application_id, c.id AS client_id, l.listing ->> 'name' AS name,
           coalesce(d.name, u.name) AS developer, c.scopes, c.secret_version, i.installed_at, i.suspended_at,
           CASE WHEN i.suspended_at IS NOT NULL THEN a.review_reason END AS suspended_for,
           (SELECT max(x.last_used_at) FROM scope_usage x WHERE x.tenant_id = $1
               AND x.caller_id = c.id) AS last_used_at,
           (SELECT (p ->> 'id')::uuid FROM jsonb_array_elements(l.listing -> 'pictures') AS p
            WHERE p ->> 'role' = 'icon' LIMIT 1) AS icon_id, i.version, a.approved_version
    FROM installs i
    JOIN api_clients c ON c.tenant_id = $1 AND c.install_id = i.id
    JOIN applications a ON a.id = i.application_id
    JOIN users u ON u.id = a.developer_id
    LEFT JOIN developers d ON d.user_id = u.id
    {SEEN}
    WHERE i.tenant_id = $1 AND (i.disconnected_at IS NULL OR i.suspended_at IS NOT NULL)"""


async def list_installs(conn: Connection, tenant_id: UUID) -> list[Install]:
    rows = await conn.fetch(f"{_INSTALL} ORDER BY i.installed_at DESC, i.id", tenant_id)
    return [Install(*row) for row in rows]


async def find_install(conn: Connection, tenant_id: UUID, install_id: UUID) -> Install | None:
    row = await conn.fetchrow(f"{_INSTALL} AND i.id = $2", tenant_id, install_id)
    return None if row is None else Install(*row)


async def lock_install(conn: Connection, tenant_id: UUID, install_id: UUID) -> None:
    await conn.execute("SELECT FROM installs WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE", tenant_id, install_id)


async def insert_install(
    conn: Connection,
    tenant_id: UUID,
    install_id: UUID,
    application_id: UUID,
    version: int | None,
    installed_by: UUID | None,
) -> bool:
    """False if the id already exists, because the form was submitted twice."""
    try:
        done = await conn.execute(
            """
            INSERT INTO installs (tenant_id, id, application_id, version, installed_by) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (tenant_id, id) DO NOTHING
            """,
            tenant_id,
            install_id,
            application_id,
            version,
            installed_by,
        )
    except asyncpg.UniqueViolationError as taken:
        raise Problem(InstallProblem.INSTALLED) from taken
    return done == "INSERT 0 1"


async def update_accepted_version(conn: Connection, tenant_id: UUID, install_id: UUID, version: int | None) -> None:
    await conn.execute(
        "UPDATE installs SET version = $3 WHERE tenant_id = $1 AND id = $2", tenant_id, install_id, version
    )


async def update_disconnected(conn: Connection, tenant_id: UUID, install_id: UUID) -> None:
    await conn.execute(
        """
        UPDATE installs SET disconnected_at = least(disconnected_at, now()), suspended_at = NULL
        WHERE tenant_id = $1 AND id = $2
        """,
        tenant_id,
        install_id,
    )
    await conn.execute(
        """
        UPDATE api_clients SET disconnected_at = least(disconnected_at, now())
        WHERE tenant_id = $1 AND install_id = $2
        """,
        tenant_id,
        install_id,
    )


async def find_disconnect_impact(conn: Connection, tenant_id: UUID, install: Install) -> DisconnectImpact:
    row = await conn.fetchrow(
        """
        SELECT (SELECT count(*) FROM access_tokens t WHERE t.tenant_id = $1 AND t.client_id = $2
                  AND t.revoked_at IS NULL AND t.expires_at > now()) AS tokens,
               ARRAY(SELECT w.url FROM webhooks w WHERE w.tenant_id = $1 AND w.client_id = $2
                     AND w.disabled_at IS NULL ORDER BY w.created_at) AS webhooks,
               ARRAY(SELECT m.name::text FROM payment_methods m WHERE m.tenant_id = $1 AND m.install_id = $3
                     AND m.active ORDER BY m.created_at) AS methods
        """,
        tenant_id,
        install.client_id,
        install.id,
    )
    if row is None:
        raise RuntimeError("a statement without FROM gives one row")
    methods = [msgspec.json.decode(name, type=dict[str, str]) for name in row["methods"]]
    return DisconnectImpact(row["tokens"], row["webhooks"], methods)
