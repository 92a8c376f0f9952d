"""An import locks the products that it changes by id, as orders do."""

import asyncio

import pytest

from tests.factories.imports import insert_import, insert_stock_outcomes
from tests.races.fixture import open_race_fixture
from tests.races.unlocked import open_lock_fixture


@pytest.mark.parametrize("function", ["import_items", "import_stock", "undo_imported_items", "undo_imported_stock"])
async def test_products_are_locked_by_id(empty_dsn: str, function: str) -> None:
    """In the order of the rows, an import and an order of the same two products could wait for each other."""
    race = await open_race_fixture(empty_dsn)
    lower, higher = sorted([await race.add_product(stock=9), await race.add_product(stock=9)])
    async with open_lock_fixture(empty_dsn) as locks:
        writer, witness = locks.writers
        import_id = await insert_import(race.shop, "stock", "running")
        await insert_stock_outcomes(race.shop, import_id, [higher, lower])
        argument = f'{{"id": "{import_id}", "first": 1, "last": 1, "at": "2026-01-01", "actor": {{"type": "system"}}}}'
        async with locks.holding("SELECT FROM items WHERE id = $1 FOR NO KEY UPDATE", lower, waiting=1):
            acting = asyncio.create_task(writer.execute(f"SELECT {function}($1, $2::jsonb)", race.tenant_id, argument))
            await locks.until_waiting(1)
            await witness.execute("SELECT FROM items WHERE id = $1 FOR NO KEY UPDATE NOWAIT", higher)
        await acting
