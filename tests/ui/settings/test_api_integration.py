"""Settings, API Integration: what is made there works at once, is shown once, and stops at once."""

import asyncio
import html
import re
from datetime import date, timedelta
from uuid import UUID

import httpx2

from frontdesk.auth.scopes import Scope
from frontdesk.ui.shell.scope_labels import SCOPE_GROUPS
from frontdesk.values.ids import uuid7
from tests.factories.catalog import branch_of
from tests.factories.changes import change_tenant
from tests.factories.credentials import ApiClient, make_client
from tests.support.dashboard import DashboardClient
from tests.support.shop import KEY_API, Shop
from tests.support.waiting import eventually

HERE = "/settings/api"


async def made_client(owner: DashboardClient, *scopes: str, client_id: UUID | None = None) -> httpx2.Response:
    form = {"id": str(client_id or uuid7()), "name": "Website booking", "scopes": list(scopes)}
    return await owner.post(f"{HERE}/clients/new", form, page=f"{HERE}/clients/new")


def shown(page: httpx2.Response, place: str) -> str:
    found = re.search(rf'<code id="{place}">(.*?)</code>', page.text, re.DOTALL)
    assert found, page.text
    return html.unescape(found[1])


async def test_every_scope_is_explained_on_the_page(owner: DashboardClient) -> None:
    assert {words.scope for group in SCOPE_GROUPS for words in group.scopes} == set(Scope)
    page = await owner.get(f"{HERE}/clients/new")
    for scope in Scope:
        assert f'value="{scope.value}"' in page.text
    assert " checked" not in page.text


async def test_a_new_client_works_at_once_and_its_secret_is_shown_once(own_shop: Shop, owner: DashboardClient) -> None:
    client_id = uuid7()
    page = await made_client(owner, "orders:read", "items:read", client_id=client_id)
    assert (page.status_code, page.headers["cache-control"]) == (200, "no-store")
    secret = shown(page, "client-secret")
    assert shown(page, "tenant-id") == str(own_shop.tenant_id)
    asked = await own_shop.ask_for_token(client_id=shown(page, "client-id"), client_secret=secret)
    assert asked.json()["scope"] == "items:read orders:read"
    for path in (f"{HERE}/clients/{client_id}", HERE, f"{HERE}/clients/{client_id}/rotate"):
        assert secret not in (await owner.get(path)).text
    again = await made_client(owner, "orders:read", client_id=client_id)
    assert (again.status_code, again.headers["location"]) == (303, f"{HERE}/clients/{client_id}")
    assert "shown once" in (await owner.get(again.headers["location"])).text
    (row,) = await own_shop.sql(
        "SELECT secret_hash, scopes FROM api_clients WHERE tenant_id = $1 AND id = $2", client_id
    )
    assert secret.encode() not in row["secret_hash"]
    assert row["scopes"] == ["orders:read", "items:read"]


async def test_clients_of_one_business_are_distinguishable_in_the_list(owner: DashboardClient) -> None:
    ids = [shown(await made_client(owner, "orders:read"), "client-id") for _ in range(2)]
    page = await owner.get(HERE)
    assert ids[0][-6:] != ids[1][-6:]
    for public in ids:
        assert f"<code>fdc_…{public[-6:]}</code>" in page.text


async def test_the_line_to_paste_makes_the_first_call(owner: DashboardClient) -> None:
    page = await made_client(owner, "orders:read", "customers:write")
    done = await asyncio.create_subprocess_exec("sh", "-c", shown(page, "first-call"), stdout=asyncio.subprocess.PIPE)
    output, _ = await done.communicate()
    assert b'"order_number"' in output
    key = await owner.post(f"{HERE}/keys/new", {"id": str(uuid7()), "name": "Till"})
    done = await asyncio.create_subprocess_exec("sh", "-c", shown(key, "first-call"), stdout=asyncio.subprocess.PIPE)
    output, _ = await done.communicate()
    assert b'"meta"' in output


