"""`frontdesk conformance`: for those who build applications, over HTTP."""

import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

import click
import msgspec

from frontdesk.auth.credentials import parse_client_id
from frontdesk.cli.developing import Credentials, with_credentials
from frontdesk.developer_tools.api import require_sandbox
from frontdesk.developer_tools.conformance.receiver.receiver import Receiver
from frontdesk.developer_tools.conformance.run import Runner, chosen_scenarios, list_lines, make_report
from frontdesk.developer_tools.conformance.scenarios import Result, Scenario
from frontdesk.developer_tools.sending import check_secret
from frontdesk.docs_site.guide_files import ADDRESS
from frontdesk.errors import StartupError
from frontdesk.runtime.async_stop_signals import run_async
from frontdesk.runtime.stop_signals import Stopped
from frontdesk.values.ids import uuid7
from frontdesk_client import RetryPolicy

_note = partial(click.echo, err=True)
_PATIENT = RetryPolicy(max_delay=60.0)


@click.command()
@click.argument("url", required=False)
@click.option("--secret", envvar="FRONTDESK_WEBHOOK_SECRET", help="Signing secret that the receiver verifies with.")
@click.option("--handled", metavar="URL", help="Where the receiver tells how often it has acted on an event.")
@click.option("--scenario", "ids", multiple=True, metavar="ID", help="Only this one. May be given several times.")
@click.option("--list", "as_list", is_flag=True, help="Show the scenarios.")
@click.option("--json", "file", type=click.Path(path_type=Path, dir_okay=False), help="Write the results there.")
@with_credentials
def conformance(
    url: str | None,
    secret: str | None,
    handled: str | None,
    ids: Sequence[str],
    file: Path | None,
    *,
    as_list: bool,
    **credentials: str | None,
) -> None:
    """Try scenarios on a receiver of webhooks, and say what it does wrong.

    The URL is that of the receiver, which may run on this machine. The exit status is 1 if a scenario fails.
    """
    if as_list:
        click.echo("\n".join(list_lines()))
        return
    if url is None:
        raise click.UsageError("name the URL of your receiver, or use --list")
    if secret is None:
        raise StartupError(
            "no signing secret: set FRONTDESK_WEBHOOK_SECRET to the one that your receiver verifies with"
        )
    scenarios = chosen_scenarios(ids)
    tenant = parse_client_id(credentials["client_id"] or "")
    receiver = partial(Receiver, url, check_secret(secret), tenant[0] if tenant else uuid7(), handled)
    with suppress(Stopped):
        results = run_async(_run(Credentials(**credentials), receiver, scenarios))
        report = make_report(url, results)
        if file is not None:
            file.write_bytes(msgspec.json.format(msgspec.json.encode(report), indent=2) + b"\n")
        click.echo(f"{report.passed} passed, {report.failed} failed, {report.skipped} skipped")
        sys.exit(1 if report.failed else 0)


async def _run(credentials: Credentials, receiver: "partial[Receiver]", scenarios: list[Scenario]) -> list[Result]:
    async with credentials.connect(_PATIENT) as api:
        await require_sandbox(api)
        opened = receiver()
        try:
            return await Runner(_docs(api.transport.session.base_url), click.echo).run(scenarios, opened)
        finally:
            await opened.close()


def _docs(base_url: str) -> str:
    return base_url.partition("/open-api/")[0] + ADDRESS
