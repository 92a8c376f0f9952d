"""`frontdesk listen`: nothing is missed, and a receiver gets what a webhook would send it."""

import asyncio

import pytest

from frontdesk_client import verify_webhook
from tests.developer_tools.running import credentials_of, listening
from tests.factories.changes import change_row
from tests.factories.credentials import make_client
from tests.support.programs.commands import free_port, run_here
from tests.support.servers.receiver import receiving, respond_with
from tests.support.service import Service
from tests.support.shop import Shop
from tests.webhooks.fixture import make_webhook, running_worker


@pytest.fixture(scope="module")
async def own_shop(service: Service) -> Shop:
    return await service.new_shop()


async def make_customer(shop: Shop, name: str = "Sara") -> str:
    answer = await shop.post("/customers", {"first_name": name})
    assert answer.status_code == 201, answer.text
    made: str = answer.json()["data"]["id"]
    return made


async def newest_sequence(shop: Shop) -> int:
    (row,) = await shop.sql("SELECT coalesce(max(sequence), 0) AS newest FROM events WHERE tenant_id = $1")
    newest: int = row["newest"]
    return newest


async def test_what_happens_from_now_on_is_printed_and_ctrl_c_ends_it(own_shop: Shop) -> None:
    shop = own_shop
    await make_customer(shop)
    async with listening(await make_client(shop), "--events", "customer.created") as listener:
        await listener.said(f"listening after sequence {await newest_sequence(shop)};")
        customer = await make_customer(shop)
        line = await listener.line()
        assert line.endswith(f"customer.created              customer {customer}")
        ended = f"ended after sequence {await newest_sequence(shop)}"
        assert await listener.stop() == 0
        assert await listener.said("ended") == ended


async def test_a_receiver_gets_what_the_webhook_sends(service: Service) -> None:
    """The same body to the byte, the same headers, and a signature that its secret verifies."""
    shop = await service.new_shop()
    async with receiving() as real, receiving(respond_with(500)) as own, running_worker(service.dsn):
        hook = await make_webhook(shop, real.url)
        options = ("--forward", own.url, "--secret", hook.secret, "--events", "customer.created", "--json")
        async with listening(hook.client, *options) as listener:
            assert (await listener.said("signing secret")).endswith(hook.secret)
            await listener.said("listening")
            await make_customer(shop, "نورة 👩‍🦰")
            (sent,), (forwarded,) = await asyncio.gather(real.wait_for(1), own.wait_for(1))
            printed = await listener.document()
    assert forwarded.body == sent.body
    different = {"webhook-timestamp", "webhook-signature", "host"}
    assert forwarded.headers.keys() == sent.headers.keys()
    assert {n: v for n, v in forwarded.headers.items() if n not in different} == {
        name: value for name, value in sent.headers.items() if name not in different
    }
    assert str(verify_webhook(forwarded.body, forwarded.headers, hook.secret).id) == forwarded.id
    assert printed["event"] == forwarded.event
    assert (printed["forward"]["status"], printed["forward"]["error"]) == (500, None)


async def test_it_begins_where_it_is_told_to(service: Service) -> None:
    shop = await service.new_shop()
    before = await newest_sequence(shop)
    made = [await make_customer(shop) for _ in range(3)]
    async with listening(await make_client(shop), "--since", str(before), "--json") as listener:
        seen = [(await listener.document())["event"]["data"]["customer"]["id"] for _ in made]
    assert seen == made


async def test_it_goes_on_when_the_service_fails_and_when_its_token_ends(service: Service) -> None:
    shop = await service.new_shop()
    since = await newest_sequence(shop)
    for fault in ({"kind": "error", "status": 503}, {"kind": "token_revoked"}, {"kind": "lost_answer"}):
        answer = await shop.post("/sandbox/faults", {**fault, "route": "GET /events"})
        assert answer.status_code == 201, answer.text
    async with listening(await make_client(shop), "--since", str(since), "--json") as listener:
        await listener.said("waiting for the service: 503")
        await listener.said("the service answers again")
        customer = await make_customer(shop)
        assert (await listener.document())["event"]["data"]["customer"]["id"] == customer
        left = [fault["remaining"] for fault in (await shop.get("/sandbox/faults")).json()["data"]]
        assert left == [0, 0, 0]
        assert await listener.stop() == 0


async def test_a_receiver_that_does_not_answer_holds_nothing_up(service: Service) -> None:
    shop = await service.new_shop()
    since = await newest_sequence(shop)
    made = [await make_customer(shop) for _ in range(2)]
    nowhere = f"http://127.0.0.1:{free_port()}/hook"
    async with listening(await make_client(shop), "--since", str(since), "--forward", nowhere) as listener:
        for customer in made:
            line = await listener.line()
            assert f"customer {customer}" in line
            assert "cannot connect" in line


async def test_a_client_that_is_taken_away_ends_it(service: Service) -> None:
    shop = await service.new_shop()
    client = await make_client(shop)
    async with listening(client) as listener:
        await listener.said("listening")
        await change_row(shop, "api_clients", client.id, secret_hash=b"another", secret_version=2)
        await listener.said("frontdesk: 401 authentication_failed")
        assert await listener.process.wait() == 2


@pytest.mark.parametrize(
    ("options", "settings", "message"),
    [
        ((), {"client_secret": ""}, "set FRONTDESK_CLIENT_ID and FRONTDESK_CLIENT_SECRET"),
        ((), {"base_url": "desk"}, "is not a base URL"),
        ((), {"client_secret": "wrong"}, "401 authentication_failed"),
        (("--forward", "desk"), {}, "Enter an address that begins with https:// or http://."),
        (("--secret", "whsec_"), {}, "the signing secret must be `whsec_` and base64"),
        (("--events", "customer.create"), {}, "'customer.create' is no type of event: did you mean customer.created"),
        (("--events", "nonsense"), {}, "'nonsense' is no type of event: `frontdesk trigger --list` shows them"),
    ],
)
async def test_wrong_settings_are_one_line(
    shop: Shop, options: tuple[str, ...], settings: dict[str, str], message: str
) -> None:
    given = {**credentials_of(await make_client(shop)), **settings}
    ended = await asyncio.to_thread(run_here, "listen", *options, **given)
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1), ended.stderr
    assert message in ended.stderr
