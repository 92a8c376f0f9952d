"""`frontdesk sandbox`: creates a business with demo data."""

import click
import msgspec

from frontdesk.activity.operator_acts import About
from frontdesk.auth.scopes import Scope, unknown_scopes
from frontdesk.cli.console import change_in_steps, record_command
from frontdesk.config import read_settings
from frontdesk.demo_data.content import TIMEZONE
from frontdesk.demo_data.create import Sandbox, create_sandbox
from frontdesk.demo_data.report import Report, report_lines
from frontdesk.errors import StartupError
from frontdesk.postgres.pool import Connection
from frontdesk.values.time import ZONE_NAMES


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--rate-limit", type=click.IntRange(1, 1_000_000_000), help="Requests per minute of its client and its key."
)
@click.option("--plan", type=click.Choice(["starter", "professional"]), default="professional", show_default=True)
@click.option("--scopes", help="Approved scopes, separated by spaces. Default: all.")
@click.option("--timezone", default=TIMEZONE, show_default=True, help="Its time zone, such as Europe/Berlin.")
def sandbox(*, as_json: bool, rate_limit: int | None, plan: str, scopes: str | None, timezone: str) -> None:
    """Create a sandbox business and print its credentials. The service may be running."""
    requested = scopes.split() if scopes is not None else None
    unknown = unknown_scopes(requested or [])
    if unknown:
        raise StartupError(f"{unknown[0]!r} is not a scope: choose from {', '.join(Scope)} and *")
    if timezone not in ZONE_NAMES:
        raise StartupError(f"{timezone!r} is not a time zone: give a name such as Europe/Berlin")

    async def create(conn: Connection) -> Sandbox:
        made = await create_sandbox(conn, plan=plan, rate_limit=rate_limit, scopes=requested, timezone=timezone)
        await record_command(conn, "business.created", About(made.tenant_id, detail=plan))
        return made

    created = change_in_steps(create)
    report = Report.of(created, read_settings().address)
    click.echo(msgspec.json.encode(report).decode() if as_json else "\n".join(report_lines(report)))
