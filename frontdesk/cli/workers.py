"""`frontdesk worker`: deliver without serving. It loads no pages and no APIs."""

import click

from frontdesk.config import read_settings
from frontdesk.server.python_version import warn_of_python
from frontdesk.server.worker import run_worker


@click.command()
def worker() -> None:
    """Send mail and webhooks only, for installations on several machines."""
    warn_of_python()
    run_worker(read_settings())
