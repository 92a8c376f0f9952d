"""Installed applications. tests/support/applications.py develops, submits and installs them through the pages."""

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
