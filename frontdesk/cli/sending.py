"""`frontdesk sending`: whether mail and webhooks are sent."""

from datetime import datetime

import click

from frontdesk.cli.console import change_database, in_database
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.sending import held_since, hold_sending, resume_sending
from frontdesk.server.database import print_status


@click.command()
@click.argument("state", type=click.Choice(["on", "off"]), required=False)
def sending(state: str | None) -> None:
    """Show whether mail and webhooks are sent, or switch it ON or OFF."""

    async def switch(conn: Connection) -> datetime | None:
        await (resume_sending(conn) if state == "on" else hold_sending(conn))
        return await held_since(conn)

    if state is None:
        since = in_database(held_since)
    else:
        since = change_database(switch, "sending.resumed" if state == "on" else "sending.held")
    held = None if since is None else f"mail and webhooks are not sent since {since:%Y-%m-%d %H:%M} UTC"
    print_status(held or "mail and webhooks are sent")
