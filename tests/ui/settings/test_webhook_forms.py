"""Forms of webhooks that no page of ours would send, and one that is sent twice at once."""

import asyncio

import pytest

from frontdesk.values.ids import uuid7
from tests.factories.catalog import branch_of, make_branch
from tests.factories.credentials import make_client
from tests.support.branch import holding
from tests.support.dashboard import DashboardClient
from tests.support.forms import form_fields
from tests.support.shop import Shop
from tests.support.waiting import eventually

URL = "https://9.9.9.9/frontdesk"


async def test_a_double_click_makes_one_endpoint_and_shows_its_secret_once(
    own_shop: Shop, owner: DashboardClient
) -> None:
    client = await make_client(own_shop, scopes=["orders:read"])
    new = f"/settings/api/clients/{client.id}/webhooks/new"
    form = {"form_token": await owner.form_token(new), "id": str(uuid7()), "url": URL, "events": ["order.created"]}
    answers = await asyncio.gather(*(owner.http.post(new, data=form) for _ in range(6)))
    assert sorted(answer.status_code for answer in answers) == [200] + [303] * 5
    assert len(await own_shop.sql("SELECT FROM webhooks WHERE tenant_id = $1")) == 1


async def test_an_id_that_another_clients_webhook_has_changes_nothing(own_shop: Shop, owner: DashboardClient) -> None:
    first, second = await make_client(own_shop), await make_client(own_shop)
    form = {"id": str(uuid7()), "url": URL, "events": ["order.created"]}
    for client, status in ((first, 200), (second, 303)):
        new = f"/settings/api/clients/{client.id}/webhooks/new"
        assert (await owner.post(new, form, page=new)).status_code == status
    (row,) = await own_shop.sql("SELECT client_id FROM webhooks WHERE tenant_id = $1")
    assert row["client_id"] == first.id


async def test_of_two_who_save_an_endpoint_at_once_the_second_sees_what_has_changed(
    own_shop: Shop, owner: DashboardClient
) -> None:
    client = await make_client(own_shop, scopes=["orders:read"])
    clients, id_ = f"/settings/api/clients/{client.id}/webhooks", str(uuid7())
    sent = {"url": URL, "events": ["order.created"]}
    await owner.post(f"{clients}/new", {**sent, "id": id_}, page=f"{clients}/new")
    path = f"{clients}/{id_}/edit"
    shown = form_fields((await owner.get(path)).text, path)
    form = {**shown, **sent, "form_token": await owner.form_token(path)}

    async def both_wait() -> bool:
        rows = await own_shop.sql(
            "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database() "
            "AND query LIKE 'SELECT run_act%update_webhook%' AND $1::uuid IS NOT NULL"
        )
        return len(rows) == 2

    async with holding(own_shop.dsn, "SELECT FROM webhooks WHERE id = $1 FOR UPDATE", id_):
        saving = [asyncio.ensure_future(owner.http.post(path, data={**form, "url": f"{URL}/{n}"})) for n in range(2)]
        await eventually(both_wait)
    assert sorted([(await answer).status_code for answer in saving]) == [303, 422]


@pytest.mark.parametrize("events", [[], ["customer.created"]])
async def test_a_webhook_without_visible_events_is_refused(
    own_shop: Shop, owner: DashboardClient, events: list[str]
) -> None:
    client = await make_client(own_shop, scopes=["orders:read"])
    new = f"/settings/api/clients/{client.id}/webhooks/new"
    answer = await owner.post(new, {"id": str(uuid7()), "url": URL, "events": events}, page=new)
    assert answer.status_code == 422
    assert "Select at least one." in answer.text
    assert await own_shop.sql("SELECT FROM webhooks WHERE tenant_id = $1") == []


async def test_a_webhook_gets_filters_which_its_page_shows_and_its_form_changes(
    own_shop: Shop, owner: DashboardClient
) -> None:
    client, malaz = await make_client(own_shop), await make_branch(own_shop)
    clients = f"/settings/api/clients/{client.id}"
    form = {
        "id": str(uuid7()),
        "url": URL,
        "events": ["item.updated", "order.created"],
        "branches": [str(malaz)],
        "changed_fields": "price، status,price",
        "thin": "yes",
    }
    assert (await owner.post(f"{clients}/webhooks/new", form, page=f"{clients}/webhooks/new")).status_code == 200
    here = f"{clients}/webhooks/{form['id']}"
    filters = ("<dd><bdi>Bare<", "<code>price<", "<code>status<", ">Only the id of the record<")
    shown = (await owner.get(here)).text
    assert all(text in shown for text in filters)
    page = (await owner.get(f"{here}/edit")).text
    fields = form_fields(page, f"{here}/edit")
    assert (fields["branches"], fields["changed_fields"], fields["thin"]) == ([str(malaz)], ["price, status"], ["yes"])
    changed = {"url": f"{URL}/2", "events": ["customer.updated"], "changed_fields": "email"}
    assert (await owner.post(f"{here}/edit", changed, page=f"{here}/edit")).headers["location"] == here
    shown = (await owner.get(here)).text
    assert [text for text in filters if text in shown] == []
    assert all(f">{text}<" in shown for text in (f"{URL}/2", "customer.updated", "email"))
    outdated = await owner.post(f"{here}/edit", {**changed, "seen": fields["seen"][0]}, page=f"{here}/edit")
    assert (outdated.status_code, "changed this (" in outdated.text) == (422, True)
    for wrong, error in (
        ({"changed_fields": "email, price"}, "&#39;price&#39; is no field of the selected events."),
        ({"branches": [str(uuid7())]}, "Choose a branch."),
    ):
        refused = await owner.post(f"{here}/edit", {**changed, **wrong}, page=f"{here}/edit")
        assert (refused.status_code, error in refused.text) == (422, True), refused.text


async def test_one_branch_is_no_filter_unless_an_application_has_set_it(own_shop: Shop, owner: DashboardClient) -> None:
    client = await make_client(own_shop)
    new = f"/settings/api/clients/{client.id}/webhooks/new"
    assert 'name="branches"' not in (await owner.get(new)).text
    form = {"id": str(uuid7()), "url": URL, "events": ["order.created"], "branches": [str(await branch_of(own_shop))]}
    assert (await owner.post(new, form, page=new)).status_code == 200
    edit = f"/settings/api/clients/{client.id}/webhooks/{form['id']}/edit"
    assert form_fields((await owner.get(edit)).text, edit)["branches"] == form["branches"]
