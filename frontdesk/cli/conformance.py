"""`frontdesk conformance`: for those who build applications, over HTTP."""

import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

import click
import msgspec

from frontdesk.auth.credentials import parse_client_id
from frontdesk.cli.developing import Credentials, with_credentials
from frontdesk.developer_tools.api import Api, require_sandbox
from frontdesk.developer_tools.conformance.events import KIT_BUSINESS
from frontdesk.developer_tools.conformance.flow.flow import Flow
from frontdesk.developer_tools.conformance.flow.proxy import running_proxy
from frontdesk.developer_tools.conformance.receiver.receiver import Receiver
from frontdesk.developer_tools.conformance.run import Runner, chosen_scenarios, list_lines, make_report, send_report
from frontdesk.developer_tools.conformance.scenarios import Group, Result, Scenario
from frontdesk.developer_tools.sending import check_secret
from frontdesk.docs_site.guide_files import ADDRESS
from frontdesk.errors import StartupError
from frontdesk.runtime.async_stop_signals import run_async
from frontdesk.runtime.stop_signals import Stopped
from frontdesk.values.ids import uuid7
from frontdesk_client import RetryPolicy

_note = partial(click.echo, err=True)
_PATIENT = RetryPolicy(max_delay=60.0)
_PORT = 8899


@click.command()
@click.argument("url", required=False)
@click.option("--flow-url", metavar="URL", help="Where your application takes tasks, to try its calls of the API.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Where its calls are listened to.")
@click.option("--port", type=click.IntRange(0, 65535), default=_PORT, show_default=True, help="0: any free one.")
@click.option("--secret", envvar="FRONTDESK_WEBHOOK_SECRET", help="Signing secret that the receiver verifies with.")
@click.option("--handled", metavar="URL", help="Where the receiver tells how often it has acted on an event.")
@click.option("--scenario", "ids", multiple=True, metavar="ID", help="Only this one. May be given several times.")
@click.option("--list", "as_list", is_flag=True, help="Show the scenarios.")
@click.option("--no-report", is_flag=True, help="Do not store the results, as with --scenario.")
@click.option("--json", "file", type=click.Path(path_type=Path, dir_okay=False), help="Write the results there.")
@with_credentials
def conformance(
    url: str | None,
    flow_url: str | None,
    host: str,
    port: int,
    secret: str | None,
    handled: str | None,
    ids: Sequence[str],
    file: Path | None,
    *,
    as_list: bool,
    no_report: bool,
    **credentials: str | None,
) -> None:
    """Try scenarios on the program of an integrator, and say what it does wrong.

    The URL is that of the receiver, which may run on this machine. The report of all scenarios is stored in the
    sandbox, where those who review your application see it; with --scenario none is. The exit status is 1 if a
    scenario fails.
    """
    if as_list:
        click.echo("\n".join(list_lines()))
        return
    if url is None and flow_url is None:
        raise click.UsageError("name the URL of your receiver, or --flow-url, or use --list")
    if secret is None:
        raise StartupError(
            "no signing secret: set FRONTDESK_WEBHOOK_SECRET to the one that your receiver verifies with"
        )
    tenant = parse_client_id(credentials["client_id"] or "")
    subjects = _Subjects(url, handled, flow_url, host, port, check_secret(secret), tenant[0] if tenant else uuid7())
    scenarios = chosen_scenarios(ids)
    with suppress(Stopped):
        results = run_async(_run(Credentials(**credentials), subjects, scenarios, sends_report=not (no_report or ids)))
        report = make_report(url, flow_url, results)
        if file is not None:
            file.write_bytes(msgspec.json.format(msgspec.json.encode(report), indent=2) + b"\n")
        click.echo(f"{report.passed} passed, {report.failed} failed, {report.skipped} skipped")
        sys.exit(1 if report.failed else 0)


class _Subjects(NamedTuple):
    """What is tried. What has no address is skipped."""

    url: str | None
    handled: str | None
    flow_url: str | None
    host: str
    port: int
    secret: str
    tenant_id: UUID  # in whose sandbox the application does its tasks

    async def try_receiver(self, runner: Runner, scenarios: list[Scenario]) -> list[Result]:
        if self.url is None or not scenarios:
            return [await runner.skip(scenario, "no URL of a receiver was given") for scenario in scenarios]
        receiver = Receiver(self.url, self.secret, self.handled)
        _note(f"deliveries are events of the business {KIT_BUSINESS}, which only this kit has")
        try:
            return await runner.run(scenarios, receiver)
        finally:
            await receiver.close()

    async def try_flow(self, runner: Runner, scenarios: list[Scenario], api: Api) -> list[Result]:
        if self.flow_url is None or not scenarios:
            return [await runner.skip(scenario, "no --flow-url was given") for scenario in scenarios]
        async with running_proxy(api.transport.session.base_url, self.host, self.port) as proxy:
            _note(f"let your application call {proxy.base_url}")
            flow = Flow(self.flow_url, self.secret, self.tenant_id, api, proxy, _note)
            try:
                return await runner.run(scenarios, flow)
            finally:
                await flow.close()


async def _run(
    credentials: Credentials, subjects: _Subjects, scenarios: list[Scenario], *, sends_report: bool
) -> list[Result]:
    async with credentials.connect(_PATIENT) as api:
        await require_sandbox(api)
        runner = Runner(_docs(api.transport.session.base_url), click.echo)
        of_receiver, of_flow = (
            [scenario for scenario in scenarios if scenario.group is group] for group in (Group.RECEIVER, Group.FLOW)
        )
        results = await subjects.try_receiver(runner, of_receiver)
        results += await subjects.try_flow(runner, of_flow, api)
        if sends_report:
            await send_report(api, results)
        return results


def _docs(base_url: str) -> str:
    return base_url.partition("/open-api/")[0] + ADDRESS
