"""Businesses move to other nodes and get shards of their own while their orders come in."""

import asyncio
import json
from uuid import uuid4

import pytest

from frontdesk.postgres.pool import connect
from tests.distributed.placements import command, find_host
from tests.races.conftest import OpenRaceFixture
from tests.races.fixture import RaceFixture, statuses
from tests.support.repetitions import LONG_SECONDS
from tests.support.servers.citus import COPY_SECONDS, node_addresses, socket_folder

SLOTS = 24
pytestmark = pytest.mark.timeout(COPY_SECONDS)


async def test_orders_come_in_while_their_business_moves(new_race: OpenRaceFixture, dsn: str) -> None:
    race = await new_race()
    raw = await connect(dsn)
    before = await find_host(raw, race.tenant_id)
    [other] = {socket_folder(address) for address in node_addresses(dsn)[1:]} - {before}
    moving = asyncio.create_task(command(dsn, "cluster", "move", str(race.tenant_id), other))
    await send_orders_until_done(race, moving)
    outcome = await moving
    assert outcome.exit_code == 0, outcome.stderr
    assert outcome.stderr.endswith(f"{race.tenant_id} is on {other}:5432\n")
    assert await find_host(raw, race.tenant_id) == other
    await raw.close()
    again = await command(dsn, "cluster", "move", str(race.tenant_id), other)
    assert (again.exit_code, again.stderr) == (2, f"frontdesk: the business is on {other}:5432 already\n")


@pytest.mark.torture
@pytest.mark.skipif(not LONG_SECONDS, reason="`make torture` runs it: every table is split by replication")
async def test_orders_come_in_while_their_business_gets_a_shard_of_its_own(new_race: OpenRaceFixture, dsn: str) -> None:
    race = await new_race()
    isolating = asyncio.create_task(command(dsn, "cluster", "isolate", str(race.tenant_id)))
    await send_orders_until_done(race, isolating)
    outcome = await isolating
    assert outcome.exit_code == 0, outcome.stderr
    again = await command(dsn, "cluster", "isolate", str(race.tenant_id))
    assert again.exit_code == 2
    assert "already been isolated" in again.stderr.splitlines()[-1]


async def send_orders_until_done(race: RaceFixture, work: "asyncio.Task[object]") -> None:
    """At least a few. Each has a key and is sent again after a 503, as clients do."""
    answers = []
    slot = 0
    while not work.done() or slot < SLOTS:
        answers += await race.send_all([race.order(race.service_line(race.staff[0]), slot=slot, key=f"move-{slot}")])
        slot += 1
    assert statuses(answers) == {201: slot}
    numbers = [int(answer.json()["data"]["order_number"]) for answer in answers]
    assert numbers == list(range(numbers[0], numbers[0] + slot))
    assert await race.broken_invariants() == []


async def test_the_nodes_are_shown(new_race: OpenRaceFixture, dsn: str) -> None:
    await new_race()
    outcome = await command(dsn, "cluster", "--json")
    coordinator, *workers = json.loads(outcome.stdout)
    assert (coordinator["role"], coordinator["shards"], coordinator["businesses"]) == ("coordinator", 0, None)
    assert [socket_folder(address) for address in node_addresses(dsn)[1:]] == [node["name"] for node in workers]
    assert all(node["is_active"] and node["answers"] and node["megabytes"] for node in workers)
    for column in ("shards", "businesses"):  # another test may have moved all of one worker
        assert sum(node[column] or 0 for node in workers) >= 1


async def test_what_is_not_there_is_refused_in_one_line(new_race: OpenRaceFixture, dsn: str) -> None:
    business, unknown = str((await new_race()).tenant_id), str(uuid4())
    for words, refusal in (
        (("move", unknown, "worker"), f"there is no business '{unknown}'"),
        (("isolate", "nobody"), "there is no business 'nobody'"),
        (("move", business, "elsewhere:5433"), "elsewhere:5433 is no node of the cluster"),
        (("add", "elsewhere:port"), "'elsewhere:port' is no node: write HOST or HOST:PORT"),
        (("add", socket_folder(node_addresses(dsn)[1])), f"{socket_folder(node_addresses(dsn)[1])}:5432 is a node"),
        (("add", "missing.invalid"), "missing.invalid:5432 cannot be added: create the database there"),
    ):
        outcome = await command(dsn, "cluster", *words)
        assert outcome.exit_code == 2
        assert outcome.stderr.startswith(f"frontdesk: {refusal}"), outcome.stderr
        assert outcome.stderr.count("\n") == 1
