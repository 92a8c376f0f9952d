"""A form that was not sent from our own page changes nothing; and what every answer tells the browser to allow."""

import re

import pytest

from frontdesk.auth.types import Role
from frontdesk.ui.app import dashboard
from frontdesk.ui.shell.context import PageContext
from frontdesk.values.ids import uuid7
from tests.factories.users import add_member, make_user
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.shop import Shop

FORMS = [page.path for page in dashboard().pages if page.method == "POST" and page.context is PageContext]
# Pages for customers have no session that a form of another site could misuse; they refuse its origin.
PUBLIC_FORMS = [page.path for page in dashboard().pages if page.method == "POST" and page.context is not PageContext]
UPLOADS = {page.path for page in dashboard().pages if page.max_upload}
_FILE = {"file": ("table.csv", b"name", "text/csv")}
ANY = "00000000-0000-7000-8000-000000000000"


async def test_every_form_needs_its_token(owner: DashboardClient) -> None:
    assert len(FORMS) > 15
    for path in FORMS:
        where = re.sub(r"\{\w+\}", ANY, path)
        for sent in ({}, {"form_token": ""}, {"form_token": "0" * 64}, {"form_token": "é"}):
            answer = await owner.http.post(where, data=sent, files=_FILE if path in UPLOADS else None)
            assert answer.status_code == 403, (path, sent)


async def test_forms_for_customers_refuse_other_sites(owner: DashboardClient) -> None:
    assert len(PUBLIC_FORMS) > 3
    for path in PUBLIC_FORMS:
        if path.startswith("/reminders/"):  # mail programs end reminders with one click
            continue
        where = re.sub(r"\{\w+\}", ANY, path)
        answer = await owner.http.post(where, data={}, headers={"origin": "https://evil.example"})
        assert answer.status_code == 403, path


async def test_the_token_of_another_session_is_rejected(own_shop: Shop, owner: DashboardClient) -> None:
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.OWNER)) as other:
        stolen = {"form_token": await other.form_token(), "language": "ar"}
    assert (await owner.http.post("/language", data=stolen)).status_code == 403


async def test_a_form_from_another_site_is_refused_in_spite_of_a_right_token(owner: DashboardClient) -> None:
    sent = {"form_token": await owner.form_token(), "theme": "dark"}
    for origin in ("https://evil.example", "null", f"{owner.origin}.evil.example", "http://127.0.0.1:1", "http://["):
        assert (await owner.http.post("/theme", data=sent, headers={"origin": origin})).status_code == 403, origin
        assert (await owner.http.post("/theme", data=sent, headers={"referer": f"{origin}/x"})).status_code == 403
    for headers in ({}, {"origin": owner.origin}, {"referer": f"{owner.origin}/settings"}):
        assert (await owner.http.post("/theme", data=sent, headers=headers)).status_code == 303


async def test_a_form_shown_for_one_business_never_acts_on_another(own_shop: Shop, other_shop: Shop) -> None:
    """Two tabs: the second switches the business, the first sends its form."""
    user_id = await make_user(own_shop, Role.OWNER)
    await add_member(other_shop, user_id, Role.OWNER)
    async with await dashboard_of(own_shop, user_id) as desk:
        await desk.post(f"/businesses/{own_shop.tenant_id}", page="/businesses")
        shown = await desk.form_token("/settings/api/clients/new")
        await desk.post(f"/businesses/{other_shop.tenant_id}", page="/businesses")
        late = {"form_token": shown, "id": str(uuid7()), "name": "Astray", "scopes": ["orders:read"]}
        assert (await desk.http.post("/settings/api/clients/new", data=late)).status_code == 403
        assert await other_shop.sql("SELECT FROM api_clients WHERE tenant_id = $1 AND name = 'Astray'") == []


@pytest.mark.parametrize("path", ["/sign-in", "/", "/settings/api", "/nothing/here"])
async def test_every_page_is_closed_to_frames_scripts_and_caches(
    owner: DashboardClient, stranger: DashboardClient, path: str
) -> None:
    answer = await (stranger if path == "/sign-in" else owner).get(path)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-frame-options"] == "DENY"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["referrer-policy"] == "same-origin"
    assert " style=" not in answer.text
    assert "<script>" not in answer.text
    assert " on" + "click=" not in answer.text


async def test_what_is_no_page_is_answered_in_the_form_that_the_caller_reads(owner: DashboardClient) -> None:
    page = await owner.get("/settings/nothing")
    assert page.status_code == 404
    assert "Page not found" in page.text
    machine = await owner.http.get("/settings/nothing", headers={"accept": "application/json"})
    assert machine.json()["error"] == "not_found"
    wrong = await owner.http.put("/settings/api", headers={"accept": "text/html"})
    assert (wrong.status_code, wrong.headers["allow"]) == (405, "GET, HEAD")


async def test_whatever_is_sent_as_a_form_is_refused_with_a_page(owner: DashboardClient) -> None:
    for body in (b"\xff", b"%ff=1", b"&".join([b"a=1"] * 600), b"{}", b"a" * (1 << 20) + b"a"):
        answer = await owner.http.post("/theme", content=body)
        assert 400 <= answer.status_code < 500, body[:10]
        assert answer.headers["content-type"].startswith("text/html")
    token = await owner.form_token()
    odd = {"form_token": token, "id": str(uuid7()), "name": "a\0b", "scopes": "orders:read"}
    answer = await owner.http.post("/settings/api/clients/new", data=odd)
    assert answer.status_code == 422
    assert "characters that cannot be stored" in answer.text
