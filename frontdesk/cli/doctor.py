"""`frontdesk doctor`: one line per check."""

import sys

import click

from frontdesk.config import read_settings
from frontdesk.server.doctor import examine


@click.command()
def doctor() -> None:
    """Check this installation, and print what is wrong and what to do.

    Exits with status 1 if a check fails. Nothing is changed; a bucket gets a small object,
    which is removed again.
    """
    has_failed = False
    for state, subject, text in examine(read_settings()):
        click.echo(f"{state:<4}  {subject}: {text}")
        has_failed |= state == "fail"
    sys.exit(1 if has_failed else 0)
