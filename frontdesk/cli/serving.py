"""`frontdesk serve`, `worker` and `migrate`: run the service."""

import click

from frontdesk import __version__
from frontdesk.cli.console import recorded
from frontdesk.config import read_settings
from frontdesk.server.database import database_address, migrate_now, plan_migration, print_status
from frontdesk.server.python_version import check_python_version
from frontdesk.server.serve import serve as run_service
from frontdesk.server.worker import run_worker


@click.command()
@click.option("--sandbox", is_flag=True, help="If the database is empty, create a sandbox and print its credentials.")
@click.option("--no-worker", is_flag=True, help="Do not deliver webhooks; `frontdesk worker` does it.")
def serve(*, sandbox: bool, no_worker: bool) -> None:
    """Apply migrations, then serve requests and deliver webhooks."""
    _check_python()
    run_service(read_settings(), sandbox=sandbox, deliver=not no_worker)


@click.command()
def worker() -> None:
    """Deliver webhooks only, for installations on several machines."""
    _check_python()
    run_worker(read_settings())


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


def _check_python() -> None:
    warning = check_python_version()
    if warning:
        print_status(warning)
