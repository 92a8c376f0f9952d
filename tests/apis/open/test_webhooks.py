"""Subscribing to events: whose webhooks they are, which events they may get, and the secret that is seen once."""

import asyncio
import base64
from datetime import UTC, datetime
from uuid import uuid4

import pytest

from frontdesk.security.encryption import SecretBox
from tests.factories.changes import ago, ahead, change_row, change_rows
from tests.factories.webhooks import insert_attempt
from tests.support.branch import BranchFixture, line
from tests.support.http_errors import assert_error
from tests.support.pagination import Document, json_exact
from tests.support.service import SECRET_KEYS, Service, running_service
from tests.support.shop import Shop
from tests.support.subscriber import ORDERS, URL, Subscriber, subscriber
from tests.support.waiting import answered


@pytest.fixture
async def app(busy_shop: Shop) -> Subscriber:
    return await subscriber(busy_shop)


async def test_a_webhook_is_made_and_read_back(app: Subscriber) -> None:
    made = await app.subscribe()
    assert made.pop("secret").startswith("whsec_")
    assert (made["url"], made["events"], made["active"]) == (URL, ORDERS, True)
    assert await app.read(made["id"]) == made
    listed = json_exact(await app.request("GET", "/webhooks"))
    assert (listed["data"], listed["meta"]["total"]) == ([made], 1)


async def test_a_webhook_secret_is_shown_once_and_stored_encrypted(app: Subscriber) -> None:
    made = await app.subscribe()
    assert len(base64.b64decode(made["secret"].removeprefix("whsec_"), validate=True)) == 32
    for path in ("/webhooks", f"/webhooks/{made['id']}"):
        assert "secret" not in (await app.request("GET", path)).text.replace("previous_secret_until", "")
    (row,) = await app.shop.sql("SELECT secret FROM webhooks WHERE tenant_id = $1 AND id = $2", made["id"])
    assert made["secret"].encode() not in row["secret"]
    assert SecretBox(SECRET_KEYS).decrypt(row["secret"]).decode() == made["secret"]


async def test_a_repeated_request_returns_the_secret_again_and_it_is_stored_encrypted(app: Subscriber) -> None:
    key, body = {"idempotency-key": str(uuid4())}, {"url": URL, "events": ORDERS}
    first = await app.request("POST", "/webhooks", body, headers=key)
    again = await app.request("POST", "/webhooks", body, headers=key)
    assert first.status_code == again.status_code == 201
    assert (again.content, again.headers["idempotent-replayed"]) == (first.content, "true")
    (row,) = await app.shop.sql(
        "SELECT body, secret FROM idempotency_records WHERE tenant_id = $1 AND key = $2", key["idempotency-key"]
    )
    assert b"whsec_" not in row["body"] + row["secret"]
    assert len(json_exact(await app.request("GET", "/webhooks"))["data"]) == 1


async def test_a_stored_secret_that_cannot_be_decrypted_is_reported(app: Subscriber) -> None:
    path = f"/webhooks/{(await app.subscribe())['id']}/rotate-secret"
    key = {"idempotency-key": str(uuid4())}
    assert (await app.request("POST", path, headers=key)).status_code == 200
    await change_rows(
        app.shop,
        "idempotency_records",
        {"key": key["idempotency-key"]},
        secret=SecretBox(["another key " * 4]).encrypt(b"secret"),
    )
    again = await app.request("POST", path, headers=key)
    assert_error(again, 422, "idempotency_key_reused")
    assert "encryption key has changed" in again.json()["message"]


async def test_a_rotated_secret_leaves_the_earlier_one_for_a_day(app: Subscriber) -> None:
    made = await app.subscribe()
    rotated = json_exact(await app.request("POST", f"/webhooks/{made['id']}/rotate-secret"))["data"]
    assert rotated["secret"] != made["secret"]
    assert rotated["previous_secret_until"] > rotated["updated_at"]
    (row,) = await app.shop.sql(
        """
        SELECT secret, previous_secret, previous_secret_until - now() BETWEEN '23 h 59 min' AND '24 h' AS a_day
        FROM webhooks WHERE tenant_id = $1 AND id = $2
        """,
        made["id"],
    )
    opened = [SecretBox(SECRET_KEYS).decrypt(row[name]).decode() for name in ("secret", "previous_secret")]
    assert (opened, row["a_day"]) == ([rotated["secret"], made["secret"]], True)


