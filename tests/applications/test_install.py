"""A business lets an application in, gives it more or less, and sends it away: each acts on the next request."""

import json
from uuid import UUID

import httpx2
import pytest
from standardwebhooks import Webhook

from frontdesk.values.ids import uuid7
from tests.support.applications import Developer, Installed, approved, decide, install, shown
from tests.support.branch import line, method_of, open_branch
from tests.support.dashboard import DashboardClient
from tests.support.servers.receiver import receiving
from tests.support.shop import Shop
from tests.support.waiting import eventually
from tests.webhooks.fixture import running_worker

pytestmark = pytest.mark.both_servers

METHODS = {"name_en": ["Pay later", "", ""], "name_ar": ["ادفع لاحقًا", "", ""]}


async def test_a_scope_left_out_is_refused_until_the_business_adds_it_to_the_same_token(
    developer: Developer, operator: DashboardClient, business: Shop, owner: DashboardClient
) -> None:
    app = await install(owner, business, await approved(developer, operator), "orders:read")
    token = await app.token()
    assert (await business.get("/orders", token=token)).status_code == 200
    refused = await business.get("/items", token=token)
    assert (refused.status_code, refused.json()["error"]) == (403, "insufficient_scope")
    assert await app.tick("orders:read", "items:read") == 303
    assert (await business.get("/items", token=token)).status_code == 200
    assert await app.tick("orders:read") == 303
    assert (await business.get("/items", token=token)).status_code == 403


async def test_disconnecting_ends_tokens_secret_webhooks_and_payment_methods_at_once(
    developer: Developer, operator: DashboardClient, business: Shop, owner: DashboardClient
) -> None:
    app, method_id = await with_method(developer, operator, business, owner)
    token = await app.token()
    assert (await business.get("/orders", token=token)).status_code == 200
    assert (await place(business, method_id)).status_code == 201
    page = await app.desk.get(f"{app.here}/disconnect")
    assert "Pay later" in page.text
    assert "1 token" in page.text
    assert await app.post("disconnect") == 303
    assert (await business.get("/orders", token=token)).status_code == 401
    names = {"client_id": app.shown["client-id"], "client_secret": app.shown["client-secret"]}
    assert (await business.ask_for_token(**names)).status_code == 401
    refused = await place(business, method_id)
    assert (refused.status_code, refused.json()["error"]) == (422, "payment_method_unavailable")
    methods = (await business.get("/payment-methods")).json()["data"]
    assert method_id not in [method["id"] for method in methods]
    assert (await app.desk.get(app.here)).status_code == 404
    assert (await app.post("disconnect")) == 404


async def test_what_is_required_must_be_ticked_and_nothing_beyond_what_is_asked_for(
    developer: Developer, operator: DashboardClient, business: Shop, owner: DashboardClient
) -> None:
    application_id = await approved(developer, operator)
    here = f"/settings/applications/directory/{application_id}"
    for scopes, error in (
        (["items:read"], "The application requires this scope"),
        (["orders:read", "customers:read"], "is not requested"),
        (["orders:read", "*"], "is not requested"),
        ([], "The application requires this scope"),
    ):
        answer = await owner.post(here, {"id": str(uuid7()), "version": "1", "scopes": scopes})
        assert answer.status_code == 422
        assert error in answer.text
    assert await living(business, application_id) == 0
    app = await install(owner, business, application_id, "orders:read", "items:read")
    assert await app.tick("items:read") == 422
    rows = await business.sql("SELECT scopes FROM api_clients WHERE tenant_id = $1 AND install_id = $2", app.id)
    assert rows[0]["scopes"] == ["orders:read", "items:read"]


async def test_the_same_form_twice_installs_once_and_shows_the_secret_once(
    developer: Developer, operator: DashboardClient, business: Shop, owner: DashboardClient
) -> None:
    application_id = await approved(developer, operator)
    app = await install(owner, business, application_id, "orders:read")
    here = f"/settings/applications/directory/{application_id}"
    again = await owner.post(here, {"id": str(app.id), "version": "1", "scopes": ["orders:read"]})
    assert (again.status_code, again.headers["location"]) == (303, app.here)
    another = await owner.post(here, {"id": str(uuid7()), "version": "1", "scopes": ["orders:read"]})
    assert another.status_code == 422
    assert "already installed" in another.text
    assert await living(business, application_id) == 1
    assert app.shown["client-secret"] not in (await app.desk.get(app.here)).text


async def test_an_install_can_be_made_again_after_it_was_disconnected(
    developer: Developer, operator: DashboardClient, business: Shop, owner: DashboardClient
) -> None:
    first, old_method = await with_method(developer, operator, business, owner)
    await first.post("disconnect")
    (row,) = await business.sql("SELECT application_id FROM installs WHERE tenant_id = $1 AND id = $2", first.id)
    second = await install(owner, business, row["application_id"], "orders:read")
    assert (await business.get("/orders", token=await second.token())).status_code == 200
    methods = await business.sql("SELECT id FROM payment_methods WHERE tenant_id = $1 AND install_id = $2", second.id)
    assert (await place(business, str(methods[0]["id"]))).status_code == 201
    assert (await place(business, old_method)).json()["error"] == "payment_method_unavailable"


async def test_a_lost_secret_is_replaced_by_the_business(
    developer: Developer, operator: DashboardClient, business: Shop, owner: DashboardClient
) -> None:
    app = await install(owner, business, await approved(developer, operator), "orders:read")
    token = await app.token()
    answer = await app.desk.post(f"{app.here}/secret", {"version": "1"})
    assert answer.status_code == 200
    assert (await business.get("/orders", token=token)).status_code == 401
    renewed = Installed(business, app.desk, app.id, answer.text)
    assert (await business.get("/orders", token=await renewed.token())).status_code == 200
    assert (await app.post("secret", {"version": "1"})) == 303


