"""`frontdesk secrets`: the values that are stored encrypted."""

import click

from frontdesk.cli.console import in_database
from frontdesk.config import read_settings
from frontdesk.postgres.pool import Connection
from frontdesk.security.encryption import Vault
from frontdesk.security.stored_secrets import Resealed
from frontdesk.security.stored_secrets import reseal as reseal_all
from frontdesk.server.database import find_secret_keys, say


@click.group()
def secrets() -> None:
    """Look after the secrets that are stored encrypted."""


@secrets.command()
def reseal() -> None:
    """Encrypt every stored secret anew with the first key. Safe beside a running service; may be run again."""
    done = in_database(_reseal)
    say(f"{done.resealed} of {done.seen} secrets were sealed anew")
    if done.unreadable:
        say(f"{done.unreadable} secrets cannot be opened with any key: rotate them, or give the key that sealed them")


async def _reseal(conn: Connection) -> Resealed:
    return await reseal_all(conn, Vault(await find_secret_keys(conn, read_settings())), say)