async def test_an_event_is_sent_only_to_clients_that_may_read_it(busy_shop: Shop) -> None:
    app = await subscriber(busy_shop, "orders:read")
    answer = await app.request("POST", "/webhooks", {"url": URL, "events": ["order.created", "customer.created"]})
    assert assert_error(answer, 403, "insufficient_scope")["details"] == {"scope": "customers:read"}
    assert 'scope="customers:read"' in answer.headers["www-authenticate"]
    made = await app.subscribe(["order.created", "app.disconnected", "webhook.ping"])
    for kind, scope in (("transaction.created", "transactions:read"), ("item.stock_changed", "items:read")):
        answer = await app.request("PATCH", f"/webhooks/{made['id']}", {"events": [kind]})
        assert assert_error(answer, 403, "insufficient_scope")["details"] == {"scope": scope}
    assert (await app.read(made["id"]))["events"] == ["order.created", "app.disconnected", "webhook.ping"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"events": ORDERS}, "url"),
        ({"url": URL}, "events"),
        ({"url": URL, "events": []}, "events"),
        ({"url": URL, "events": ["order.eaten"]}, "events.0"),
        ({"url": URL, "events": "order.created"}, "events"),
        ({"url": URL, "events": ORDERS, "active": "yes"}, "active"),
        ({"url": "hooks.example.com", "events": ORDERS}, "url"),
        ({"url": "ftp://hooks.example.com", "events": ORDERS}, "url"),
        ({"url": "https://me:secret@hooks.example.com", "events": ORDERS}, "url"),
        ({"url": "http://127.0.0.1/hook", "events": ORDERS}, "url"),
        ({"url": "http://localhost:8000/hook", "events": ORDERS}, "url"),
        ({"url": "http://[::1]/hook", "events": ORDERS}, "url"),
        ({"url": "http://169.254.169.254/latest", "events": ORDERS}, "url"),
        ({"url": "http://10.0.0.7/", "events": ORDERS}, "url"),
        ({"url": "https://hooks.example.com/" + "x" * 2000, "events": ORDERS}, "url"),
    ],
)
async def test_a_wrong_subscription_is_refused(app: Subscriber, body: Document, field: str) -> None:
    answer = assert_error(await app.request("POST", "/webhooks", body), 422, "validation_error")
    assert list(answer["errors"]) == [field]
    assert json_exact(await app.request("GET", "/webhooks"))["data"] == []


async def test_an_event_type_named_twice_is_subscribed_once(app: Subscriber) -> None:
    assert (await app.subscribe(["order.created", "order.created"]))["events"] == ["order.created"]


async def test_a_client_has_at_most_twenty_even_if_it_asks_all_at_once(busy_shop: Shop, app: Subscriber) -> None:
    body = {"url": URL, "events": ORDERS}
    answers = await asyncio.gather(*(answered(lambda: app.request("POST", "/webhooks", body)) for _ in range(30)))
    assert sorted(answer.status_code for answer in answers) == [201] * 20 + [422] * 10
    neighbour = await subscriber(busy_shop)
    assert await neighbour.subscribe()
    listed = json_exact(await app.request("GET", "/webhooks"))["data"]
    assert (await app.request("DELETE", f"/webhooks/{listed[0]['id']}")).status_code == 204
    assert await app.subscribe()


async def test_a_webhook_is_changed_field_by_field(app: Subscriber) -> None:
    made = await app.subscribe()
    path = f"/webhooks/{made['id']}"
    moved = json_exact(await app.request("PATCH", path, {"url": URL + "/v2"}))["data"]
    assert (moved["url"], moved["events"], moved["active"]) == (URL + "/v2", ORDERS, True)
    fewer = json_exact(await app.request("PATCH", path, {"events": ["order.created"]}))["data"]
    assert (fewer["url"], fewer["events"]) == (URL + "/v2", ["order.created"])
    off = json_exact(await app.request("PATCH", path, {"active": False}))["data"]
    assert (off["active"], off["disabled_reason"]) == (False, "Switched off by hand.")
    assert off["disabled_at"] is not None
    on = json_exact(await app.request("PATCH", path, {"active": True}))["data"]
    assert (on["active"], on["disabled_at"], on["disabled_reason"]) == (True, None, None)
    assert json_exact(await app.request("PATCH", path, {}))["data"]["events"] == ["order.created"]
    assert_error(await app.request("PATCH", path, {"url": "http://127.0.0.1"}), 422, "validation_error")
    assert (await app.read(made["id"]))["url"] == URL + "/v2"


