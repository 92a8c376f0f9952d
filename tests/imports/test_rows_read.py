"""What a part of an import, or of its undo, reads, whatever the statistics of the database say."""

import json
from datetime import UTC, datetime

import pytest

from tests.factories.imports import insert_import
from tests.support.connections import pooled_connection
from tests.support.service import Service

_IMPORTED, _PART = 3000, 100
_INSERT = """
    WITH rows AS (SELECT n, gen_random_uuid() AS id FROM generate_series(1, $3::integer) n), people AS (
        INSERT INTO customers (tenant_id, id, first_name, name_search, created_at, updated_at)
        SELECT $1, id, 'Sara', 'sara', $4, $4 FROM rows)
    INSERT INTO import_outcomes (tenant_id, import_id, number, outcome, name, subject_id, seen_at, after)
    SELECT $1, $2, n, $5, 'Sara', id, $4,
        '{"first_name": "Sara", "name_search": "sara", "type": "individual", "city": "Riyadh", "tags": {}}' FROM rows"""
_READ = """
    SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::integer FROM pg_stat_xact_user_tables
    WHERE relname IN ('customers', 'customer_tags', 'import_outcomes')"""


@pytest.mark.parametrize(("outcome", "function"), [("new", "undo_imported_customers"), ("changed", "import_customers")])
async def test_a_part_reads_only_its_own_customers(service: Service, outcome: str, function: str) -> None:
    shop, at = await service.new_shop(), datetime.now(UTC)
    import_id = await insert_import(shop)
    argument = json.dumps({"id": str(import_id), "at": at.isoformat(), "first": 1, "last": _PART})
    async with pooled_connection(shop.dsn) as raw:
        transaction = raw.transaction()
        await transaction.start()
        try:
            await raw.execute(_INSERT, shop.tenant_id, import_id, _IMPORTED, at, outcome)
            # Old statistics, which say that there are few customers, lead to the same joins.
            await raw.execute("SET LOCAL enable_nestloop = off")
            before = await raw.fetchval(_READ)
            done = await raw.fetchval(f"SELECT {function}($1, $2::jsonb)", shop.tenant_id, argument)
            read = await raw.fetchval(_READ) - before
        finally:
            await transaction.rollback()
    assert done == _PART
    assert read <= 12 * _PART, read
