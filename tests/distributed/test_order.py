"""An order is one statement for the node of its business, and none for the others."""

import re

from frontdesk.postgres.pool import connect
from tests.distributed.placements import find_host
from tests.distributed.statement_log import NodeLog, logging_statements
from tests.races.conftest import OpenRaceFixture
from tests.support.servers.citus import node_addresses, socket_folder
from tests.support.waiting import eventually

_WRITES = re.compile(
    r"(?:INSERT|UPDATE|COPY)(?: INTO)? public\.(?:orders|order_lines|bookings|activity|events|idempo\w+)_"
)


async def test_an_order_is_one_statement_for_one_worker(new_race: OpenRaceFixture, dsn: str) -> None:
    race = await new_race()
    workers = {socket_folder(address): address for address in node_addresses(dsn)[1:]}
    raw = await connect(dsn)
    own = workers.pop(await find_host(raw, race.tenant_id))
    [other] = workers.values()
    await raw.close()
    slots = iter(range(1000))

    async def order_is_logged() -> bool:
        """Sessions notice the new setting after a moment."""
        log = NodeLog(own)
        await send_order(next(slots))
        return any("run_act(" in statement for statement in log.statements(race.tenant_id))

    async def send_order(slot: int) -> None:
        [answer] = await race.send_all([race.order(race.service_line(), slot=slot, key=f"log-{slot}", paid=40)])
        assert answer.status_code == 201

    async with logging_statements([own, other]):
        await eventually(order_is_logged)
        log, others = NodeLog(own), NodeLog(other)
        await send_order(next(slots))
    sent = log.statements(race.tenant_id)
    assert sum("run_act(" in statement for statement in sent) == 1
    assert [statement for statement in sent if _WRITES.match(statement)] == []
    assert others.statements(race.tenant_id) == []
