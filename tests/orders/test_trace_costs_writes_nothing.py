"""Where prices come from and why a provider was chosen is stored by the statements that write the lines anyway."""

import json
from collections import Counter
from typing import Any

import msgspec

from frontdesk.orders.create import CreateOrder
from frontdesk.orders.types import LineType, OrderLineRequest, OrderRequest, Source
from frontdesk.postgres.act import Context
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.values.actor import SYSTEM
from tests.support.branch import BranchFixture, day, local, open_branch
from tests.support.connections import pooled_connection
from tests.support.service import Service

_WRITE = "SELECT create_order($1, $2::text::jsonb)"
_ROWS = """
    SELECT schemaname, relname, n_tup_ins, n_tup_upd FROM pg_stat_xact_all_tables
    WHERE n_tup_ins + n_tup_upd > 0 ORDER BY schemaname, relname"""
_TRACE = ("priced", "chosen")
_MAX_BYTES = 450  # of a line whose provider was chosen among several


async def test_a_write_with_the_trace_writes_no_more_rows(service: Service) -> None:
    branch = await open_branch(await service.new_shop())
    async with pooled_connection(branch.shop.dsn) as raw:
        conn = Connection(raw)
        argument = await _new_order(conn, branch)
        assert all(line["priced"] and line["chosen"] for line in argument["lines"])
        lines = [{key: value for key, value in line.items() if key not in _TRACE} for line in argument["lines"]]
        rows = await _rows_of(conn, branch, argument)
        assert ("public", "order_lines", 2, 0) in rows
        assert rows == await _rows_of(conn, branch, {**argument, "lines": lines})
        assert all(len(json.dumps([line[key] for key in _TRACE])) < _MAX_BYTES for line in argument["lines"])


async def _new_order(conn: Connection, branch: BranchFixture) -> dict[str, Any]:
    """The argument of `create_order` for two services by anyone."""
    cut = await branch.add_service()
    for _ in range(4):
        await branch.add_provider(cut)
    lines = [OrderLineRequest(cut, LineType.SERVICE, 1)] * 2
    at = local(day(3), "10:00")
    act = CreateOrder(OrderRequest(branch.branch_id, branch.customer_id, at, lines, None, [], Source.API))
    tenant = await branch.shop.tenant()
    loaded = await fetch(conn, tenant.tenant_id, act.load())
    written: dict[str, Any] = json.loads(msgspec.json.encode(act.decide(Context(tenant, SYSTEM, loaded)).argument))
    return {**written, "actor": {"type": "system", "id": None}}


async def _rows_of(conn: Connection, branch: BranchFixture, argument: dict[str, Any]) -> set[tuple[Any, ...]]:
    """How many rows of each table the function writes, with those of values that are stored aside; nothing stays."""
    transaction = conn.transaction()
    await transaction.start()
    before = await _counts(conn)
    await conn.fetchval(_WRITE, branch.shop.tenant_id, json.dumps(argument))
    after = await _counts(conn)
    await transaction.rollback()
    added = {table: counts - before.get(table, Counter()) for table, counts in after.items()}
    return {(*table, counts["inserted"], counts["updated"]) for table, counts in added.items() if counts}


async def _counts(conn: Connection) -> dict[tuple[str, str], Counter[str]]:
    """Of the connection, with what earlier transactions have not reported yet."""
    return {
        (row["schemaname"], row["relname"]): Counter(inserted=row["n_tup_ins"], updated=row["n_tup_upd"])
        for row in await conn.fetch(_ROWS)
    }
