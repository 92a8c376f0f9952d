"""Which published descriptions of the APIs were announced. They belong to no tenant."""

from collections.abc import Collection

from tests.factories.tenant_rows import TenantRows


async def set_announced(rows: TenantRows, versions: Collection[str]) -> None:
    """These and no others. Without any, the installation is new."""
    await rows.sql("DELETE FROM announced_publications WHERE $1::uuid IS NOT NULL")
    await rows.sql(
        "INSERT INTO announced_publications (version) SELECT unnest($2::text[]) WHERE $1::uuid IS NOT NULL",
        list(versions),
    )
