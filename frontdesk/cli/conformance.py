"""`frontdesk conformance`: for those who build applications, over HTTP."""

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

import click

from frontdesk.auth.credentials import parse_client_id
from frontdesk.cli.developing import Credentials, with_credentials
from frontdesk.developer_tools.api import Api, require_sandbox
from frontdesk.developer_tools.conformance.events import KIT_BUSINESS
from frontdesk.developer_tools.conformance.flow.flow import Flow
from frontdesk.developer_tools.conformance.flow.proxy import running_proxy
from frontdesk.developer_tools.conformance.receiver.receiver import Receiver
from frontdesk.developer_tools.conformance.report import StoredResults, make_report, send_report
from frontdesk.developer_tools.conformance.run import ALL_SCENARIOS, Runner, chosen_scenarios, list_lines
from frontdesk.developer_tools.conformance.scenarios import Group, Result, Scenario
from frontdesk.developer_tools.sending import check_secret
from frontdesk.docs_site.addresses import GUIDES
from frontdesk.errors import StartupError
from frontdesk.runtime.async_stop_signals import run_async
from frontdesk.runtime.stop_signals import Stopped
from frontdesk.values.ids import uuid7
from frontdesk_client import RetryPolicy

_note = partial(click.echo, err=True)
_PATIENT = RetryPolicy(max_delay=60.0)
_PORT = 8899
_FILE = click.Path(path_type=Path, dir_okay=False)


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
@click.option("--json", "file", type=_FILE, help="Write the results there.")
@click.option("--resume", type=_FILE, help="Keep the results there, and go on from those that are there.")
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
    resume: Path | None,
    *,
    as_list: bool,
    no_report: bool,
    **credentials: str | None,
) -> None:
    """Try scenarios on the program of an integrator, and say what it does wrong.

    The URL is that of the receiver, which may run on this machine. The report of all scenarios is stored in the
    sandbox, where those who review your application see it; with --scenario none is. With --resume what has passed
    before is not tried again, and the report has the results of all runs. The exit status is 1 if a scenario fails.
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
    stored = StoredResults(resume, url, flow_url) if resume else None
    chosen = _Chosen(chosen_scenarios(ids), stored, is_partial=bool(ids))
    try:
        results = run_async(_run(Credentials(**credentials), subjects, chosen, sends_report=not no_report))
    except Stopped:
        if resume:
            _note(f"the same command goes on from {resume}")
        return
    report = make_report(url, flow_url, results)
    if file is not None:
        report.write(file)
    click.echo(f"{report.passed} passed, {report.failed} failed, {report.skipped} skipped")
    sys.exit(1 if report.failed else 0)


class _Chosen(NamedTuple):
    """What is run: without names everything that has not passed before."""

    named: list[Scenario]
    stored: StoredResults | None
    is_partial: bool

    def of_group(self, group: Group) -> list[Scenario]:
        tried = [scenario for scenario in self.named if scenario.group is group]
        if self.stored is None or self.is_partial:
            return tried
        return [scenario for scenario in tried if not self.stored.has_passed(scenario)]

    async def joined(self, runner: Runner, results: list[Result]) -> list[Result]:
        """With the results of the runs before. Those that no run had are skipped."""
        if self.stored is None:
            return results
        found = {result.id: result for result in results}
        missing = [scenario for scenario in ALL_SCENARIOS if scenario.id not in found]
        found |= {scenario.id: await runner.skip(scenario, "it was not run yet") for scenario in missing}
        return self.stored.joined(found[scenario.id] for scenario in ALL_SCENARIOS)


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


async def _run(credentials: Credentials, subjects: _Subjects, chosen: _Chosen, *, sends_report: bool) -> list[Result]:
    async with credentials.connect(_PATIENT) as api:
        await require_sandbox(api)
        runner = Runner(_docs(api.transport.session.base_url), click.echo)
        if chosen.stored is not None:
            runner = runner._replace(keep=chosen.stored.keep)
        results = await subjects.try_receiver(runner, chosen.of_group(Group.RECEIVER))
        results += await subjects.try_flow(runner, chosen.of_group(Group.FLOW), api)
        results = await chosen.joined(runner, results)
        if sends_report and (chosen.stored is not None or not chosen.is_partial):
            await send_report(api, results)
        return results


def _docs(base_url: str) -> str:
    return base_url.partition("/open-api/")[0] + GUIDES
