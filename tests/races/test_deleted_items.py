"""An item is deleted while it is ordered: the order is refused."""

import asyncio
from typing import Any

import pytest

from tests.support.connections import pooled_connection
from tests.support.salon import day, line, open_salon, start
from tests.support.service import Service
from tests.support.waiting import eventually


@pytest.mark.parametrize("kind", ["service", "package"])
async def test_an_order_of_what_is_deleted_at_that_moment_is_refused(service: Service, kind: str) -> None:
    salon = await open_salon(await service.new_shop())
    cut = await salon.add_service()
    await salon.add_provider(cut)
    sold = cut if kind == "service" else await salon.add_package({cut: 1})
    table = "items" if kind == "service" else "packages"
    async with pooled_connection(salon.shop.dsn) as other:
        deletion = other.transaction()
        await deletion.start()
        await other.execute(f"DELETE FROM {table} WHERE tenant_id = $1 AND id = $2", salon.shop.tenant_id, sold)
        order = salon.order(line(sold, kind), start=start(day(3), "12:00"))
        placing = asyncio.create_task(salon.shop.post("/orders", order))
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
