"""Imports that were uploaded and checked."""

from uuid import UUID

from frontdesk.values.ids import uuid7
from tests.support.shop import Shop


async def insert_import(shop: Shop) -> UUID:
    import_id = uuid7()
    await shop.sql(
        """
        INSERT INTO imports (tenant_id, id, kind, file_name, status, branch_id, country, columns, fields, total_rows,
                             last_row, new_rows, actor, created_by)
        SELECT $1, $2, 'customers', 'people.csv', 'checked', id, 'SA', '{Name}', '{full_name}', 1, 2, 1,
               '{"type": "system"}', gen_random_uuid()
        FROM branches WHERE tenant_id = $1 LIMIT 1
        """,
        import_id,
    )
    return import_id
