"""The section "From applications" on the pages of an order, a customer, an item and a staff member."""

from html import escape
from uuid import UUID

import pytest

from frontdesk.auth.types import Role
from tests.factories.applications import make_install
from tests.factories.changes import change_row, change_rows
from tests.factories.credentials import make_client
from tests.factories.users import make_user
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.forms import texts
from tests.support.pagination import json_exact
from tests.support.shop import Shop

HEAD = "From applications"
PAGES = {"orders": "/orders", "customers": "/customers", "items": "/catalogue", "staff": "/staff"}


async def _store(shop: Shop, kind: str, token: str | None = None, **own: object) -> str:
    """With the first record of the list."""
    id_: str = json_exact(await shop.get(f"/{kind}"))["data"][0]["id"]
    json_exact(await shop.request("PATCH", f"/{kind}/{id_}", json=own, token=token))
    return id_


async def _page(owner: DashboardClient, kind: str, id_: str) -> str:
    return (await owner.get(f"{PAGES[kind]}/{id_}")).text


@pytest.mark.parametrize("kind", PAGES)
async def test_a_page_shows_what_each_application_stores(own_shop: Shop, owner: DashboardClient, kind: str) -> None:
    first = json_exact(await own_shop.get(f"/{kind}"))["data"][0]["id"]
    assert HEAD not in await _page(owner, kind, first)
    installed = await make_client(own_shop)
    await change_row(own_shop, "api_clients", installed.id, install_id=await make_install(own_shop))
    long = "<b>note</b> " * 30
    await _store(own_shop, kind, await installed.token(), external_id="JV-20418", metadata={"colour": "blue"})
    id_ = await _store(own_shop, kind, metadata={"long": long})
    text = await _page(owner, kind, id_)
    shown = texts(text)
    (own,) = await own_shop.sql(
        "SELECT name FROM api_clients WHERE tenant_id = $1 AND install_id IS NULL ORDER BY created_at LIMIT 1"
    )
    for part in (HEAD, "Books", "Its own id", "JV-20418", "colour", "blue", own["name"]):
        assert part in shown
    assert escape(long.strip()) in text
    await _store(own_shop, kind, await installed.token(), external_id=None, metadata=None)
    assert "Books" not in texts(await _page(owner, kind, id_))


async def test_data_of_an_application_that_is_gone_is_shown(own_shop: Shop, owner: DashboardClient) -> None:
    id_ = await _store(own_shop, "customers", metadata={"colour": "blue"})
    await change_rows(own_shop, "custom_data", owner_id=UUID(int=7))
    shown = texts(await _page(owner, "customers", id_))
    assert "A deleted application" in shown
    assert "blue" in shown


@pytest.mark.parametrize(("role", "sees"), [(Role.MANAGER, True), (Role.RECEPTIONIST, False), (Role.CASHIER, False)])
async def test_only_owners_and_managers_see_it(own_shop: Shop, role: Role, *, sees: bool) -> None:
    id_ = await _store(own_shop, "customers", metadata={"colour": "blue"})
    async with await dashboard_of(own_shop, await make_user(own_shop, role)) as member:
        assert (HEAD in await _page(member, "customers", id_)) == sees