async def test_events_of_an_application_are_emitted_in_order(
    developer: Developer, operator: DashboardClient, business: Shop, owner: DashboardClient
) -> None:
    app = await install(owner, business, await approved(developer, operator), "orders:read")
    await app.tick("orders:read", "items:read")
    await app.tick("orders:read", "items:read")
    await app.post("disconnect")
    rows = await business.sql(
        "SELECT type, data::text AS data FROM events WHERE tenant_id = $1 AND type LIKE 'app.%' ORDER BY sequence"
    )
    assert [row["type"] for row in rows] == ["app.installed", "app.scopes_changed", "app.disconnected"]
    payloads = [json.loads(row["data"]) for row in rows]
    assert payloads[1]["previous_scopes"] == ["orders:read"]
    assert [one["scopes"] for one in payloads] == [["orders:read"], ["orders:read", "items:read"], []]
    assert {one["install_id"] for one in payloads} == {str(app.id)}


async def test_its_webhook_is_made_with_the_install_and_signed_with_its_one_secret(
    developer: Developer, operator: DashboardClient, business: Shop, owner: DashboardClient
) -> None:
    async with receiving() as receiver, running_worker(business.dsn):
        application_id = await developer.draft()
        here = f"/developer/applications/{application_id}"
        url = {"url": "https://hooks.example.com/books", "events": ["app.installed", "order.created"]}
        await developer.send(f"{here}/webhooks", url)
        assert "signing secret" in await developer.step(application_id, "submit", status=422)
        first = shown(await developer.send(f"{here}/secret", status=200))["signing-secret"]
        # What no page would take: a receiver on this machine.
        local = "UPDATE applications SET webhook_url = $2 WHERE id = $3 AND $1::uuid IS NOT NULL"
        await business.sql(local, receiver.url, application_id)
        await developer.step(application_id, "submit")
        assert await decide(operator, application_id, "approve") == 303
        app = await install(owner, business, application_id, "orders:read")
        (installed,) = await receiver.wait_for(1)
        event = Webhook(first).verify(installed.body, installed.headers)
        assert (event["type"], event["data"]["install_id"]) == ("app.installed", str(app.id))
        second = shown(await developer.send(f"{here}/secret", status=200))["signing-secret"]
        assert (await place(business, await method_of(business))).status_code == 201
        placed = (await receiver.wait_for(2))[1]
        for secret in (first, second):
            assert Webhook(secret).verify(placed.body, placed.headers)["type"] == "order.created"

        async def none_is_due() -> bool:
            return not await business.sql("SELECT FROM webhook_deliveries WHERE tenant_id = $1 AND state = 'due'")

        await eventually(none_is_due)  # the worker records an answer after the receiver has given it
        await app.post("disconnect")
        assert (await place(business, await method_of(business))).status_code == 201
        assert await none_is_due()
        assert len(receiver.received) == 2


async def with_method(
    developer: Developer, operator: DashboardClient, business: Shop, owner: DashboardClient
) -> tuple[Installed, str]:
    application_id = await developer.draft("Pay later")
    await developer.send(f"/developer/applications/{application_id}/payment-methods", METHODS)
    await developer.step(application_id, "submit")
    assert await decide(operator, application_id, "approve") == 303
    app = await install(owner, business, application_id, "orders:read")
    rows = await business.sql(
        "SELECT id, type, name::text AS name FROM payment_methods WHERE tenant_id = $1 AND install_id = $2", app.id
    )
    assert [row["type"] for row in rows] == ["third-party"]
    assert json.loads(rows[0]["name"]) == {"ar": "ادفع لاحقًا", "en": "Pay later"}
    return app, str(rows[0]["id"])


async def place(business: Shop, method_id: str) -> httpx2.Response:
    """An order that is paid by that method at once."""
    branch = await open_branch(business)
    body = branch.order(line(await branch.add_product(), "product"))
    return await business.post("/orders", {**body, "payment": {"amount": 1, "payment_method_id": method_id}})


async def living(business: Shop, application_id: UUID) -> int:
    rows = await business.sql(
        "SELECT FROM installs WHERE tenant_id = $1 AND application_id = $2 AND disconnected_at IS NULL", application_id
    )
    return len(rows)


async def test_the_application_of_every_sandbox_can_be_disconnected_and_installed_again(
    business: Shop, owner: DashboardClient
) -> None:
    (first,) = await business.sql("SELECT id, application_id FROM installs WHERE tenant_id = $1")
    here = f"/settings/applications/installed/{first['id']}"
    assert "Mizan Pay" in (await owner.get(here)).text
    (old,) = await business.sql("SELECT id FROM payment_methods WHERE tenant_id = $1 AND install_id IS NOT NULL")
    assert (await place(business, str(old["id"]))).status_code == 201
    assert (await owner.post(f"{here}/disconnect")).status_code == 303
    assert (await place(business, str(old["id"]))).json()["error"] == "payment_method_unavailable"
    needed = ("orders:read", "transactions:read", "transactions:write", "payment_methods:read")
    app = await install(owner, business, first["application_id"], *needed)
    (new,) = await business.sql("SELECT id FROM payment_methods WHERE tenant_id = $1 AND install_id = $2", app.id)
    assert (await place(business, str(new["id"]))).status_code == 201
    token = await app.token()
    assert (await business.get("/customers", token=token)).status_code == 403
    assert (await business.get("/transactions", token=token)).status_code == 200
