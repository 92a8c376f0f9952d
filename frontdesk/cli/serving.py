"""`frontdesk serve`: run the service."""

import click

from frontdesk.config import read_settings
from frontdesk.server.python_version import warn_of_python
from frontdesk.server.serve import serve as run_service


@click.command()
@click.option("--sandbox", is_flag=True, help="If the database is empty, create a sandbox and print its credentials.")
@click.option("--no-worker", is_flag=True, help="Neither deliver webhooks nor send mail: `frontdesk worker` does.")
def serve(*, sandbox: bool, no_worker: bool) -> None:
    """Apply migrations, then serve requests, deliver webhooks and send mail."""
    warn_of_python()
    run_service(read_settings(), sandbox=sandbox, deliver=not no_worker)
