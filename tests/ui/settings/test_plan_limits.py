"""A business has quotas by its plan: shown on a page, named in the error, and exact however many come at once."""

import asyncio
import re
from functools import partial
from typing import Any

import pytest

from frontdesk.auth.types import Role
from frontdesk.tenants.quotas import LIMITS, Quota
from frontdesk.tenants.types import Plan
from frontdesk.values.ids import uuid7
from tests.factories.changes import ago, change_rows, change_tenant
from tests.factories.credentials import make_client
from tests.factories.used_up import fill_quota
from tests.factories.users import make_user
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.shop import Shop
from tests.support.waiting import answered
from tests.ui.settings.test_members import PASSWORD, invite, token_in

HERE = "/settings/limits"
STARTER = LIMITS[Plan.STARTER]


async def used(desk: DashboardClient, quota: Quota) -> tuple[int, int]:
    page = await desk.get(HERE)
    assert page.status_code == 200, page.text
    found = [re.search(rf'id="{name}-{quota.value}">([\d,]+)<', page.text) for name in ("used", "allowed")]
    assert found[0]
    assert found[1]
    return int(found[0][1].replace(",", "")), int(found[1][1].replace(",", ""))


async def leave(shop: Shop, desk: DashboardClient, quota: Quota, places: int) -> None:
    """Fill it up, but for so many."""
    now, limit = await used(desk, quota)
    await fill_quota(shop, quota, limit - places - now)


@pytest.fixture
async def starter(own_shop: Shop) -> Shop:
    await change_tenant(own_shop, plan="starter", open_api=False)
    return own_shop


FORMS: dict[Quota, tuple[str, dict[str, Any]]] = {
    Quota.API_CLIENTS: ("/settings/api/clients/new", {"name": "Robot", "scopes": "orders:read"}),
    Quota.API_KEYS: ("/settings/api/keys/new", {"name": "Till"}),
    Quota.PENDING_INVITATIONS: ("/settings/members/invite", {"role": "receptionist"}),
}


@pytest.mark.parametrize("quota", FORMS)
async def test_many_forms_at_once_fill_a_quota_exactly(
    starter: Shop, owner: DashboardClient, other_shop: Shop, quota: Quota
) -> None:
    path, fields = FORMS[quota]
    await leave(starter, owner, quota, 3)
    token = await owner.form_token()
    sent = [
        {**fields, "form_token": token, "id": str(uuid7()), "email": f"{uuid7().hex}@people.example"} for _ in range(8)
    ]
    answers = await asyncio.gather(*(answered(partial(owner.http.post, path, data=form)) for form in sent))
    assert sorted(answer.status_code for answer in answers) == [200] * 3 + [422] * 5
    refused = next(answer for answer in answers if answer.status_code == 422)
    assert f"The plan allows {STARTER[quota]} " in refused.text
    assert await used(owner, quota) == (STARTER[quota], STARTER[quota])
    made = next(form for form, answer in zip(sent, answers, strict=True) if answer.status_code == 200)
    assert (await owner.http.post(path, data=made)).status_code == 303  # sent twice: nothing new, no error


async def test_webhooks_of_the_open_api_fill_a_quota_exactly(
    own_shop: Shop, owner: DashboardClient, other_shop: Shop
) -> None:
    clients = [await make_client(own_shop) for _ in range(4)]
    tokens = [await client.token() for client in clients]
    await leave(own_shop, owner, Quota.WEBHOOKS, 2)
    body = {"url": "https://192.31.196.1/", "events": ["order.created"]}
    answers = await asyncio.gather(
        *(answered(partial(own_shop.post, "/webhooks", body, token=token)) for token in tokens)
    )
    assert sorted(answer.status_code for answer in answers) == [201, 201, 422, 422]
    error = next(answer for answer in answers if answer.status_code == 422).json()
    limit = LIMITS[Plan.PROFESSIONAL][Quota.WEBHOOKS]
    assert error["error"] == "validation_error"
    assert error["details"] == {"quota": "webhooks", "limit": limit, "used": limit}
    assert (await other_shop.post("/webhooks", body)).status_code == 201


async def test_a_full_quota_of_members_refuses_another_member(starter: Shop, owner: DashboardClient) -> None:
    await leave(starter, owner, Quota.MEMBERS, 1)
    people = [await make_user(starter, None) for _ in range(2)]
    links = [await invite(owner, f"{person.hex}@people.example", "receptionist") for person in people]
    desks = [await dashboard_of(starter, person) for person in people]
    sent = [
        {"form_token": await desk.form_token(), "token": token_in(link)}
        for desk, link in zip(desks, links, strict=True)
    ]
    answers = await asyncio.gather(
        *(answered(partial(d.http.post, "/invitation", data=s)) for d, s in zip(desks, sent, strict=True))
    )
    assert sorted(answer.status_code for answer in answers) == [303, 422]
    assert await used(owner, Quota.MEMBERS) == (STARTER[Quota.MEMBERS], STARTER[Quota.MEMBERS])
    link = await invite(owner, f"{uuid7().hex}@people.example", "receptionist")
    async with DashboardClient(starter.origin, starter.dsn) as nobody:
        form = {"token": token_in(link), "name": "Late", "password": PASSWORD}
        late = await nobody.post("/invitation", form, page=link)
        assert late.status_code == 422
        assert f"The plan allows {STARTER[Quota.MEMBERS]} members" in late.text
        assert (await nobody.get(link)).status_code == 200  # the invitation is not used up
    for desk in desks:
        await desk.http.aclose()


async def test_revoked_api_keys_do_not_count_towards_a_quota(starter: Shop, owner: DashboardClient) -> None:
    await leave(starter, owner, Quota.API_KEYS, 0)
    await change_rows(starter, "api_keys", {"name": "x"}, revoked_at=ago())
    now, _limit = await used(owner, Quota.API_KEYS)
    assert now == 1  # the sandbox's own
    await owner.post("/settings/api/keys/new", {"id": str(uuid7()), "name": "Till"})
    assert (await used(owner, Quota.API_KEYS))[0] == 2


async def test_limits_are_shown_to_the_office(starter: Shop, owner: DashboardClient) -> None:
    for quota in Quota:
        assert (await used(owner, quota))[1] == STARTER[quota]
    async with await dashboard_of(starter, await make_user(starter, Role.CASHIER)) as cashier:
        assert (await cashier.get(HERE)).status_code == 403
