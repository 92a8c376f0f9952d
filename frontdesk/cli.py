"""The command line. A command that cannot do its work says why in one line and ends with status 2."""

import asyncio
import sys
from typing import Any

import click
import msgspec

from frontdesk.access.scopes import Scope, unknown_scopes
from frontdesk.commands.backups import backup, restore
from frontdesk.commands.changelog import changelog
from frontdesk.commands.clients import client, key
from frontdesk.commands.descriptions import openapi
from frontdesk.commands.tenants import tenant
from frontdesk.commands.users import operator, user
from frontdesk.config import read_settings
from frontdesk.errors import StartupError, WireError
from frontdesk.opening import current_database, database_address, migrate_now, say
from frontdesk.sandbox.make import Sandbox, make_sandbox
from frontdesk.sandbox.report import Report, report_lines
from frontdesk.serve import serve as run_service
from frontdesk.worker import run_worker


class Commands(click.Group):
    """Turns what cannot start into one line."""

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - click's own signature
        try:
            return super().invoke(ctx)
        except (StartupError, WireError) as failure:
            say(f"frontdesk: {failure}")
            sys.exit(2)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Booking and point of sale, with an Open API."""


@main.command()
@click.option("--sandbox", is_flag=True, help="On an empty database, make a sandbox first and show how to reach it.")
@click.option("--no-worker", is_flag=True, help="Leave the delivery of webhooks to `frontdesk worker` elsewhere.")
def serve(*, sandbox: bool, no_worker: bool) -> None:
    """Migrate if needed, then serve and deliver webhooks."""
    run_service(read_settings(), sandbox=sandbox, deliver=not no_worker)


@main.command()
def worker() -> None:
    """Deliver webhooks only, for set-ups of several machines."""
    run_worker(read_settings())


@main.command()
def migrate() -> None:
    """Bring the database up to date."""
    with database_address(read_settings()) as dsn:
        migrate_now(dsn)
    say("the database is up to date")


@main.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--rate-limit", type=click.IntRange(1, 1_000_000_000), help="Requests a minute of its client and its key."
)
@click.option("--plan", type=click.Choice(["starter", "professional"]), default="professional", show_default=True)
@click.option("--scopes", help="Approved scopes, separated by spaces; all of them when not given.")
def sandbox(*, as_json: bool, rate_limit: int | None, plan: str, scopes: str | None) -> None:
    """Make a new sandbox business, beside a running service or alone, and print how to reach it."""
    settings = read_settings()
    wanted = scopes.split() if scopes is not None else None
    unknown = unknown_scopes(wanted or [])
    if unknown:
        raise StartupError(f"{unknown[0]!r} is not a scope: choose from {', '.join(Scope)} and *")

    async def make(dsn: str) -> Sandbox:
        async with current_database(dsn) as conn:
            return await make_sandbox(conn, plan=plan, rate_limit=rate_limit, scopes=wanted)

    with database_address(settings) as dsn:
        report = Report.of(asyncio.run(make(dsn)), settings.address)
    click.echo(msgspec.json.encode(report).decode() if as_json else "\n".join(report_lines(report)))


for command in (backup, changelog, client, key, openapi, operator, restore, tenant, user):
    main.add_command(command)
