"""Installed applications. tests/support/applications.py develops, submits and installs them through the pages."""

from datetime import UTC, datetime
from uuid import UUID

from frontdesk.values.ids import uuid7
from tests.factories.tenant_rows import TenantRows
from tests.factories.users import make_user


async def make_install(rows: TenantRows) -> UUID:
    """An approved application of a developer without a tenant, installed here."""
    developer_id, application_id, install_id = await make_user(rows, None), uuid7(), uuid7()
    await rows.sql(
        """
        WITH application AS (
            INSERT INTO applications (id, developer_id, name, slug, status)
            VALUES ($3, $2, 'Books', $4, 'approved') RETURNING id
        )
        INSERT INTO installs (tenant_id, id, application_id) SELECT $1, $5, id FROM application
        """,
        developer_id,
        application_id,
        str(application_id),
        install_id,
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
