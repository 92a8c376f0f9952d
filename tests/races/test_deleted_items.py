"""An item is deleted while it is ordered: the order is refused."""

import asyncio
from typing import Any

import pytest

from tests.support.branch import day, line, open_branch, start
from tests.support.connections import pooled_connection
from tests.support.service import Service
from tests.support.waiting import eventually


@pytest.mark.parametrize("kind", ["service", "package"])
async def test_an_order_of_what_is_deleted_at_that_moment_is_refused(service: Service, kind: str) -> None:
    branch = await open_branch(await service.new_shop())
    cut = await branch.add_service()
    await branch.add_provider(cut)
    sold = cut if kind == "service" else await branch.add_package({cut: 1})
    table = "items" if kind == "service" else "packages"
    async with pooled_connection(branch.shop.dsn) as other:
        deletion = other.transaction()
        await deletion.start()
        await other.execute(f"DELETE FROM {table} WHERE tenant_id = $1 AND id = $2", branch.shop.tenant_id, sold)
        order = branch.order(line(sold, kind), start=start(day(3), "12:00"))
        placing = asyncio.create_task(branch.shop.post("/orders", order))
        await eventually(lambda: _waits(other))
        await deletion.commit()
        answer = await placing
    assert 400 <= answer.status_code < 500, answer.text


async def _waits(conn: Any) -> bool:
    waiting: bool = await conn.fetchval(
        "SELECT EXISTS (SELECT FROM pg_locks l JOIN pg_stat_activity a USING (pid) "
        "WHERE NOT l.granted AND a.datname = current_database())"
    )
    return waiting
