"""`frontdesk listen`, `frontdesk trigger`: for those who build applications, over HTTP."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple, TypeVar

import click

from frontdesk.cli.api import local_base_url
from frontdesk.developer_tools.api import connected
from frontdesk.developer_tools.event_names import event_type
from frontdesk.developer_tools.following import Follower, newest_sequence
from frontdesk.developer_tools.listening import Listening
from frontdesk.developer_tools.sending import ReceiverConnection, check_secret
from frontdesk.developer_tools.triggers.run import chosen_event, list_lines, trigger_event
from frontdesk.runtime.async_stop_signals import run_async
from frontdesk.runtime.stop_signals import Stopped
from frontdesk.webhooks.event_types import EventType
from frontdesk.webhooks.signing import new_signing_secret
from frontdesk_client import RetryPolicy

Command = TypeVar("Command", bound=Callable[..., object])
_ONCE = RetryPolicy(max_attempts=1)  # `listen` waits by itself, and says so
_note = partial(click.echo, err=True)


class Credentials(NamedTuple):
    base_url: str | None
    client_id: str | None
    client_secret: str | None

    def connect(self, retry_policy: RetryPolicy) -> Any:  # noqa: ANN401 - the context manager of `connected`
        return connected(self.base_url or local_base_url(), self.client_id, self.client_secret, retry_policy)


def with_credentials(command: Command) -> Command:
    for option in (
        click.option("--client-secret", envvar="FRONTDESK_CLIENT_SECRET", help="Better in FRONTDESK_CLIENT_SECRET."),
        click.option("--client-id", envvar="FRONTDESK_CLIENT_ID", help="Client id, as `frontdesk sandbox` prints it."),
        click.option(
            "--base-url", envvar="FRONTDESK_BASE_URL", help="Base URL of the API; default: the server of this machine."
        ),
    ):
        command = option(command)
    return command


def _types(_context: object, _option: object, text: str | None) -> frozenset[EventType]:
    return frozenset(event_type(name.strip()) for name in (text or "").split(",") if name.strip())


@click.command()
@click.option("--forward", metavar="URL", help="Send each event to this URL, signed like a webhook.")
@click.option("--events", "types", callback=_types, help="Only these types, separated by commas. Default: all.")
@click.option("--secret", envvar="FRONTDESK_WEBHOOK_SECRET", help="Signing secret. Default: a new one; it is printed.")
@click.option("--since", type=click.IntRange(0), help="Begin after this sequence. Default: what happens from now on.")
@click.option("--every", type=click.FloatRange(0.1, 60), default=2, show_default=True, help="Seconds between requests.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object for each event.")
@with_credentials
def listen(
    forward: str | None,
    types: frozenset[EventType],
    secret: str | None,
    since: int | None,
    every: float,
    *,
    as_json: bool,
    **credentials: str | None,
) -> None:
    """Print events as they happen, and forward them to a receiver.

    Reads GET /events, so it needs no public address: the receiver may run on this machine. Ctrl-C ends it.
    """
    signing_secret = check_secret(secret or new_signing_secret())
    receiver = None if forward is None else partial(ReceiverConnection, forward)
    if receiver is not None:
        receiver()  # a wrong address is told before anything else
        _note(f"signing secret: {signing_secret}")
    with suppress(Stopped):
        run_async(_listen(Credentials(**credentials), receiver, types, signing_secret, since, every, as_json))


async def _listen(
    credentials: Credentials,
    connect: Callable[[], ReceiverConnection] | None,
    types: frozenset[EventType],
    secret: str,
    since: int | None,
    every: float,
    as_json: bool,
) -> None:
    async with credentials.connect(_ONCE) as api:
        after = await newest_sequence(api.transport) if since is None else since
        follower = Follower(api.transport, after, every, _note)
        receiver = None if connect is None else connect()
        _note(f"listening after sequence {after}; Ctrl-C ends it")
        try:
            await Listening(follower, types, secret, as_json, click.echo).run(receiver)
        finally:
            _note(f"ended after sequence {follower.after}")
            if receiver is not None:
                await receiver.close()


@click.command()
@click.argument("event", required=False)
@click.option("--list", "as_list", is_flag=True, help="Show what is done for each type of event.")
@with_credentials
def trigger(event: str | None, *, as_list: bool, **credentials: str | None) -> None:
    """Make an event happen in a sandbox, by real calls.

    For example: `frontdesk trigger order.created`
    """
    if as_list:
        click.echo("\n".join(list_lines()))
        return
    if event is None:
        raise click.UsageError("name an event, or use --list")
    run_async(_trigger(Credentials(**credentials), chosen_event(event)))


async def _trigger(credentials: Credentials, kind: EventType) -> None:
    async with credentials.connect(RetryPolicy(max_delay=10.0)) as api:
        await trigger_event(api, kind, click.echo)
