"""Statements for mail about new publications: which were announced, which clients use what, and who gets the mail."""

from collections.abc import Collection, Sequence
from typing import NamedTuple
from uuid import UUID

from frontdesk.postgres.pool import Connection
from frontdesk.webhooks.queries import ClientUses


class UsingClient(NamedTuple):
    id: UUID
    name: str
    application_id: UUID | None
    uses: ClientUses


class Recipient(NamedTuple):
    user_id: UUID
    email: str
    name: str
    language: str


class Business(NamedTuple):
    """To whom the mail about its clients goes."""

    name: str
    people: list[Recipient]


class DevelopedApplication(NamedTuple):
    id: UUID
    name: str
    developer: Recipient


async def list_announced(conn: Connection) -> set[str]:
    return {row["version"] for row in await conn.fetch("SELECT version FROM announced_publications")}


async def mark_announced(conn: Connection, versions: Collection[str]) -> set[str]:
    """Those that no other worker has marked. It waits for one that marks them at the same time."""
    rows = await conn.fetch(
        """
        INSERT INTO announced_publications (version) SELECT v FROM unnest($1::text[]) v ORDER BY v
        ON CONFLICT DO NOTHING RETURNING version
        """,
        list(versions),
    )
    return {row["version"] for row in rows}


async def list_businesses_with_clients(conn: Connection) -> list[UUID]:
    rows = await conn.fetch(
        """
        SELECT n.id FROM tenants n WHERE n.suspended_at IS NULL AND n.deleted_at IS NULL AND EXISTS (
            SELECT FROM api_clients c
            WHERE c.tenant_id = n.id AND c.disabled_at IS NULL AND c.disconnected_at IS NULL)
        """
    )
    return [row["id"] for row in rows]


async def list_using_clients(conn: Connection, tenant_id: UUID) -> list[UsingClient]:
    """Those that have called something, or get events."""
    rows = await conn.fetch(
        """
        SELECT c.id, c.name, i.application_id, u.routes, u.events
        FROM api_clients c
        LEFT JOIN installs i ON i.tenant_id = $1 AND i.id = c.install_id
        CROSS JOIN LATERAL (
            SELECT ARRAY(SELECT o.route FROM used_operations o
                         WHERE o.tenant_id = $1 AND o.caller_id = c.id) AS routes,
                   ARRAY(SELECT DISTINCT e.kind FROM webhooks w, unnest(w.events) AS e (kind)
                         WHERE w.tenant_id = $1 AND w.client_id = c.id AND w.disabled_at IS NULL) AS events) u
        WHERE c.tenant_id = $1 AND c.disabled_at IS NULL AND c.disconnected_at IS NULL
          AND (u.routes <> '{}' OR u.events <> '{}')
        ORDER BY c.created_at, c.id
        """,
        tenant_id,
    )
    return [
        UsingClient(row["id"], row["name"], row["application_id"], ClientUses(row["routes"], row["events"]))
        for row in rows
    ]


async def get_business(conn: Connection, tenant_id: UUID) -> Business:
    rows = await conn.fetch(
        """
        SELECT n.name AS business, u.id, u.email, u.name, u.language
        FROM tenants n
        JOIN memberships m ON m.tenant_id = $1 AND m.role IN ('owner', 'manager')
        JOIN users u ON u.id = m.user_id AND u.disabled_at IS NULL AND u.email_verified_at IS NOT NULL
        WHERE n.id = $1
        """,
        tenant_id,
    )
    people = [Recipient(row["id"], row["email"], row["name"], row["language"]) for row in rows]
    return Business(rows[0]["business"] if rows else "", people)


async def list_developed(conn: Connection, application_ids: Collection[UUID]) -> list[DevelopedApplication]:
    rows = await conn.fetch(
        """
        SELECT a.id, a.name, u.id AS user_id, u.email, u.name AS user_name, u.language
        FROM applications a
        JOIN users u ON u.id = a.developer_id AND u.disabled_at IS NULL AND u.email_verified_at IS NOT NULL
        WHERE a.id = ANY ($1)
        """,
        list(application_ids),
    )
    return [
        DevelopedApplication(
            row["id"], row["name"], Recipient(row["user_id"], row["email"], row["user_name"], row["language"])
        )
        for row in rows
    ]


async def queue_mails(conn: Connection, messages: Sequence[str]) -> None:
    await conn.execute("SELECT queue_account_message(m::jsonb) FROM unnest($1::text[]) m", messages)
