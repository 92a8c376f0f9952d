"""Changes of rows that no act of the product makes, or only many acts: each column is given its new value."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from tests.factories.tenant_rows import TenantRows


async def change_row(rows: TenantRows, table: str, id_: UUID | str, **columns: Any) -> None:
    statement = f"UPDATE {table} SET {assignments(columns, 3)} WHERE tenant_id = $1 AND id = $2"
    await rows.sql(statement, id_, *columns.values())


async def change_rows(rows: TenantRows, table: str, **columns: Any) -> None:
    """All rows that the tenant has in the table."""
    await rows.sql(f"UPDATE {table} SET {assignments(columns)} WHERE tenant_id = $1", *columns.values())


async def change_tenant(rows: TenantRows, **columns: Any) -> None:
    await rows.sql(f"UPDATE tenants SET {assignments(columns)} WHERE id = $1", *columns.values())


def assignments(columns: Iterable[str], first: int = 2) -> str:
    """With the values as parameters, from the `first` one on."""
    return ", ".join(f"{name} = ${number}" for number, name in enumerate(columns, first))
