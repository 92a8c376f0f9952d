"""`frontdesk serve`, `worker` and `migrate`: what runs the service."""

import click

from frontdesk.config import read_settings
from frontdesk.server.database import database_address, migrate_now, print_status
from frontdesk.server.python_version import check_python_version
from frontdesk.server.serve import serve as run_service
from frontdesk.server.worker import run_worker


@click.command()
@click.option("--sandbox", is_flag=True, help="On an empty database, make a sandbox first and show how to reach it.")
@click.option("--no-worker", is_flag=True, help="Leave the delivery of webhooks to `frontdesk worker` elsewhere.")
def serve(*, sandbox: bool, no_worker: bool) -> None:
    """Migrate if needed, then serve and deliver webhooks."""
    _check_python()
    run_service(read_settings(), sandbox=sandbox, deliver=not no_worker)


@click.command()
def worker() -> None:
    """Deliver webhooks only, for set-ups of several machines."""
    _check_python()
    run_worker(read_settings())


@click.command()
def migrate() -> None:
    """Bring the database up to date."""
    with database_address(read_settings()) as dsn:
        migrate_now(dsn)
    print_status("the database is up to date")


def _check_python() -> None:
    warning = check_python_version()
    if warning:
        print_status(warning)