async def test_enabling_a_webhook_resets_its_failures(app: Subscriber) -> None:
    made = await app.subscribe()
    await change_row(
        app.shop,
        "webhooks",
        made["id"],
        disabled_at=ago(),
        disabled_reason='{"kind": "GONE"}',
        failing_since=ago(),
        paused_until=ahead(days=1),
    )
    kept = json_exact(await app.request("PATCH", f"/webhooks/{made['id']}", {"active": False}))["data"]
    assert (kept["disabled_reason"], kept["failing_since"] is None) == ("The receiver answered 410 Gone.", False)
    on = json_exact(await app.request("PATCH", f"/webhooks/{made['id']}", {"active": True}))["data"]
    assert (on["active"], on["failing_since"]) == (True, None)


async def test_another_clients_webhook_does_not_exist(busy_shop: Shop, other_shop: Shop, app: Subscriber) -> None:
    made = await app.subscribe()
    ping = json_exact(await app.request("POST", f"/webhooks/{made['id']}/ping"), 201)["data"]
    for stranger in (await subscriber(busy_shop), await subscriber(other_shop)):
        path = f"/webhooks/{made['id']}"
        for method, where in (
            ("GET", path),
            ("PATCH", path),
            ("DELETE", path),
            ("POST", f"{path}/ping"),
            ("POST", f"{path}/rotate-secret"),
            ("GET", f"{path}/deliveries"),
            ("POST", f"/webhooks/deliveries/{ping['id']}/retry"),
        ):
            assert_error(await stranger.request(method, where, {} if method == "PATCH" else None), 404, "not_found")
        assert json_exact(await stranger.request("GET", "/webhooks"))["data"] == []
    assert (await app.read(made["id"]))["active"]


async def test_a_deleted_webhook_is_gone_with_its_deliveries(app: Subscriber) -> None:
    made = await app.subscribe()
    await app.request("POST", f"/webhooks/{made['id']}/ping")
    assert (await app.request("DELETE", f"/webhooks/{made['id']}")).status_code == 204
    assert_error(await app.request("GET", f"/webhooks/{made['id']}"), 404, "not_found")
    assert (
        await app.shop.sql("SELECT FROM webhook_deliveries WHERE tenant_id = $1 AND webhook_id = $2", made["id"]) == []
    )


async def test_a_ping_is_an_event_for_one_webhook_alone(busy_shop: Shop, app: Subscriber) -> None:
    first, second = await app.subscribe(), await app.subscribe()
    delivery = json_exact(await app.request("POST", f"/webhooks/{first['id']}/ping"), 201)["data"]
    assert (delivery["webhook_id"], delivery["state"], delivery["attempts"]) == (first["id"], "due", [])
    assert delivery["event"]["type"] == "webhook.ping"
    assert await app.deliveries(first["id"]) == [delivery]
    assert await app.deliveries(second["id"]) == []
    listed = json_exact(await app.request("GET", "/events", params={"type": "webhook.ping"}))["data"]
    assert [event["data"] for event in listed] == [{"webhook_id": first["id"]}]
    stranger = await subscriber(busy_shop)
    assert json_exact(await stranger.request("GET", "/events", params={"type": "webhook.ping"}))["data"] == []


async def test_a_webhook_that_is_off_is_neither_pinged_nor_sent_to_again(app: Subscriber) -> None:
    made = await app.subscribe()
    ping = json_exact(await app.request("POST", f"/webhooks/{made['id']}/ping"), 201)["data"]
    await app.request("PATCH", f"/webhooks/{made['id']}", {"active": False})
    for path in (f"/webhooks/{made['id']}/ping", f"/webhooks/deliveries/{ping['id']}/retry"):
        assert list(assert_error(await app.request("POST", path), 422, "validation_error")["errors"]) == ["active"]
    assert len(await app.deliveries(made["id"])) == 1


