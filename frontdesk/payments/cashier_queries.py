"""Statements for cashiers."""

from typing import NamedTuple
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import Query, page, page_of
from frontdesk.problems import not_found, or_not_found
from frontdesk.values.pagination import Page, PageRequest


class CashierRow(msgspec.Struct, frozen=True):
    id: UUID
    name: str
    code: str
    branch_id: UUID
    branch: str
    active: bool
    version: int


class CashierToSave(NamedTuple):
    """What a new or changed cashier must fit."""

    branches: list[UUID]
    cashier: CashierRow | None


_CASHIER = """
    SELECT k.id, k.name, k.code, k.branch_id, b.name AS branch, k.active, k.version
    FROM cashiers k JOIN branches b ON b.tenant_id = $1 AND b.id = k.branch_id WHERE k.tenant_id = $1
"""


async def list_cashiers(conn: Connection, tenant_id: UUID) -> list[CashierRow]:
    rows = await conn.fetch(f"{_CASHIER} ORDER BY k.active DESC, k.name, k.id", tenant_id)
    return [CashierRow(*row) for row in rows]


def published_cashiers(page_request: PageRequest) -> Query[Page]:
    """By name, those who left last."""
    return Query(
        f"""
        SELECT {page_of("cashier_document($1, k.id)", "k.active DESC, k.name, k.id")} AS documents,
               (SELECT count(*) FROM cashiers WHERE tenant_id = $1) AS total
        FROM (SELECT * FROM cashiers WHERE tenant_id = $1 ORDER BY active DESC, name, id OFFSET $2 LIMIT $3) k
        """,
        (page_request.offset, page_request.per_page),
        page,
    )


async def get_cashier(conn: Connection, tenant_id: UUID, cashier_id: UUID) -> CashierRow:
    row = or_not_found(await conn.fetchrow(f"{_CASHIER} AND k.id = $2", tenant_id, cashier_id), "cashier")
    return CashierRow(*row)


def cashier_to_save(cashier_id: UUID | None) -> Query[CashierToSave]:
    """None for a new one."""

    def found(row: Record | None) -> CashierToSave:
        if row is None or (cashier_id is not None and row["cashier"] is None):
            raise not_found("cashier")
        return CashierToSave(row["branches"], msgspec.json.decode(row["cashier"] or "null", type=CashierRow | None))

    sql = f"""
        SELECT (SELECT to_jsonb(c) FROM ({_CASHIER} AND k.id = $2) c)::text AS cashier,
               ARRAY(SELECT b.id FROM branches b WHERE b.tenant_id = $1) AS branches
    """
    return Query(sql, (cashier_id,), found)
