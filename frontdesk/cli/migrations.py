"""`frontdesk migrate`: bring the database up to date."""

import click

from frontdesk import __version__
from frontdesk.cli.console import recorded
from frontdesk.config import read_settings
from frontdesk.server.database import database_address, migrate_now, plan_migration, print_status


@click.command()
@click.option("--plan", is_flag=True, help="Only print what would be done, and which tables it locks.")
@click.option("--back", is_flag=True, help="Replace the functions of a newer version, when no newer program runs.")
def migrate(*, plan: bool, back: bool) -> None:
    """Apply the missing database migrations, while older programs run."""
    with database_address(read_settings()) as dsn:
        if plan:
            click.echo("\n".join(plan_migration(dsn)))
            return
        with recorded(dsn, "database.migrated", __version__):
            migrate_now(dsn, back=back)
    print_status("the database is up to date")
