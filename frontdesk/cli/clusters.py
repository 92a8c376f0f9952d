"""`frontdesk cluster`: the nodes of a distributed database, and where businesses are."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias, TypeVar

import asyncpg
import click
from asyncpg import Record

from frontdesk.cli.console import as_json, recorded, show_rows
from frontdesk.config import read_settings
from frontdesk.postgres.citus.nodes import (
    add_node,
    check_distributed,
    find_business,
    isolate_business,
    list_nodes,
    move_shard,
    plan_move,
    plan_rebalance,
    read_address,
)
from frontdesk.runtime.async_stop_signals import run_async
from frontdesk.server.database import database_address, open_connection, print_status

_COLUMNS = ("name", "port", "role", "is_active", "answers", "shards", "megabytes", "businesses")
T = TypeVar("T")
Raw: TypeAlias = "asyncpg.Connection[Record]"


@click.group(invoke_without_command=True)
@as_json
@click.pass_context
def cluster(context: click.Context, *, as_json: bool) -> None:
    """Show the nodes of a distributed database, add one, and move businesses.

    The service may be running.
    """
    if context.invoked_subcommand is None:
        show_rows(_on_coordinator(lambda raw, _watching: list_nodes(raw)), _COLUMNS, as_json=as_json)


@cluster.command()
@click.argument("node", metavar="HOST[:PORT]")
def add(node: str) -> None:
    """Add a worker. It gets businesses by `cluster move` or `cluster rebalance`."""
    address = read_address(node)
    _on_coordinator(lambda raw, _watching: add_node(raw, address), "cluster.node_added", str(address))
    print_status(f"{address} is a node of the cluster")


@cluster.command()
@click.argument("business")
@click.argument("node", metavar="HOST[:PORT]")
def move(business: str, node: str) -> None:
    """Move a BUSINESS (its id or its name in addresses) to a node, with the businesses that share its shard."""
    target = read_address(node)

    async def run(raw: Raw, watching: Raw) -> None:
        planned = await plan_move(raw, await find_business(raw, business), target)
        print_status(f"moving shard {planned.shard} from {planned.source} to {planned.target}")
        await move_shard(raw, watching, planned, print_status)

    _on_coordinator(run, "cluster.business_moved", f"{business}, {target}")
    print_status(f"{business} is on {target}")


@cluster.command()
@click.argument("business")
def isolate(business: str) -> None:
    """Give a large BUSINESS (its id or its name in addresses) a shard of its own, on the same node."""

    async def run(raw: Raw, _watching: Raw) -> None:
        tenant_id = await find_business(raw, business)
        print_status("copying its shard; this takes as long as the shard is large")
        await isolate_business(raw, tenant_id)

    _on_coordinator(run, "cluster.business_isolated", business)
    print_status(f"{business} has a shard of its own: `frontdesk cluster move` moves it alone")


@cluster.command()
def rebalance() -> None:
    """Move shards until the nodes hold about the same amount of data. It can be interrupted and run again."""

    async def run(raw: Raw, watching: Raw) -> int:
        moves = await plan_rebalance(raw)
        for number, planned in enumerate(moves, 1):
            print_status(f"{number}/{len(moves)}: shard {planned.shard} from {planned.source} to {planned.target}")
            await move_shard(raw, watching, planned, print_status)
        return len(moves)

    count = _on_coordinator(run, "cluster.rebalanced")
    print_status(f"shards moved: {count}" if count else "the cluster is balanced")


def _on_coordinator(
    work: Callable[[Raw, Raw], Awaitable[T]], action: str | None = None, detail: str | None = None
) -> T:
    """With a second connection, on which the work is watched. Without an action it only reads."""

    async def run(dsn: str) -> T:
        async with open_connection(dsn) as raw:
            await check_distributed(raw)
            async with open_connection(dsn) as watching:
                return await work(raw, watching)

    with database_address(read_settings()) as dsn:
        if action is None:
            return run_async(run(dsn))
        with recorded(dsn, action, detail):
            return run_async(run(dsn))
