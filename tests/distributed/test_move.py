"""A tenant's data moves to another node while its orders come in."""

import asyncio
from typing import NamedTuple

import asyncpg
from asyncpg import Record

from frontdesk.postgres.pool import connect
from tests.races.conftest import OpenRaceFixture
from tests.races.fixture import RaceFixture, statuses

SLOTS = 24


class Placement(NamedTuple):
    shard: int
    host: str
    port: int


async def placement(raw: "asyncpg.Connection[Record]", race: RaceFixture) -> Placement:
    row = await raw.fetchrow(
        """
        SELECT p.shardid, n.nodename, n.nodeport FROM pg_dist_placement p JOIN pg_dist_node n USING (groupid)
        WHERE p.shardid = get_shard_id_for_distribution_column('orders', $1::uuid)
        """,
        race.tenant_id,
    )
    assert row is not None
    return Placement(*row)


async def other_worker(raw: "asyncpg.Connection[Record]", current: Placement) -> tuple[str, int]:
    row = await raw.fetchrow(
        "SELECT nodename, nodeport FROM pg_dist_node WHERE groupid <> 0 AND (nodename, nodeport) <> ($1, $2::integer)",
        current.host,
        current.port,
    )
    assert row is not None
    return row["nodename"], row["nodeport"]


async def test_orders_come_in_while_the_shard_of_their_tenant_moves(new_race: OpenRaceFixture, dsn: str) -> None:
    race = await new_race()
    raw = await connect(dsn, settings={"statement_timeout": "0", "lock_timeout": "0"})
    before = await placement(raw, race)
    host, port = await other_worker(raw, before)
    move = asyncio.create_task(
        raw.execute(
            "SELECT citus_move_shard_placement($1, $2, $3, $4, $5, shard_transfer_mode := 'force_logical')",
            *before,
            host,
            port,
        )
    )
    answers = []
    slot = 0
    while not move.done() or slot < SLOTS:  # at least so many, and for as long as the move takes
        answers += await race.send_all([race.order(race.service_line(race.staff[0]), slot=slot, key=f"move-{slot}")])
        slot += 1
    await move
    after = await placement(raw, race)
    await raw.close()
    assert (after.host, after.port) == (host, port)
    assert statuses(answers) == {201: slot}
    numbers = [int(answer.json()["data"]["order_number"]) for answer in answers]
    assert numbers == list(range(numbers[0], numbers[0] + slot))
    assert await race.broken_invariants() == []


async def test_a_tenant_gets_a_shard_of_its_own(new_race: OpenRaceFixture, dsn: str) -> None:
    races = [await new_race(), await new_race()]
    raw = await connect(dsn, settings={"statement_timeout": "0", "lock_timeout": "0"})
    await raw.execute(
        "SELECT isolate_tenant_to_new_shard('tenants', $1::uuid, 'CASCADE', 'block_writes')", races[0].tenant_id
    )
    shards = [(await placement(raw, race)).shard for race in races]
    await raw.close()
    assert shards[0] != shards[1]
    for race in races:
        assert statuses(await race.send_all([race.order(race.service_line())])) == {201: 1}
        assert await race.broken_invariants() == []
