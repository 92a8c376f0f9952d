"""`frontdesk secrets`: the values that are stored encrypted."""

import click

from frontdesk.cli.console import in_database
from frontdesk.config import read_settings
from frontdesk.postgres.pool import Connection
from frontdesk.security.encryption import SecretBox
from frontdesk.security.stored_secrets import Reencrypted
from frontdesk.security.stored_secrets import reencrypt as reseal_all
from frontdesk.server.database import find_secret_keys, print_status


@click.group()
def secrets() -> None:
    """Look after the secrets that are stored encrypted."""


@secrets.command()
def reencrypt() -> None:
    """Encrypt every stored secret anew with the first key. Safe beside a running service; may be run again."""
    done = in_database(_reencrypt)
    print_status(f"{done.resealed} of {done.seen} secrets were sealed anew")
    if done.unreadable:
        print_status(
            f"{done.unreadable} secrets cannot be opened with any key: rotate them, or give the key that sealed them"
        )


async def _reencrypt(conn: Connection) -> Reencrypted:
    return await reseal_all(conn, SecretBox(await find_secret_keys(conn, read_settings())), print_status)
