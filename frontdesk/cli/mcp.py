"""`frontdesk mcp`: tools for programs that act for a person (Model Context Protocol)."""

from contextlib import suppress

import click

from frontdesk.cli.api import local_base_url
from frontdesk.errors import StartupError
from frontdesk.mcp_server.callers import Client
from frontdesk.mcp_server.serve import serve_http, serve_stdio
from frontdesk.runtime.async_stop_signals import run_async
from frontdesk.runtime.stop_signals import Stopped
from frontdesk_client import FrontdeskError


@click.command()
@click.option("--http", metavar="HOST:PORT", help="Serve /mcp at this address instead of the standard streams.")
@click.option(
    "--base-url", envvar="FRONTDESK_BASE_URL", help="Base URL of the API; default: the server of this machine."
)
@click.option("--client-id", envvar="FRONTDESK_CLIENT_ID", help="Client id, as `frontdesk sandbox` prints it.")
@click.option("--client-secret", envvar="FRONTDESK_CLIENT_SECRET", help="Client secret; better in the environment.")
def mcp(http: str | None, base_url: str | None, client_id: str | None, client_secret: str | None) -> None:
    """Offer the Open API as tools of the Model Context Protocol.

    A program that speaks the protocol starts this command and talks to it by the standard streams. With --http it
    serves many programs, each with an access token of this client.
    """
    if not (client_id and client_secret):
        raise StartupError(
            "no credentials: set FRONTDESK_CLIENT_ID and FRONTDESK_CLIENT_SECRET; `frontdesk sandbox` creates them"
        )
    address = None if http is None else _address(http)
    try:
        client = Client(base_url or local_base_url(), client_id, client_secret)
    except ValueError as error:
        raise StartupError(str(error)) from error
    with suppress(Stopped):
        run_async(_serve(client, address))


async def _serve(client: Client, address: tuple[str, int] | None) -> None:
    try:
        await client.own_caller()  # wrong credentials are told to the person who starts it
        await (serve_stdio(client) if address is None else serve_http(client, *address))
    except FrontdeskError as error:
        raise StartupError(str(error)) from error
    finally:
        await client.close()


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise StartupError(f"{text!r} is not an address: write --http 127.0.0.1:8020")
    return host.strip("[]"), int(port)
