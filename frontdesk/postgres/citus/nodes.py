"""The nodes of a Citus cluster, and which of them has the rows of a business. Orders come in meanwhile."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import NamedTuple
from uuid import UUID

import asyncpg
import msgspec
from asyncpg import Record

from frontdesk.errors import StartupError
from frontdesk.postgres.citus.coordinator import ROOT_TABLE, Progress, check_cluster, is_distributed, told_in_one_line
from frontdesk.postgres.citus.distribute import configure_nodes

_PORT = 5432
_REPORT_SECONDS = 2.0


class Node(msgspec.Struct, frozen=True):
    name: str
    port: int
    role: str
    is_active: bool  # Citus may use it
    answers: bool
    shards: int
    megabytes: int | None  # unknown while it does not answer
    businesses: int | None


class Address(NamedTuple):
    host: str
    port: int

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


class Move(NamedTuple):
    """Of a shard of tenants. Those of the other tables that hold the same tenants go with it."""

    shard: int
    source: Address
    target: Address


def read_address(text: str) -> Address:
    host, colon, port = text.rpartition(":")
    if not colon and text:
        return Address(text, _PORT)
    if not host or not (port.isascii() and port.isdecimal()) or not 0 < int(port) < 65536:
        raise StartupError(f"{text!r} is no node: write HOST or HOST:PORT")
    return Address(host, int(port))


async def check_distributed(raw: "asyncpg.Connection[Record]") -> None:
    if not await is_distributed(raw):
        raise StartupError("the database is not distributed: `frontdesk distribute` does that")
    await check_cluster(raw)
    await raw.execute("SET statement_timeout = 0; SET lock_timeout = 0")


async def list_nodes(raw: "asyncpg.Connection[Record]") -> list[Node]:
    rows = await raw.fetch(
        """
        WITH counted AS MATERIALIZED (
            SELECT nodename, nodeport, sum(result::bigint)::bigint AS businesses
            FROM run_command_on_placements($1::regclass, 'SELECT count(*) FROM %s WHERE deleted_at IS NULL')
            WHERE success GROUP BY nodename, nodeport)
        SELECT n.nodename AS name, n.nodeport AS port, n.isactive AS is_active,
               CASE WHEN n.groupid = 0 THEN 'coordinator' ELSE 'worker' END AS role, size.success AS answers,
               CASE WHEN size.success THEN size.result::bigint / 1000000 END AS megabytes,
               (SELECT count(*) FROM pg_dist_shard s JOIN pg_dist_placement p USING (shardid)
                WHERE p.groupid = n.groupid AND s.logicalrelid = $1::regclass) AS shards,
               counted.businesses
        FROM pg_dist_node n JOIN run_command_on_all_nodes('SELECT pg_database_size(current_database())') size
          ON size.nodeid = n.nodeid
        LEFT JOIN counted ON counted.nodename = n.nodename AND counted.nodeport = n.nodeport
        WHERE n.noderole = 'primary' ORDER BY n.groupid
        """,
        ROOT_TABLE,
    )
    return [Node(**row) for row in rows]


async def add_node(raw: "asyncpg.Connection[Record]", address: Address) -> None:
    """With a copy of the platform's tables. It has no business before one is moved to it."""
    if await _is_node(raw, address):
        raise StartupError(f"{address} is a node of the cluster already")
    with told_in_one_line(f"{address} cannot be added: create the database there, and in it the extension citus"):
        await raw.execute("SELECT citus_add_node($1, $2)", *address)
        await configure_nodes(raw)
        await raw.execute("SELECT replicate_reference_tables()")


async def find_business(raw: "asyncpg.Connection[Record]", text: str) -> UUID:
    """By its id or its name in addresses, from a table that every node has."""
    with suppress(ValueError):
        text = str(UUID(text))
    found: UUID | None = await raw.fetchval(
        "SELECT tenant_id FROM tenant_slugs WHERE slug = $1 OR tenant_id::text = $1 LIMIT 1", text
    )
    if found is None:
        raise StartupError(f"there is no business {text!r}: `frontdesk tenant list` shows their ids")
    return found


async def plan_move(raw: "asyncpg.Connection[Record]", tenant_id: UUID, target: Address) -> Move:
    [row] = await raw.fetch(
        """
        SELECT p.shardid, n.nodename, n.nodeport FROM pg_dist_placement p JOIN pg_dist_node n USING (groupid)
        WHERE p.shardid = get_shard_id_for_distribution_column($1::regclass, $2::uuid) AND n.noderole = 'primary'
        """,
        ROOT_TABLE,
        tenant_id,
    )
    move = Move(row["shardid"], Address(row["nodename"], row["nodeport"]), target)
    if move.source == target:
        raise StartupError(f"the business is on {target} already")
    if not await _is_node(raw, target):
        raise StartupError(f"{target} is no node of the cluster: `frontdesk cluster` shows them")
    return move


async def plan_rebalance(raw: "asyncpg.Connection[Record]") -> list[Move]:
    """Citus plans by size."""
    with told_in_one_line("the cluster cannot be rebalanced"):
        rows = await raw.fetch(
            "SELECT * FROM get_rebalance_table_shards_plan($1::regclass) WHERE table_name = $1::regclass", ROOT_TABLE
        )
    return [
        Move(
            row["shardid"],
            Address(row["sourcename"], row["sourceport"]),
            Address(row["targetname"], row["targetport"]),
        )
        for row in rows
    ]


async def move_shard(
    raw: "asyncpg.Connection[Record]", watching: "asyncpg.Connection[Record]", move: Move, progress: Progress
) -> None:
    with told_in_one_line("the shard cannot be moved"):
        async with _reported(watching, progress):
            await raw.execute(
                "SELECT citus_move_shard_placement($1, $2, $3, $4, $5)", move.shard, *move.source, *move.target
            )


async def isolate_business(raw: "asyncpg.Connection[Record]", tenant_id: UUID) -> None:
    """`force_logical`: writes go on while the rows of its shard are copied into three."""
    with told_in_one_line("the business cannot be isolated"):
        await raw.execute(
            "SELECT isolate_tenant_to_new_shard($1::regclass, $2::uuid, 'CASCADE', 'force_logical')",
            ROOT_TABLE,
            tenant_id,
        )


async def _is_node(raw: "asyncpg.Connection[Record]", address: Address) -> bool:
    found: bool = await raw.fetchval(
        "SELECT EXISTS (SELECT FROM pg_dist_node WHERE nodename = $1 AND nodeport = $2 AND noderole = 'primary')",
        *address,
    )
    return found


@asynccontextmanager
async def _reported(watching: "asyncpg.Connection[Record]", progress: Progress) -> AsyncIterator[None]:
    """Tells every few seconds, on a connection of its own, how far the move is."""
    report = asyncio.create_task(_report(watching, progress))
    try:
        yield
    finally:
        report.cancel()
        await asyncio.gather(report, return_exceptions=True)  # what is not reported does not fail the move


async def _report(watching: "asyncpg.Connection[Record]", progress: Progress) -> None:
    last = ""
    while True:
        await asyncio.sleep(_REPORT_SECONDS)
        row = await watching.fetchrow(
            """
            SELECT min(status) AS status, coalesce(sum(source_shard_size), 0) AS of_bytes,
                   coalesce(sum(target_shard_size), 0) AS bytes
            FROM get_rebalance_progress()
            """
        )
        if row is not None and row["status"]:
            line = f"{row['status'].lower()}: {row['bytes'] // 1000:,} of {row['of_bytes'] // 1000:,} kB"
            if line != last:
                progress(line)
            last = line
