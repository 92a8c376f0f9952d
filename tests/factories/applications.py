"""Installed applications. tests/support/applications.py develops, submits and installs them through the pages."""

from datetime import UTC, datetime
from uuid import UUID

from frontdesk.values.ids import uuid7
from tests.factories.tenant_rows import TenantRows
from tests.factories.users import make_user


async def make_install(rows: TenantRows) -> UUID:
    """An approved application of a developer without a tenant, installed here."""
    developer_id, application_id = await make_user(rows, None), uuid7()
    await rows.sql(
        """
        INSERT INTO applications (id, developer_id, name, slug, status)
        SELECT $3, $2, 'Books', $4, 'approved' WHERE $1::uuid IS NOT NULL
        """,
        developer_id,
        application_id,
        str(application_id),
    )
    return await install_application(rows, application_id)


async def install_application(rows: TenantRows, application_id: UUID) -> UUID:
    """One that is there already."""
    install_id = uuid7()
    await rows.sql(
        "INSERT INTO installs (tenant_id, id, application_id) VALUES ($1, $2, $3)", install_id, application_id
    )
    return install_id


async def disconnect_installs(rows: TenantRows, *, install_id: UUID | None = None) -> None:
    """One install, or all of the tenant's."""
    await _set_disconnected(rows, datetime.now(UTC), install_id)


async def reconnect_installs(rows: TenantRows) -> None:
    await _set_disconnected(rows, None, None)


async def _set_disconnected(rows: TenantRows, at: datetime | None, install_id: UUID | None) -> None:
    await rows.sql(
        """
        WITH changed AS (
            UPDATE installs SET disconnected_at = $2 WHERE tenant_id = $1 AND id = coalesce($3, id) RETURNING id
        )
        UPDATE api_clients c SET disconnected_at = $2 FROM changed i WHERE c.tenant_id = $1 AND c.install_id = i.id
        """,
        at,
        install_id,
    )


async def make_applications(rows: TenantRows) -> dict[str, UUID]:
    """A draft of the developer whose sandbox this is, which no other user may see; and one that is installed."""
    user_id, draft_id, installed_id, picture_id, install_id, client_id = (uuid7() for _ in range(6))
    await rows.sql(
        """
        WITH person AS (INSERT INTO users (id, email, name)
                       VALUES ($2::uuid, $2::uuid || '@people.example', 'Nora Tester')),
        developer AS (INSERT INTO developers (user_id, name, sandbox_id) VALUES ($2, 'Qabas', $1)),
        apps AS (INSERT INTO applications (id, developer_id, name, slug)
                 SELECT id, $2, 'Books', id::text FROM unnest(ARRAY[$3, $4]::uuid[]) AS id),
        asked AS (INSERT INTO application_scopes (application_id, scope, reason, required)
                  SELECT id, 'orders:read', 'To know what is booked', true FROM unnest(ARRAY[$3, $4]::uuid[]) AS id),
        picture AS (INSERT INTO application_pictures (id, application_id, role, media_type, width, height, alt_text,
                                                      content)
                    VALUES ($5, $3, 'icon', 'image/png', 1, 1, 'A dot', '\\x00')),
        installed AS (INSERT INTO installs (tenant_id, id, application_id) VALUES ($1, $6, $4))
        INSERT INTO api_clients (tenant_id, id, install_id, name, secret_hash, scopes)
        VALUES ($1, $7, $6, 'Books', '\\x00', '{orders:read}')
        """,
        user_id,
        draft_id,
        installed_id,
        picture_id,
        install_id,
        client_id,
    )
    ids = {"application_id": draft_id, "picture_id": picture_id, "install_id": install_id}
    return {**ids, "report_id": await insert_report(rows, draft_id)}


async def insert_report(rows: TenantRows, application_id: UUID) -> UUID:
    """What a business reports to the operator."""
    report_id = uuid7()
    await rows.sql(
        """
        INSERT INTO application_reports (id, application_id, business, reporter, words, created_at)
        SELECT $2, $3, n.name, 'Huda', 'It reads at night', now() FROM tenants n WHERE n.id = $1
        """,
        report_id,
        application_id,
    )
    return report_id


async def forget_vitals(rows: TenantRows, application_id: UUID) -> None:
    """As if they were a day old."""
    await rows.sql("DELETE FROM application_vitals WHERE application_id = $2 AND $1::uuid IS NOT NULL", application_id)
