"""`frontdesk conformance --flow-url`: a right application passes, and a broken one fails what is about it."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest

from examples.tasks.server import Application, running
from frontdesk.developer_tools.api import connected
from frontdesk.developer_tools.conformance.flow import failures, quiet_days
from frontdesk.developer_tools.conformance.flow.all_scenarios import FLOW_SCENARIOS
from frontdesk.developer_tools.conformance.flow.flow import Flow, Run
from frontdesk.developer_tools.conformance.flow.proxy import Call, running_proxy
from frontdesk.developer_tools.conformance.flow.refusals import require_other_times
from frontdesk.developer_tools.conformance.receiver import receiver
from frontdesk.developer_tools.conformance.receiver.all_scenarios import RECEIVER_SCENARIOS
from frontdesk.developer_tools.conformance.receiver.receiver import Receiver
from frontdesk.developer_tools.conformance.run import Runner
from frontdesk.developer_tools.conformance.scenarios import Failed, Outcome, Result, Scenario
from frontdesk.webhooks.signing import new_signing_secret
from frontdesk_client import RetryPolicy
from tests.developer_tools.flows import BROKEN, NAIVE, NewDesk, naive, right, that_polls
from tests.developer_tools.running import credentials_of
from tests.factories.credentials import ApiClient, make_client
from tests.support.programs.commands import free_port, run
from tests.support.service import PLENTY, Service
from tests.support.shop import NO_CERTIFICATES, OPEN_API, Shop

SECRET = new_signing_secret()


@pytest.fixture(scope="module")
async def own_shop(service: Service) -> Shop:
    return await service.new_shop()


@pytest.fixture
async def client(own_shop: Shop) -> ApiClient:
    return await make_client(own_shop, rate_limit=PLENTY)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same waits, shorter."""
    monkeypatch.setattr(failures, "_SLOW", 1)
    monkeypatch.setattr(quiet_days, "_IDLE", 0.2)


@asynccontextmanager
async def doing(new_desk: NewDesk, base_url: str, client: ApiClient) -> AsyncIterator[str]:
    """The URL at which the application takes webhooks and tasks."""
    desk = new_desk(base_url, client)
    try:
        with running(Application(desk, SECRET, 0)) as url:
            yield url
    finally:
        await asyncio.to_thread(desk.close)  # it may wait for an answer of the proxy, which is in this event loop


async def results_of(
    client: ApiClient, new_desk: NewDesk, scenarios: Iterable[Scenario] = FLOW_SCENARIOS
) -> list[Result]:
    given = credentials_of(client)
    async with (
        connected(**given, retry_policy=RetryPolicy()) as api,
        running_proxy(given["base_url"], "127.0.0.1", 0) as proxy,
        doing(new_desk, proxy.base_url, client) as url,
    ):
        flow = Flow(url, SECRET, client.shop.tenant_id, api, proxy, lambda _line: None)
        try:
            return await Runner("", lambda _line: None).run(scenarios, flow)
        finally:
            await flow.close()


def ids(results: list[Result], outcome: Outcome) -> set[str]:
    return {result.id for result in results if result.outcome is outcome}


@pytest.mark.usefixtures("quick")
async def test_the_example_passes_everything(client: ApiClient) -> None:
    results = await results_of(client, right)
    assert [result for result in results if result.outcome is not Outcome.PASSED] == []
    assert len(results) >= 30


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("new_desk", BROKEN, ids=lambda new_desk: new_desk.__name__)
async def test_a_broken_application_fails_what_is_about_it(
    client: ApiClient, new_desk: NewDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A booking on a quiet day and what is not about it pass all the same."""
    if new_desk is that_polls:
        monkeypatch.setattr(quiet_days, "_IDLE", 2.0)  # a busy machine needs a while for three requests
    chosen = [one for one in FLOW_SCENARIOS if one.id in {*BROKEN[new_desk], "books", "deleted-item"}]
    results = await results_of(client, new_desk, chosen)
    assert ids(results, Outcome.FAILED) == BROKEN[new_desk], [result.message for result in results]
    for result in results:
        if result.outcome is Outcome.FAILED:
            assert result.message
            assert result.advice


def test_a_refused_time_is_taken_again_only_after_another_search() -> None:
    order, search = (Call("POST", path, "", {}, b"{}", 0.0) for path in ("/orders", "/availability"))
    require_other_times(Run(200, {}, [search, order, search, order]))
    with pytest.raises(Failed):
        require_other_times(Run(200, {}, [search, order, order]))


@pytest.mark.usefixtures("quick")
async def test_a_naive_application_fails_much(client: ApiClient) -> None:
    """What it has no task for is skipped."""
    results = await results_of(client, naive)
    assert ids(results, Outcome.SKIPPED) == {"no-such-order", "pay-exactly", "pay-once", "cancel-again", "cancel-lost"}
    assert ids(results, Outcome.FAILED) == NAIVE


async def test_the_example_receives_as_it_should(client: ApiClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(receiver, "_STAYS", 0.05)
    async with doing(right, credentials_of(client)["base_url"], client) as url:
        subject = Receiver(url, SECRET, url)
        try:
            results = await Runner("", lambda _line: None).run(RECEIVER_SCENARIOS, subject)
        finally:
            await subject.close()
    assert [result for result in results if result.outcome is not Outcome.PASSED] == []


async def test_without_a_booking_nothing_else_is_said(client: ApiClient) -> None:
    """Its calls do not come by the kit."""
    origin = credentials_of(client)["base_url"]
    results = await results_of(client, lambda _proxy, client: right(origin, client), FLOW_SCENARIOS[:3])
    assert [result.outcome for result in results] == [Outcome.FAILED, Outcome.SKIPPED, Outcome.SKIPPED]
    assert results[0].message
    assert "no call came by http://127.0.0.1:" in results[0].message


async def test_the_command_says_where_to_call_and_leaves_no_fault(client: ApiClient, tmp_path: Path) -> None:
    port, file = free_port(), tmp_path / "report.json"
    chosen = ("--scenario", "books", "--scenario", "server-error", "--scenario", "accepted")
    async with doing(right, f"http://127.0.0.1:{port}{OPEN_API}", client) as url:
        options = ("--flow-url", url, "--port", str(port), "--json", str(file), *chosen)
        ended = await asyncio.to_thread(run, "conformance", *options, webhook_secret=SECRET, **credentials_of(client))
    assert (ended.returncode, ended.stderr) == (0, f"let your application call http://127.0.0.1:{port}{OPEN_API}\n")
    assert ended.stdout.endswith("2 passed, 0 failed, 1 skipped\n")
    report = json.loads(file.read_text())
    assert (report["url"], report["flow_url"]) == (None, url)
    assert (await client.shop.get("/sandbox/faults")).json()["data"] == []


async def test_a_task_that_nobody_signed_is_refused(client: ApiClient) -> None:
    async with doing(right, credentials_of(client)["base_url"], client) as url:
        answered = await asyncio.to_thread(httpx2.post, url, json={"type": "conformance.task"}, verify=NO_CERTIFICATES)
    assert answered.status_code == 401
