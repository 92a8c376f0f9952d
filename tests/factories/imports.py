"""Imports that were uploaded and checked, and the rows of their files."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from frontdesk.values.ids import uuid7
from tests.factories.tenant_rows import TenantRows


async def insert_import(rows: TenantRows, kind: str = "customers", status: str = "checked") -> UUID:
    import_id = uuid7()
    await rows.sql(
        """
        INSERT INTO imports (tenant_id, id, kind, file_name, status, branch_id, country, columns, fields, total_rows,
                             last_row, new_rows, actor, created_by)
        SELECT $1, $2, $3, 'people.csv', $4, id, 'SA', '{Name}', '{full_name}', 1, 2, 1,
               '{"type": "system"}', gen_random_uuid()
        FROM branches WHERE tenant_id = $1 LIMIT 1
        """,
        import_id,
        kind,
        status,
    )
    return import_id


async def insert_customer_outcomes(rows: TenantRows, import_id: UUID, outcome: str, count: int, at: datetime) -> None:
    """Rows of the file, each with a customer that was last changed then."""
    await rows.sql(
        """
        WITH rows AS (SELECT n, gen_random_uuid() AS id FROM generate_series(1, $4::integer) n), people AS (
            INSERT INTO customers (tenant_id, id, first_name, name_search, created_at, updated_at)
            SELECT $1, id, 'Sara', 'sara', $5, $5 FROM rows)
        INSERT INTO import_outcomes (tenant_id, import_id, number, outcome, name, subject_id, seen_at, after)
        SELECT $1, $2, n, $3, 'Sara', id, $5, '{"first_name": "Sara", "name_search": "sara", "type": "individual",
            "city": "Riyadh", "tags": {}}' FROM rows
        """,
        import_id,
        outcome,
        count,
        at,
    )


async def insert_stock_outcomes(rows: TenantRows, import_id: UUID, product_ids: Sequence[UUID]) -> None:
    """Rows of the file in this order, each changes the stock of a product to 7."""
    await rows.sql(
        """
        INSERT INTO import_outcomes (tenant_id, import_id, number, outcome, name, subject_id, seen_at, before, after)
        SELECT $1, $2, p.number, 'changed', 'Soap', i.id, i.updated_at, to_jsonb(i), to_jsonb(i) || '{"stock": 7}'
        FROM unnest($3::uuid[]) WITH ORDINALITY AS p (id, number) JOIN items i ON i.tenant_id = $1 AND i.id = p.id
        """,
        import_id,
        product_ids,
    )
