"""What the dashboard does for people is a command too."""

import asyncio
import json
from typing import Any
from uuid import UUID

from click.testing import CliRunner

from frontdesk.auth.types import Role
from frontdesk.cli.main import main
from tests.factories.credentials import ApiClient
from tests.factories.users import give_second_factor, make_user, owner_of
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.shop import KEY_API, Shop


async def run(shop: Shop, *arguments: object, typed: str = "", fails: bool = False) -> str:
    given = {"FRONTDESK_DATABASE_URL": shop.dsn}
    outcome = await asyncio.to_thread(CliRunner().invoke, main, list(map(str, arguments)), input=typed, env=given)
    assert outcome.exit_code == (2 if fails else 0), outcome.stderr
    return outcome.stderr if fails else outcome.stdout


async def run_command(shop: Shop, *arguments: object) -> Any:
    return json.loads(await run(shop, *arguments))


async def test_clients_and_keys_are_made_changed_and_ended(own_shop: Shop, owner: DashboardClient) -> None:
    made = await run_command(own_shop, "client", "create", own_shop.tenant_id, "Robot", "--scopes", "items:read")
    client = ApiClient(own_shop, UUID(made["id"]), made["client_secret"])
    assert client.name == made["client_id"]
    token = await client.token()
    assert (await own_shop.get("/items", token=token)).status_code == 200
    await run(own_shop, "client", "scopes", own_shop.tenant_id, made["id"], "--scopes", "orders:read")
    assert (await own_shop.get("/items", token=token)).status_code == 403
    again = await run_command(own_shop, "client", "rotate", own_shop.tenant_id, made["id"], "--keep-old")
    assert again["client_secret"] != made["client_secret"]
    assert (await own_shop.get("/orders", token=token)).status_code == 200
    for act, status in (("disable", 401), ("enable", 200), ("delete", 401)):
        await run(own_shop, "client", act, own_shop.tenant_id, made["id"])
        assert (await own_shop.get("/orders", token=token)).status_code == status, act
    key = await run_command(own_shop, "key", "create", own_shop.tenant_id, "Robot till")
    assert (await owner.http.get(f"{KEY_API}/items", headers={"x-api-key": key["api_key"]})).status_code == 200
    await run(own_shop, "key", "revoke", own_shop.tenant_id, key["id"])
    assert (await owner.http.get(f"{KEY_API}/items", headers={"x-api-key": key["api_key"]})).status_code == 401
    listed = await run_command(own_shop, "key", "list", own_shop.tenant_id, "--json")
    assert {one["name"]: one["revoked_at"] is None for one in listed} == {"Sandbox till": True, "Robot till": False}
    assert "is not a scope" in await run(
        own_shop, "client", "create", own_shop.tenant_id, "x", "--scopes", "all", fails=True
    )
    assert "No such business" in await run(own_shop, "key", "create", made["id"], "x", fails=True)


async def test_people_are_signed_out_and_taken_out(own_shop: Shop, owner: DashboardClient) -> None:
    cashier = await make_user(own_shop, Role.CASHIER)
    email = f"{cashier.hex}@people.example"
    async with await dashboard_of(own_shop, cashier) as desk:
        await run(own_shop, "user", "sign-out", email)
        assert (await desk.get("/")).status_code == 303
        await desk.sign_in_as(cashier)
        await run(own_shop, "user", "leave", email, own_shop.tenant_id)
        assert (await desk.get("/")).headers["location"] == "/businesses"
    last = await run(own_shop, "user", "leave", own_shop.sandbox.email, own_shop.tenant_id, fails=True)
    assert "Make another member an owner first" in last
    await run(own_shop, "user", "password", own_shop.sandbox.email, "--password-stdin", typed="another long one\n")
    assert (await owner.get("/")).status_code == 303
    assert await owner_of(own_shop)


async def test_a_password_and_a_second_factor_are_reset_without_mail(
    own_shop: Shop, owner: DashboardClient, stranger: DashboardClient
) -> None:
    await give_second_factor(own_shop, await owner_of(own_shop))
    await run(own_shop, "user", "remove-second-factor", own_shop.sandbox.email)
    assert "has no second factor" in await run(
        own_shop, "user", "remove-second-factor", own_shop.sandbox.email, fails=True
    )
    assert (await owner.get("/")).status_code == 303
    printed = (await run(own_shop, "user", "reset-link", own_shop.sandbox.email)).splitlines()
    link = next(line for line in printed if "/reset-password?token=" in line)
    form = {"token": link.partition("token=")[2].strip(), "password": "another long one"}
    assert (await stranger.post("/reset-password", form, page="/sign-in")).status_code == 303