async def test_every_attempt_is_listed_and_a_delivery_can_be_sent_again(app: Subscriber) -> None:
    made = await app.subscribe()
    ping = json_exact(await app.request("POST", f"/webhooks/{made['id']}/ping"), 201)["data"]
    await change_row(app.shop, "webhook_deliveries", ping["id"], state="dead", attempts=2)
    first, second = datetime(2026, 3, 1, 9, 30, tzinfo=UTC), datetime(2026, 3, 1, 9, 35, tzinfo=UTC)
    await insert_attempt(app.shop, ping["id"], status=None, at=first, milliseconds=15000, error="no answer")
    await insert_attempt(app.shop, ping["id"], status=500, at=second, milliseconds=12, answer="Oh no")
    (delivery,) = await app.deliveries(made["id"])
    attempts = [
        {
            "attempted_at": "2026-03-01T09:30:00.000000Z",
            "milliseconds": 15000,
            "status": None,
            "answer": None,
            "error": "no answer",
        },
        {
            "attempted_at": "2026-03-01T09:35:00.000000Z",
            "milliseconds": 12,
            "status": 500,
            "answer": "Oh no",
            "error": None,
        },
    ]
    assert (delivery["state"], delivery["due_at"], delivery["attempts"]) == ("dead", None, attempts)
    again = json_exact(await app.request("POST", f"/webhooks/deliveries/{ping['id']}/retry"))["data"]
    assert (again["id"], again["state"], again["attempts"]) == (ping["id"], "due", attempts)
    assert again["due_at"] >= ping["due_at"]


async def test_a_webhook_delivery_in_flight_is_not_queued_again(app: Subscriber) -> None:
    made = await app.subscribe()
    ping = json_exact(await app.request("POST", f"/webhooks/{made['id']}/ping"), 201)["data"]
    await change_row(app.shop, "webhook_deliveries", ping["id"], lease=uuid4(), leased_until=ahead(minutes=1))
    json_exact(await app.request("POST", f"/webhooks/deliveries/{ping['id']}/retry"))
    (row,) = await app.shop.sql("SELECT lease FROM webhook_deliveries WHERE tenant_id = $1 AND id = $2", ping["id"])
    assert row["lease"] is not None


async def test_an_event_is_queued_for_the_enabled_webhooks_subscribed_to_it(
    service: Service, branch: BranchFixture
) -> None:
    shop = branch.shop
    wants, other_kind = await subscriber(shop), await subscriber(shop)
    off, disabled, narrowed = await subscriber(shop), await subscriber(shop), await subscriber(shop)
    hooks = {
        "wants": (wants, await wants.subscribe()),
        "other kind": (other_kind, await other_kind.subscribe(["customer.created"])),
        "off": (off, await off.subscribe(active=False)),
        "disabled": (disabled, await disabled.subscribe()),
        "narrowed": (narrowed, await narrowed.subscribe()),
    }
    await disabled.client.change("disabled_at = now()")
    await narrowed.client.change("scopes = '{items:read}'")
    foreign = await subscriber(await service.new_shop())
    await foreign.subscribe()
    await branch.place(line(await branch.add_product(), "product"))
    queued = await shop.sql("SELECT webhook_id FROM webhook_deliveries WHERE tenant_id = $1")
    mine = {str(row["webhook_id"]) for row in queued} & {made["id"] for _, made in hooks.values()}
    assert mine == {hooks["wants"][1]["id"]}
    assert await foreign.shop.sql("SELECT FROM webhook_deliveries WHERE tenant_id = $1") == []
    (delivery,) = await wants.deliveries(hooks["wants"][1]["id"])
    assert (delivery["event"]["type"], delivery["state"]) == ("order.created", "due")


async def test_an_order_with_several_events_is_queued_in_their_order(branch: BranchFixture) -> None:
    app = await subscriber(branch.shop)
    made = await app.subscribe(["item.stock_changed", "order.created", "transaction.created"])
    payment = {"amount": 1, "payment_method_type": "cash"}
    await branch.place(line(await branch.add_product(), "product"), payment=payment)
    events = [delivery["event"] for delivery in await app.deliveries(made["id"])]
    events.sort(key=lambda event: event["sequence"])
    assert [event["type"] for event in events] == ["order.created", "transaction.created", "item.stock_changed"]


async def test_an_empty_list_of_webhook_deliveries_is_one_page(app: Subscriber) -> None:
    made = await app.subscribe()
    answer = json_exact(
        await app.request("GET", f"/webhooks/{made['id']}/deliveries", params={"page": 3, "per_page": 7})
    )
    assert (answer["data"], answer["meta"]["total"], answer["meta"]["last_page"]) == ([], 0, 1)
    assert_error(await app.request("GET", f"/webhooks/{uuid4()}/deliveries"), 404, "not_found")


async def test_a_private_address_is_taken_where_the_operator_allows_it(dsn: str) -> None:
    async with running_service(dsn, webhook_allow_private=True) as service:
        app = await subscriber(await service.new_shop())
        assert (await app.subscribe(url="http://127.0.0.1:8099/hook"))["url"] == "http://127.0.0.1:8099/hook"
