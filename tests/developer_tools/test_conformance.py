"""`frontdesk conformance`: a right receiver passes, and one that is broken in one way fails what is about it."""

import asyncio
import json
from pathlib import Path

import pytest

from frontdesk.developer_tools.conformance.events import KIT_BUSINESS
from frontdesk.developer_tools.conformance.receiver import connections, event_types, receiver
from frontdesk.developer_tools.conformance.receiver.all_scenarios import RECEIVER_SCENARIOS
from frontdesk.developer_tools.conformance.receiver.receiver import Receiver
from frontdesk.developer_tools.conformance.run import ALL_SCENARIOS, Runner
from frontdesk.developer_tools.conformance.scenarios import Outcome, Result
from frontdesk.docs_site.guide_files import guides
from frontdesk.webhooks.event_types import EventType
from frontdesk_client import verify_webhook
from tests.developer_tools.integrator import BROKEN, Answer, Integrator, good, receiver_that
from tests.developer_tools.running import credentials_of
from tests.factories.credentials import make_client
from tests.support.programs.commands import free_port, run, run_here
from tests.support.servers.receiver import receiving
from tests.support.shop import Shop


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same waits, shorter."""
    monkeypatch.setattr(receiver, "_STAYS", 0.05)
    monkeypatch.setattr(receiver, "_HANDLED_WITHIN", 0.5)
    monkeypatch.setattr(connections, "_PAUSE", 0.02)


async def results_of(integrator: Integrator, *, is_telling: bool = True) -> list[Result]:
    handled_url = integrator.handled_url if is_telling else None
    subject = Receiver(integrator.url, integrator.secret, handled_url)
    try:
        return await Runner("", lambda _line: None).run(RECEIVER_SCENARIOS, subject)
    finally:
        await subject.close()


def ids(results: list[Result], outcome: Outcome) -> set[str]:
    return {result.id for result in results if result.outcome is outcome}


@pytest.mark.usefixtures("quick")
async def test_a_right_receiver_passes_everything() -> None:
    async with receiver_that(good) as integrator:
        results = await results_of(integrator)
    assert [result for result in results if result.outcome is not Outcome.PASSED] == []
    assert len(results) >= 60


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("answer", BROKEN, ids=lambda answer: answer.__name__)
async def test_a_broken_receiver_fails_what_is_about_it(answer: Answer, monkeypatch: pytest.MonkeyPatch) -> None:
    if answer.__name__ == "thinks_long":
        monkeypatch.setattr(connections, "_QUICK", 0.15)
    async with receiver_that(answer) as integrator:
        results = await results_of(integrator)
    assert ids(results, Outcome.FAILED) == BROKEN[answer]
    for result in results:
        if result.outcome is Outcome.FAILED:
            assert result.message
            assert result.advice


async def test_without_a_right_delivery_nothing_else_is_said() -> None:
    results = await results_of(Integrator(f"http://127.0.0.1:{free_port()}/hook", "whsec_AAAA", ""))
    assert ids(results, Outcome.FAILED) == {"accepted"}
    assert len(ids(results, Outcome.SKIPPED)) == len(results) - 1


@pytest.mark.usefixtures("quick")
async def test_a_receiver_that_tells_nothing_is_not_asked() -> None:
    async with receiver_that(good) as integrator:
        results = await results_of(integrator, is_telling=False)
    silent = {"handled", "doubled-once", "at-once", "out-of-order-handled", "forged-first", "refused-unhandled"}
    assert ids(results, Outcome.SKIPPED) == silent
    assert ids(results, Outcome.FAILED) == set()


async def test_a_delivery_is_what_a_webhook_sends() -> None:
    async with receiving() as server:
        subject = Receiver(server.url, "whsec_AAAA")
        for kind in EventType:
            await subject.accepts(subject.events.make(kind))
        await subject.close()
    for received, kind in zip(server.received, EventType, strict=True):
        assert verify_webhook(received.body, received.headers, "whsec_AAAA").type == kind
    assert [received.event["sequence"] for received in server.received] == list(range(1, len(EventType) + 1))
    assert {received.event["tenant_id"] for received in server.received} == {str(KIT_BUSINESS)}


def test_every_type_of_event_is_sent() -> None:
    sent = [kind for subjects in event_types.SUBJECTS for kind in event_types.types_of(subjects)]
    assert sorted(sent) == sorted(EventType)


def test_each_scenario_has_a_part_of_a_guide() -> None:
    parts = {f"{guide.name}#{section.anchor}" for guide in guides() for section in guide.sections}
    parts |= {guide.name for guide in guides()}
    assert {scenario.guide for scenario in ALL_SCENARIOS} - parts == set()
    assert len({scenario.id for scenario in ALL_SCENARIOS}) == len(ALL_SCENARIOS) >= 110


async def test_the_command_says_what_is_wrong(shop: Shop, tmp_path: Path) -> None:
    """In English, with the exit status, and in a file."""
    client, file = await make_client(shop), tmp_path / "report.json"
    given = credentials_of(client)
    async with receiver_that(good) as integrator:
        some = ("--scenario", "accepted", "--scenario", "no-id", "--scenario", "doubled-once")
        options = (integrator.url, "--json", str(file), *some)
        ended = await asyncio.to_thread(run, "conformance", *options, webhook_secret=integrator.secret, **given)
        told = f"deliveries are events of the business {KIT_BUSINESS}, which only this kit has\n"
        assert (ended.returncode, ended.stderr) == (0, told)
        assert ended.stdout.endswith("2 passed, 0 failed, 1 skipped\n")
        wrong = await asyncio.to_thread(run_here, "conformance", *options, webhook_secret="whsec_AAAA", **given)
    assert wrong.returncode == 1
    assert "FAIL  accepted" in wrong.stdout
    assert "answered 401" in wrong.stdout
    assert f"{shop.origin}/docs/guides/webhooks#receive-events" in wrong.stdout
    assert (await shop.get("/sandbox/conformance", token=await client.token())).status_code == 404
    report = json.loads(file.read_text())
    assert [(found["id"], found["outcome"]) for found in report["scenarios"]] == [
        ("accepted", "failed"),
        ("no-id", "skipped"),
        ("doubled-once", "skipped"),
    ]
    assert (report["failed"], report["url"]) == (1, integrator.url)


async def test_the_stored_report_names_all_scenarios(shop: Shop) -> None:
    """Also those without an address. Some chosen ones, or --no-report, do not replace it."""
    client = await make_client(shop)
    given = credentials_of(client)
    async with receiver_that(good) as integrator:
        for options in ((), ("--no-report",), ("--scenario", "accepted")):
            asked = ("conformance", integrator.url, *options)
            await asyncio.to_thread(run_here, *asked, webhook_secret="whsec_AAAA", **given)
    stored = (await shop.get("/sandbox/conformance", token=await client.token())).json()["data"]
    assert [scenario["id"] for scenario in stored["scenarios"]] == [scenario.id for scenario in ALL_SCENARIOS]
    assert (stored["passed"], stored["failed"], stored["skipped"]) == (0, 1, len(ALL_SCENARIOS) - 1)
    reasons = {scenario["group"]: scenario["message"] for scenario in stored["scenarios"][1:]}
    assert reasons == {
        "receiver": "not even a right delivery is accepted",
        "flow": "no --flow-url was given",
    }


async def test_a_run_goes_on_from_the_results_of_another(shop: Shop, tmp_path: Path) -> None:
    """What has passed is not tried again, and the stored report has the results of all runs."""
    client, file = await make_client(shop), tmp_path / "results.json"
    nobody = f"http://127.0.0.1:{free_port()}/hook"
    async with receiver_that(good) as integrator:
        asked = ("conformance", integrator.url, "--resume", str(file))
        given = {**credentials_of(client), "webhook_secret": integrator.secret}
        first = await asyncio.to_thread(run_here, *asked, "--scenario", "accepted", "--scenario", "emoji", **given)
        assert first.stdout.endswith(f"2 passed, 0 failed, {len(ALL_SCENARIOS) - 2} skipped\n")
        again = ("conformance", nobody, "--resume", str(file))
        second = await asyncio.to_thread(run_here, *again, "--scenario", "emoji", "--scenario", "no-id", **given)
        assert second.stdout.endswith(f"1 passed, 2 failed, {len(ALL_SCENARIOS) - 3} skipped\n")
        flow = ("conformance", "--flow-url", nobody, "--port", "0", "--resume", str(file))
        third = await asyncio.to_thread(run_here, *flow, **given)
    assert "accepted" not in third.stdout
    stored = (await shop.get("/sandbox/conformance", token=await client.token())).json()["data"]
    assert [scenario["id"] for scenario in stored["scenarios"]] == [scenario.id for scenario in ALL_SCENARIOS]
    outcomes = {scenario["id"]: scenario["outcome"] for scenario in stored["scenarios"]}
    tried = {name: outcomes[name] for name in ("accepted", "emoji", "no-id", "thin-body", "books", "rate-limited")}
    assert tried == {
        "accepted": "passed",
        "emoji": "failed",  # the address that was given last was wrong
        "no-id": "failed",
        "thin-body": "skipped",
        "books": "failed",
        "rate-limited": "skipped",
    }
    assert [one["id"] for one in json.loads(file.read_text())["scenarios"]][:4] == [
        "accepted",
        "emoji",
        "no-id",
        "books",
    ]
    file.write_text("{}")
    broken = await asyncio.to_thread(run_here, *flow, **given)
    assert (broken.returncode, "cannot be read as results of this command" in broken.stderr) == (2, True)


def test_the_scenarios_are_listed() -> None:
    lines = run_here("conformance", "--list").stdout
    assert all(scenario.id in lines and scenario.expected in lines for scenario in ALL_SCENARIOS)


@pytest.mark.parametrize(
    ("options", "settings", "message"),
    [
        ((), {"webhook_secret": "whsec_AAAA"}, "name the URL of your receiver"),
        (("http://127.0.0.1:1/",), {}, "no signing secret: set FRONTDESK_WEBHOOK_SECRET"),
        (("http://127.0.0.1:1/",), {"webhook_secret": "secret"}, "must be `whsec_` and base64"),
        (("desk",), {"webhook_secret": "whsec_AAAA"}, "Enter an address that begins with https:// or http://."),
        (("http://127.0.0.1:1/", "--scenario", "no"), {"webhook_secret": "whsec_AAAA"}, "'no' is no scenario"),
        (("http://127.0.0.1:1/",), {"webhook_secret": "whsec_AAAA", "client_id": ""}, "set FRONTDESK_CLIENT_ID"),
    ],
)
async def test_wrong_settings_are_told(
    shop: Shop, options: tuple[str, ...], settings: dict[str, str], message: str
) -> None:
    given = {**credentials_of(await make_client(shop)), **settings}
    ended = await asyncio.to_thread(run_here, "conformance", *options, **given)
    assert ended.returncode == 2
    assert message in ended.stderr
