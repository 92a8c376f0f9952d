"""An import locks the products that it changes by id, as orders do."""

import asyncio
from uuid import UUID, uuid4

import pytest

from frontdesk.postgres.pool import Connection
from tests.races.fixture import RaceFixture, open_race_fixture
from tests.races.unlocked import open_lock_fixture


async def add_import(conn: Connection, race: RaceFixture, products: list[UUID]) -> UUID:
    """An import that changes these products, in the order of its rows."""
    import_id = uuid4()
    await conn.execute(
        """
        INSERT INTO imports (tenant_id, id, kind, file_name, status, branch_id, country, columns, fields, total_rows,
                             last_row, actor, created_by)
        VALUES ($1, $2, 'stock', 'stock.csv', 'running', $3, 'SA', '{}', '{}', 2, 2, '{}', $2)
        """,
        race.tenant_id,
        import_id,
        race.branch_id,
    )
    await conn.execute(
        """
        INSERT INTO import_outcomes (tenant_id, import_id, number, outcome, name, subject_id, seen_at, before, after)
        SELECT $1, $2, p.number, 'changed', 'Soap', i.id, i.updated_at, to_jsonb(i), to_jsonb(i) || '{"stock": 7}'
        FROM unnest($3::uuid[]) WITH ORDINALITY AS p (id, number) JOIN items i ON i.tenant_id = $1 AND i.id = p.id
        """,
        race.tenant_id,
        import_id,
        products,
    )
    return import_id


@pytest.mark.parametrize("function", ["import_items", "import_stock", "undo_imported_items", "undo_imported_stock"])
async def test_products_are_locked_by_id(empty_dsn: str, function: str) -> None:
    """In the order of the rows, an import and an order of the same two products could wait for each other."""
    race = await open_race_fixture(empty_dsn)
    lower, higher = sorted([await race.add_product(stock=9), await race.add_product(stock=9)])
    async with open_lock_fixture(empty_dsn) as locks:
        writer, witness = locks.writers
        import_id = await add_import(locks.command, race, [higher, lower])
        argument = f'{{"id": "{import_id}", "first": 1, "last": 1, "at": "2026-01-01", "actor": {{"type": "system"}}}}'
        async with locks.holding("SELECT FROM items WHERE id = $1 FOR NO KEY UPDATE", lower, waiting=1):
            acting = asyncio.create_task(writer.execute(f"SELECT {function}($1, $2::jsonb)", race.tenant_id, argument))
            await locks.until_waiting(1)
            await witness.execute("SELECT FROM items WHERE id = $1 FOR NO KEY UPDATE NOWAIT", higher)
        await acting
