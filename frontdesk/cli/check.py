"""`frontdesk check`: the rules that the data of every business keeps."""

import sys
import time
from collections import Counter

import click

from frontdesk.config import read_settings
from frontdesk.errors import StartupError
from frontdesk.invariants.check import RULES, Broken, check_businesses, list_checked
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.schema.migrate import is_current
from frontdesk.postgres.schema.migration_files import read_functions, read_migrations
from frontdesk.runtime.async_stop_signals import run_async
from frontdesk.server.database import (
    database_address,
    functions_folder,
    migrations_folder,
    open_connection,
    print_status,
)

_PROGRESS_SECONDS = 5


@click.command()
def check() -> None:
    """Check the data of every business, and print how many rows break each rule.

    Exits with status 1 if a rule is broken. Nothing is changed, and the service may be running.
    """
    with database_address(read_settings()) as dsn:
        broken = run_async(run_check(dsn))
    print_status(f"the data is {verdict(broken)}")
    sys.exit(1 if broken else 0)


async def run_check(dsn: str) -> int:
    """Prints the counts and the first rows that break a rule. How many rules are broken."""
    counts: Counter[str] = Counter()
    async with open_connection(dsn) as raw:
        if not await is_current(raw, read_migrations(migrations_folder()), read_functions(functions_folder())):
            raise StartupError("the database has another schema than this version: run `frontdesk migrate` first")
        conn, started = Connection(raw), time.monotonic()
        tenant_ids = await list_checked(conn)
        print_status(f"checking {len(RULES)} rules in each business; businesses: {len(tenant_ids)}")
        done, shown = 0, started
        async for tenant_id, broken in check_businesses(conn, tenant_ids):
            done += 1
            for found in broken:
                counts[found.rule] += found.row_count
                _print_broken(str(tenant_id), found)
            if time.monotonic() - shown >= _PROGRESS_SECONDS:
                shown = time.monotonic()
                print_status(f"checked {done} of {len(tenant_ids)} businesses")
        print_status(f"checked in {time.monotonic() - started:.1f} s; businesses: {done}")
    for rule in RULES:
        click.echo(f"{counts[rule]:>8}  {rule}")
    return len(counts)


def verdict(broken: int) -> str:
    return f"not sound, broken rules: {broken} of {len(RULES)}" if broken else "sound, every rule holds"


def _print_broken(tenant_id: str, broken: Broken) -> None:
    click.echo(f"broken in business {tenant_id}: {broken.rule} ({broken.row_count} rows)")
    for row in broken.rows:
        click.echo(f"    {row}")
    if broken.row_count > len(broken.rows):
        click.echo(f"    and {broken.row_count - len(broken.rows)} more")