async def test_a_preset_selects_usual_scopes_without_script(owner: DashboardClient) -> None:
    def selected(page: str) -> set[str]:
        return set(re.findall(r'name="scopes" value="([\w:]+)" checked', page))

    page = (await owner.get(f"{HERE}/clients/new")).text
    presets = dict(re.findall(r'href="([^"]+)" data-preset="([^"]+)"', page))
    assert selected(page) == set()
    for link, scopes in presets.items():
        chosen = (await owner.get(link)).text
        assert selected(chosen) == set(scopes.split()), link
        assert re.findall(r'data-preset="([^"]+)"[^>]* aria-current="true"', chosen) == [scopes]
    bookings, read, everything = map(selected, [(await owner.get(link)).text for link in presets])
    quick_start = {"items:read", "customers:write", "orders:write", "transactions:write"}
    assert quick_start < bookings < everything == set(Scope)
    assert "customers:read" not in bookings
    assert {scope.partition(":")[2] for scope in read} == {"read"}
    assert selected((await owner.get(f"{HERE}/clients/new", params={"preset": "none"})).text) == set()


async def test_a_form_that_is_filled_in_wrong_says_so_and_keeps_what_was_typed(
    own_shop: Shop, owner: DashboardClient
) -> None:
    before = len(await own_shop.sql("SELECT FROM api_clients WHERE tenant_id = $1"))
    form = {"id": str(uuid7()), "name": "", "scopes": ["orders:read"]}
    page = await owner.post(f"{HERE}/clients/new", form)
    assert page.status_code == 422
    assert 'aria-describedby="f-name-e" autofocus' in page.text
    assert 'value="orders:read" checked' in page.text
    none = await owner.post(f"{HERE}/clients/new", {"id": str(uuid7()), "name": "Kept name"})
    assert 'value="Kept name"' in none.text
    assert "Select at least one." in none.text
    empty = await owner.post(f"{HERE}/clients/new", {"id": str(uuid7()), "name": ""})
    assert ("f-name-e" in empty.text, "Select at least one." in empty.text) == (True, True)  # both at once
    odd = await owner.post(f"{HERE}/clients/new", {**form, "name": "x", "scopes": ["everything"]})
    assert odd.status_code == 422
    assert len(await own_shop.sql("SELECT FROM api_clients WHERE tenant_id = $1")) == before


async def test_scopes_name_and_state_change_on_the_next_request(own_shop: Shop, owner: DashboardClient) -> None:
    client = await make_client(own_shop, scopes=["orders:read"], rate_limit=1000)
    token, page = await client.token(), f"{HERE}/clients/{client.id}"
    assert (await own_shop.get("/items", token=token)).status_code == 403
    await owner.post(f"{page}/scopes", {"version": "1", "scopes": ["items:read"]})
    assert (await own_shop.get("/items", token=token)).status_code == 200
    assert (await own_shop.get("/orders", token=token)).status_code == 403
    assert (await owner.post(f"{page}/scopes", {"version": "2"})).status_code == 422
    stale = {"version": "1", "scopes": ["orders:read"]}
    assert "changed this" in (await owner.post(f"{page}/scopes", stale)).text
    assert (await own_shop.get("/orders", token=token)).status_code == 403
    await owner.post(f"{page}/name", {"version": "2", "name": "<b>New name</b>"})
    assert "&lt;b&gt;New name&lt;/b&gt;" in (await owner.get(page)).text
    await owner.post(f"{page}/disable")
    assert (await own_shop.get("/items", token=token)).status_code == 401
    await owner.post(f"{page}/enable")
    assert (await own_shop.get("/items", token=token)).status_code == 200
    await owner.post(f"{page}/delete")
    assert (await own_shop.get("/items", token=token)).status_code == 401
    assert (await owner.get(page)).status_code == 404


async def test_a_replaced_secret_may_live_a_day_longer_or_not(own_shop: Shop, owner: DashboardClient) -> None:
    for keep_old in (True, False):
        client = await make_client(own_shop, rate_limit=1000)
        old_token, page = await client.token(), f"{HERE}/clients/{client.id}/rotate"
        form = {"version": "1", **({"keep_old": "yes"} if keep_old else {})}
        answer = await owner.post(page, form)
        fresh = ApiClient(own_shop, client.id, shown(answer, "client-secret"))
        assert (await own_shop.get("/items", token=await fresh.token())).status_code == 200
        old = await own_shop.ask_for_token(client_id=client.name, client_secret=client.secret)
        assert old.status_code == (200 if keep_old else 401)
        assert (await own_shop.get("/items", token=old_token)).status_code == (200 if keep_old else 401)
        again = await owner.post(page, form)
        assert (again.status_code, again.headers["location"]) == (303, f"{HERE}/clients/{client.id}")
        assert (await own_shop.get("/items", token=await fresh.token())).status_code == 200


