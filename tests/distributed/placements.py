"""On which worker a business is, and commands about that."""

import asyncio
from uuid import UUID

import asyncpg
from asyncpg import Record
from click.testing import Result

from tests.support.programs.commands import invoke


async def find_host(raw: "asyncpg.Connection[Record]", tenant_id: UUID) -> str:
    host: str = await raw.fetchval(
        """
        SELECT n.nodename FROM pg_dist_placement p JOIN pg_dist_node n USING (groupid)
        WHERE p.shardid = get_shard_id_for_distribution_column('orders', $1::uuid)
        """,
        tenant_id,
    )
    return host


async def command(dsn: str, *words: str) -> Result:
    given = {"FRONTDESK_DATABASE_URL": dsn, "FRONTDESK_DISTRIBUTED": "citus"}
    return await asyncio.to_thread(invoke, words, given)
