"""Webhooks that ask for events of some branches, for changes of some fields, or for ids instead of records."""

import pytest

from frontdesk.webhooks.payloads import thin_data
from tests.factories.catalog import make_branch
from tests.support.branch import BranchFixture, line
from tests.support.http_errors import assert_error
from tests.support.pagination import Document, json_exact
from tests.support.servers.receiver import receiving
from tests.support.service import Service
from tests.support.set_up_requests import made
from tests.support.shop import Shop
from tests.support.subscriber import URL, Subscriber, subscriber
from tests.webhooks.fixture import emit_events, make_webhook, running_worker

EVENTS = ["order.created", "transaction.created", "customer.created", "item.created", "item.updated", "webhook.ping"]


async def _delivered(app: Subscriber, webhook: Document) -> list[tuple[str, int]]:
    """The events for the webhook, in order."""
    return sorted(
        ((one["event"]["type"], one["event"]["sequence"]) for one in await app.deliveries(webhook["id"])),
        key=lambda event: event[1],
    )


async def test_a_webhook_gets_only_events_of_its_branches_and_changes_of_its_fields(branch: BranchFixture) -> None:
    shop, app = branch.shop, await subscriber(branch.shop)
    elsewhere = BranchFixture(shop, await make_branch(shop), branch.customer_id)
    every = await app.subscribe(EVENTS)
    here = await app.subscribe(EVENTS, branches=[str(branch.branch_id)])
    priced = await app.subscribe(EVENTS, changed_fields=["price", "offer_price"])
    assert (every["branches"], every["changed_fields"], every["payload"]) == ([], [], "full")
    assert (here["branches"], priced["changed_fields"]) == ([str(branch.branch_id)], ["price", "offer_price"])

    for at in (branch, elsewhere):
        product = await at.add_product()
        await at.place(line(product, "product"), payment={"amount": 5, "payment_method_type": "cash"})
        for body in ({"price": 31}, {"name": {"en": "Soap"}}):
            json_exact(await shop.request("PATCH", f"/items/{product}", json=body))
    await made(shop, "/customers", {"first_name": "Rana"})

    everything = await _delivered(app, every)
    of_one_branch = ["order.created", "transaction.created", "item.updated", "item.updated"]
    assert [kind for kind, _ in everything] == [*of_one_branch, *of_one_branch, "customer.created"]
    assert await _delivered(app, here) == [*everything[:4], everything[-1]]
    assert await _delivered(app, priced) == [*everything[:3], *everything[4:7], everything[-1]]

    changed = {"branches": [str(elsewhere.branch_id)], "changed_fields": ["name"], "payload": "thin"}
    path = f"/webhooks/{here['id']}"
    assert json_exact(await app.request("PATCH", path, changed))["data"].items() >= changed.items()
    await app.request("PATCH", path, {"active": True})
    assert (await app.read(here["id"])).items() >= changed.items()
    json_exact(await shop.request("PATCH", f"/items/{product}", json={"price": 32}))
    json_exact(await shop.request("PATCH", f"/items/{product}", json={"name": {"en": "Balm"}}))
    assert [kind for kind, _ in await _delivered(app, here)] == [*of_one_branch, "customer.created", "item.updated"]
    await app.request("PATCH", path, {"branches": [], "changed_fields": [], "payload": "full"})
    assert (await app.read(here["id"]))["branches"] == (await app.read(here["id"]))["changed_fields"] == []


async def test_filters_name_what_there_is(branch: BranchFixture, other_shop: Shop) -> None:
    app = await subscriber(branch.shop)
    stranger = json_exact(await other_shop.get("/branches"))["data"][0]["id"]
    body = {"url": URL, "events": ["item.updated"], "branches": [str(branch.branch_id), stranger]}
    answer = assert_error(await app.request("POST", "/webhooks", body), 422, "validation_error")
    assert answer["errors"] == {"branches.1": ["is not a branch of this business"]}
    hook = await app.subscribe(["item.updated"])
    answer = assert_error(
        await app.request("PATCH", f"/webhooks/{hook['id']}", {"branches": [stranger]}), 422, "validation_error"
    )
    assert list(answer["errors"]) == ["branches.0"]
    answer = assert_error(
        await app.request("PATCH", f"/webhooks/{hook['id']}", {"changed_fields": ["price", "email"]}),
        422,
        "validation_error",
    )
    assert list(answer["errors"]) == ["changed_fields.1"]  # the email of a customer, and it gets changes of items
    body = {"url": URL, "events": ["item.updated", "order.created"], "changed_fields": ["price", "email"]}
    answer = assert_error(await app.request("POST", "/webhooks", body), 422, "validation_error")
    (message,) = answer["errors"]["changed_fields.1"]
    assert "price" in message
    assert "version" not in message


async def test_a_thin_delivery_has_ids_instead_of_records(service: Service) -> None:
    shop = await service.new_shop()
    order = {"order": {"id": "x", "note": "secret", "branch": {"id": "b"}}, "note_for_status": "secret", "status": "s"}
    async with receiving() as thin, receiving() as full, running_worker(service.dsn):
        hooks = [await make_webhook(shop, receiver.url) for receiver in (thin, full)]
        await hooks[0].change("is_thin = true")
        await emit_events(hooks, kind="order.status_changed", data=order)
        (reduced,), (whole,) = await thin.wait_for(1), await full.wait_for(1)
    assert whole.event["data"] == order
    assert reduced.event == {**whole.event, "data": {"order": {"id": "x"}}}


@pytest.mark.parametrize(
    ("kind", "data", "expected"),
    [
        (
            "item.updated",
            b'{"item":{"id":"i","name":{}},"changed":["name"]}',
            b'{"item":{"id":"i"},"changed":["name"]}',
        ),
        (
            "working_hours.updated",
            b'{"branch_id":"b","staff_id":null,"working_hour":null}',
            b'{"working_hour":{},"branch_id":"b","staff_id":null}',
        ),
        (
            "closed_days.updated",
            b'{"closed_days":{"branch_id":"b","days":[]},"changed":["days"]}',
            b'{"closed_days":{"branch_id":"b"},"changed":["days"]}',
        ),
        ("app.installed", b'{"name":"Books"}', b'{"name":"Books"}'),
    ],
)
def test_a_thin_event_says_which_record_it_is_about(kind: str, data: bytes, expected: bytes) -> None:
    assert thin_data(kind, data.decode()) == expected.decode()
