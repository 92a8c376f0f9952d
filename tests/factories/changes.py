"""Changes of rows that no act of the product makes, or only many acts: each column is given its new value."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from tests.factories.tenant_rows import TenantRows


async def change_row(rows: TenantRows, table: str, id_: UUID | str, /, **columns: Any) -> None:
    statement = f"UPDATE {table} SET {assignments(columns, 3)} WHERE tenant_id = $1 AND id = $2"
    await rows.sql(statement, id_, *columns.values())


async def change_rows(rows: TenantRows, table: str, where: Mapping[str, Any] | None = None, /, **columns: Any) -> None:
    """The rows of the tenant that have these values, or all of them."""
    found = where or {}
    statement = f"UPDATE {table} SET {assignments(columns, len(found) + 2)} WHERE {_condition(found)}"
    await rows.sql(statement, *found.values(), *columns.values())


async def change_named(rows: TenantRows, table: str, english: str, /, **columns: Any) -> None:
    """What has this English name."""
    statement = f"UPDATE {table} SET {assignments(columns, 3)} WHERE tenant_id = $1 AND name ->> 'en' = $2"
    await rows.sql(statement, english, *columns.values())


async def age_rows(
    rows: TenantRows, table: str, *columns: str, by: timedelta, where: Mapping[str, Any] | None = None
) -> None:
    """As if what the columns say had happened so much earlier."""
    found = where or {}
    earlier = ", ".join(f"{name} = {name} - ${len(found) + 2}::interval" for name in columns)
    await rows.sql(f"UPDATE {table} SET {earlier} WHERE {_condition(found)}", *found.values(), by)


async def delete_rows(rows: TenantRows, table: str, **where: Any) -> None:
    """The rows of the tenant that have these values, or all of them."""
    await rows.sql(f"DELETE FROM {table} WHERE {_condition(where)}", *where.values())


async def change_tenant(rows: TenantRows, **columns: Any) -> None:
    await rows.sql(f"UPDATE tenants SET {assignments(columns)} WHERE id = $1", *columns.values())


def _condition(columns: Iterable[str]) -> str:
    return " AND ".join(["tenant_id = $1", *(f"{name} = ${number}" for number, name in enumerate(columns, 2))])


def ago(**time: float) -> datetime:
    """`ago(minutes=9)`, or now."""
    return datetime.now(UTC) - timedelta(**time)


def ahead(**time: float) -> datetime:
    return datetime.now(UTC) + timedelta(**time)


def assignments(columns: Iterable[str], first: int = 2) -> str:
    """With the values as parameters, from the `first` one on."""
    return ", ".join(f"{name} = ${number}" for number, name in enumerate(columns, first))
