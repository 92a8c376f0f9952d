"""`frontdesk sending`: whether mail and webhooks are sent."""

import click

from frontdesk.config import read_settings
from frontdesk.postgres.sending import held_since, hold_sending, resume_sending
from frontdesk.runtime.async_stop_signals import run_async
from frontdesk.server.database import database_address, migrated_connection, print_status


@click.command()
@click.argument("state", type=click.Choice(["on", "off"]), required=False)
def sending(state: str | None) -> None:
    """Show whether mail and webhooks are sent, or switch it ON or OFF."""
    with database_address(read_settings()) as dsn:
        since = run_async(_switch(dsn, state))
    print_status("mail and webhooks are sent" if since is None else f"mail and webhooks are not sent since {since}")


async def _switch(dsn: str, state: str | None) -> str | None:
    async with migrated_connection(dsn) as conn:
        if state is not None:
            await (resume_sending(conn) if state == "on" else hold_sending(conn))
        since = await held_since(conn)
        return None if since is None else f"{since:%Y-%m-%d %H:%M} UTC"
