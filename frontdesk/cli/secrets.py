"""`frontdesk secrets`: the encrypted values of the database."""

import click

from frontdesk.cli.console import change_in_steps, record_command
from frontdesk.config import read_settings
from frontdesk.postgres.pool import Connection
from frontdesk.security.encryption import SecretBox
from frontdesk.security.stored_secrets import Reencrypted, reencrypt as reencrypt_all
from frontdesk.server.database import find_secret_keys, print_status


@click.group()
def secrets() -> None:
    """Manage the encrypted secrets of the database."""


@secrets.command()
def reencrypt() -> None:
    """Reencrypt every stored secret with the first key. Safe while the service runs; can be run again."""
    result = change_in_steps(_reencrypt)
    print_status(f"{result.reencrypted} of {result.total} secrets were reencrypted")
    if result.unreadable:
        print_status(
            f"{result.unreadable} secrets cannot be decrypted: rotate them, or add the key that encrypted them"
        )


async def _reencrypt(conn: Connection) -> Reencrypted:
    result = await reencrypt_all(conn, SecretBox(await find_secret_keys(conn, read_settings())), print_status)
    await record_command(conn, "secrets.reencrypted")
    return result