async def test_clients_of_applications_cannot_be_changed_in_settings(own_shop: Shop, owner: DashboardClient) -> None:
    (row,) = await own_shop.sql("SELECT id FROM api_clients WHERE tenant_id = $1 AND install_id IS NOT NULL")
    page = f"{HERE}/clients/{row['id']}"
    assert "Mizan" in (await owner.get(page)).text
    for act, form in (
        ("name", {"version": "1", "name": "x"}),
        ("scopes", {"version": "1", "scopes": ["orders:read"]}),
        ("delete", {}),
        ("disable", {}),
    ):
        assert (await owner.post(f"{page}/{act}", form)).status_code == 404, act


async def test_a_key_is_made_for_a_branch_and_a_time_and_revoked(own_shop: Shop, owner: DashboardClient) -> None:
    (branch,) = await own_shop.sql("SELECT id FROM branches WHERE tenant_id = $1")
    form = {"id": str(uuid7()), "name": "Till 2", "branch_id": str(branch["id"]), "expires_on": ""}
    page = await owner.post(f"{HERE}/keys/new", form)
    key = shown(page, "api-key")
    key_header = {"x-api-key": key}
    assert (await owner.http.get(f"{KEY_API}/items", headers=key_header)).status_code == 200
    assert f"fdk_…{key[-4:]}" in (await owner.get(HERE)).text
    again = await owner.post(f"{HERE}/keys/new", form)
    assert (again.status_code, again.headers["location"]) == (303, HERE)
    assert (await owner.post(f"{HERE}/keys/{form['id']}/revoke")).status_code == 303
    assert (await owner.http.get(f"{KEY_API}/items", headers=key_header)).status_code == 401


async def test_a_key_that_could_not_work_is_not_made(own_shop: Shop, other_shop: Shop, owner: DashboardClient) -> None:
    yesterday = date.today() - timedelta(days=2)  # noqa: DTZ011 - far enough from every midnight
    for wrong, error in (
        ({"branch_id": str(await branch_of(other_shop))}, "Choose a branch."),
        ({"expires_on": yesterday.isoformat()}, "Choose a day in the future."),
        ({"expires_on": "soon"}, "Enter a date such as 2026-12-31."),
        ({"name": ""}, "Fill in this field."),
    ):
        answer = await owner.post(f"{HERE}/keys/new", {"id": str(uuid7()), "name": "Till", **wrong})
        assert answer.status_code == 422, wrong
        assert error in answer.text
    assert len(await own_shop.sql("SELECT FROM api_keys WHERE tenant_id = $1")) == 1


async def test_the_page_shows_what_a_client_did_and_which_scopes_it_uses(
    own_shop: Shop, owner: DashboardClient
) -> None:
    client = await make_client(own_shop, scopes=["orders:read", "items:read"], rate_limit=1000)
    token = await client.token()
    for _ in range(3):
        await own_shop.get("/orders", token=token, headers={"x-request-id": "seen-order"})
    assert (await own_shop.get("/orders?page=0", token=token)).status_code == 422
    assert (await own_shop.get("/staff", token=token)).status_code == 403
    log = f"{HERE}/clients/{client.id}/requests"

    async def written() -> bool:
        return "insufficient_scope" in (await owner.get(log)).text

    await eventually(written)
    page = (await owner.get(log)).text
    assert page.count("seen-order") == 3
    assert "GET /orders" in page
    assert "validation_error" in page
    failed = (await owner.get(f"{log}?failed=yes")).text
    assert "seen-order" not in failed
    assert "insufficient_scope" in failed
    shows = re.sub(r"\s+", " ", (await owner.get(f"{HERE}/clients/{client.id}")).text)
    use = re.findall(
        r'<code class="muted small">([\w:]+)</code></span> <span class="small muted use">(.*?)</span>', shows
    )
    assert dict(use)["orders:read"].startswith("4 uses, just now")
    assert dict(use)["staff:read"] == dict(use)["items:read"] == "Never used"


async def test_the_starter_plan_is_explained_before_a_client_is_tried(own_shop: Shop, owner: DashboardClient) -> None:
    await change_tenant(own_shop, plan="starter", open_api=False)
    assert "Your plan does not include the Open API" in (await owner.get(HERE)).text
    assert "Your plan does not include the Open API" in (await made_client(owner, "orders:read")).text
    assert (await own_shop.ask_for_token()).json()["error"] == "feature_disabled"
