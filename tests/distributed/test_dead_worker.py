"""A worker that does not answer: requests of its own businesses get 503, those of the others are answered, and their
webhooks delivered."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from frontdesk.auth.credentials import parse_client_id
from frontdesk.postgres.pool import connect
from tests.distributed.placements import find_host
from tests.factories.webhooks import insert_webhook
from tests.races.conftest import OpenRaceFixture
from tests.races.fixture import RaceFixture
from tests.support.repetitions import LONG_SECONDS
from tests.support.servers.citus import node_addresses, socket_folder
from tests.support.waiting import eventually

ORDERS = 8

pytestmark = [
    pytest.mark.torture,
    pytest.mark.skipif(
        not LONG_SECONDS, reason="`make torture` runs it: it opens businesses until both workers have one"
    ),
]


@contextmanager
def unreachable(folder: Path) -> Iterator[None]:
    """New connections are refused, as those to a process that has died."""
    socket, hidden = folder / ".s.PGSQL.5432", folder / ".hidden"
    socket.rename(hidden)
    try:
        yield
    finally:
        hidden.rename(socket)


async def test_a_dead_worker_stops_its_own_businesses_only(new_race: OpenRaceFixture, dsn: str) -> None:
    raw = await connect(dsn)
    races: dict[str, RaceFixture] = {}
    while len(races) < 2:
        race = await new_race()
        races.setdefault(await find_host(raw, race.tenant_id), race)
    await raw.close()
    for race in races.values():
        await race.send_all([race.order(race.service_line(), key="before")])
    address = node_addresses(dsn)[2]
    dead = socket_folder(address)
    [living] = set(races) - {dead}
    client = parse_client_id(races[living].shop.sandbox.client_id)
    assert client is not None
    await insert_webhook(races[living].shop, client[1], events=["order.created"])
    worker = await connect(address)  # stays, to end what the servers have open
    with unreachable(Path(dead)):
        await worker.execute(
            "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity "
            "WHERE backend_type = 'client backend' AND datname = current_database() AND pid <> pg_backend_pid()"
        )
        for slot in range(1, ORDERS):
            [answer] = await races[living].send_all(
                [races[living].order(races[living].service_line(), slot=slot, key=f"living-{slot}")], again=False
            )
            assert answer.status_code == 201
            [refused] = await races[dead].send_all(
                [races[dead].order(races[dead].service_line(), slot=slot, key=f"dead-{slot}")], again=False
            )
            assert (refused.status_code, refused.headers["retry-after"]) == (503, "1")
        await eventually(lambda: races[living].shop.sql("SELECT FROM webhook_attempts WHERE tenant_id = $1"))
    await worker.close()
    [answer] = await races[dead].send_all([races[dead].order(races[dead].service_line(), slot=1, key="dead-1")])
    assert answer.status_code == 201
    for race in races.values():
        assert await race.broken_invariants() == []
