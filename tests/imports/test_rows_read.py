"""What a part of an import, or of its undo, reads, whatever the statistics of the database say."""

import json
from datetime import UTC, datetime

import pytest

from frontdesk.postgres.pool import Connection
from tests.factories.imports import insert_customer_outcomes, insert_import
from tests.factories.tenant_rows import ConnectionRows
from tests.support.connections import pooled_connection
from tests.support.service import Service

_IMPORTED, _PART = 3000, 100
_READ = """
    SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::integer FROM pg_stat_xact_user_tables
    WHERE relname IN ('customers', 'customer_tags', 'import_outcomes')"""
# Old statistics, which say that there are few customers or few rows of an import, lead to either of these.
_JOINS = {
    "hash": "SET LOCAL enable_nestloop = off",
    "nested": "SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off; SET LOCAL enable_material = off",
}


@pytest.mark.parametrize("joins", _JOINS)
@pytest.mark.parametrize(("outcome", "function"), [("new", "undo_imported_customers"), ("changed", "import_customers")])
async def test_a_part_reads_only_its_own_customers(service: Service, outcome: str, function: str, joins: str) -> None:
    shop, at = await service.new_shop(), datetime.now(UTC)
    import_id = await insert_import(shop)
    argument = json.dumps({"id": str(import_id), "at": at.isoformat(), "first": 1, "last": _PART})
    async with pooled_connection(shop.dsn) as raw:
        transaction = raw.transaction()
        await transaction.start()
        try:
            rows = ConnectionRows(Connection(raw), shop.tenant_id)
            await insert_customer_outcomes(rows, import_id, outcome, _IMPORTED, at)
            await raw.execute(_JOINS[joins])
            before = await raw.fetchval(_READ)
            done = await raw.fetchval(f"SELECT {function}($1, $2::jsonb)", shop.tenant_id, argument)
            read = await raw.fetchval(_READ) - before
        finally:
            await transaction.rollback()
    assert done == _PART
    assert read <= 12 * _PART, read
