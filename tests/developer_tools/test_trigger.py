"""`frontdesk trigger`: every event that the API can make happen, in a sandbox and nowhere else."""

import asyncio
import re

import pytest

from frontdesk.developer_tools.api import connected
from frontdesk.developer_tools.triggers.catalogue import ALIASES, ELSEWHERE, TRIGGERS
from frontdesk.developer_tools.triggers.run import trigger_event
from frontdesk.webhooks.event_types import EventType
from frontdesk_client import RetryPolicy
from tests.developer_tools.running import credentials_of
from tests.factories.changes import change_tenant
from tests.factories.credentials import ApiClient, make_client
from tests.factories.webhooks import insert_webhook
from tests.support.events import record_events
from tests.support.programs.commands import run, run_here
from tests.support.service import PLENTY, Service
from tests.support.shop import OPEN_API


@pytest.fixture(scope="module")
async def client(service: Service) -> ApiClient:
    """Of a business of its own, with a webhook for what needs one."""
    made = await make_client(await service.new_shop(), rate_limit=PLENTY)
    await insert_webhook(made.shop, made.id, events=["webhook.ping"])
    return made


async def trigger(client: ApiClient, *arguments: str) -> tuple[int, str]:
    """Its status and what it says of errors: the service of this process writes its log to the same output."""
    ended = await asyncio.to_thread(run_here, "trigger", *arguments, **credentials_of(client))
    return ended.returncode, ended.stderr


def test_every_type_of_event_is_made_or_has_another_place() -> None:
    assert set(TRIGGERS) | set(ELSEWHERE) == set(EventType)
    assert not set(TRIGGERS) & set(ELSEWHERE)
    assert not set(ALIASES) & set(EventType)


@pytest.mark.parametrize("kind", TRIGGERS)
async def test_the_event_happens(client: ApiClient, kind: EventType) -> None:
    recorder, said = await record_events(client.shop), list[str]()
    async with connected(client.shop.origin + OPEN_API, client.name, client.secret, RetryPolicy()) as api:
        await trigger_event(api, kind, said.append)
    assert said[-1].startswith(f"{kind}  sequence ")
    if kind != EventType.WEBHOOK_PING:  # only its own client sees it
        assert kind in await recorder.types()


async def test_the_command_tells_every_write(client: ApiClient) -> None:
    ended = await asyncio.to_thread(run, "trigger", "order.paid", **credentials_of(client))
    assert (ended.returncode, ended.stderr) == (0, "")
    *writes, last = ended.stdout.splitlines()
    assert [write.split("  ")[0] for write in writes][:2] == ["POST /customers", "POST /orders"]
    assert re.fullmatch(r"POST /orders/[0-9a-f-]{36}/payments  [0-9a-f-]{36}", writes[-1])
    assert re.fullmatch(r"order.payment_status_changed  sequence [0-9]+  order [0-9a-f-]{36}", last)


def test_the_list_says_what_is_done_and_where_the_others_happen() -> None:
    listed = run_here("trigger", "--list").stdout.splitlines()
    assert {line.split()[0] for line in listed if "." in line.partition(" ")[0]} == set(EventType)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("order.create", "'order.create' is no type of event: did you mean order.created"),
        ("customer.exploded", "did you mean"),
        ("nonsense", "`frontdesk trigger --list` shows them"),
        ("app.installed", "no call of the API makes app.installed happen: only people decide about applications"),
    ],
)
async def test_what_cannot_be_made_is_refused_in_one_line(client: ApiClient, name: str, message: str) -> None:
    status, errors = await trigger(client, name)
    assert (status, errors.count("\n")) == (2, 1)
    assert message in errors


async def test_nothing_is_written_in_a_business_that_is_not_a_sandbox(service: Service) -> None:
    shop = await service.new_shop()
    await change_tenant(shop, is_sandbox=False)
    recorder = await record_events(shop)
    refused = await trigger(await make_client(shop), "customer.created")
    assert refused == (2, "frontdesk: this business is not a sandbox: nothing was done\n")
    assert await recorder.types() == []


async def test_what_the_client_may_not_do_is_told(service: Service) -> None:
    client = await make_client(await service.new_shop(), scopes=["customers:read"])
    status, errors = await trigger(client, "customer.created")
    assert (status, errors.count("\n")) == (2, 1)
    assert "insufficient_scope" in errors


async def test_a_ping_needs_a_webhook(service: Service) -> None:
    client = await make_client(await service.new_shop())
    status, errors = await trigger(client, "webhook.ping")
    assert (status, errors.count("\n")) == (2, 1)
    assert "create one first" in errors
