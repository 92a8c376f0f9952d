"""Forms of webhooks that no page of ours would send, and one that is sent twice at once."""

import asyncio

import pytest

from frontdesk.values.ids import uuid7
from tests.factories.credentials import make_client
from tests.support.dashboard import DashboardClient
from tests.support.shop import Shop

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
