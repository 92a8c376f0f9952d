"""From nothing: a new owner signs up, an operator opens a business, resets a password and deletes a business."""

import html
import re
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import pytest

from frontdesk.auth.types import Role
from frontdesk.config import SmtpServer
from frontdesk.values.ids import uuid7
from tests.factories.changes import change_rows
from tests.factories.imports import insert_import
from tests.factories.orders import make_order
from tests.factories.pictures import insert_picture
from tests.factories.used_up import forget_attempts
from tests.factories.users import make_user, owner_of
from tests.support.branch import day
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.forms import form_fields
from tests.support.pages.second_factor import mails
from tests.support.service import Service, running_service
from tests.support.shop import Shop

PASSWORD = "quite long enough for this"


@pytest.fixture
async def open_service(dsn: str) -> AsyncIterator[Service]:
    await forget_attempts(dsn)
    async with running_service(dsn, sign_up=True) as service:
        yield service


def filled(**changes: str) -> dict[str, str]:
    given = {"name": "Huda Nasser", "email": f"{uuid7().hex}@people.example", "password": PASSWORD}
    return {**given, "business": "Layan Studio", "country": "SA", "slug": f"layan-{uuid7().hex[-8:]}", **changes}


def link_in(page: str, element: str, origin: str) -> str:
    found = re.search(rf'<code id="{element}">(.*?)</code>', page)
    assert found
    return html.unescape(found[1]).removeprefix(origin)


async def business_of(shop: Shop, slug: str) -> Any:
    (found,) = await shop.sql(
        "SELECT n.* FROM tenants n JOIN tenant_slugs s ON s.tenant_id = n.id "
        "WHERE s.slug = $2 AND $1::uuid IS NOT NULL",
        slug,
    )
    return found


async def test_a_new_owner_gets_a_business_with_a_branch_and_payment_methods(
    open_service: Service, other_shop: Shop
) -> None:
    async with DashboardClient(open_service.origin, open_service.dsn) as desk:
        page = await desk.get("/sign-up")
        assert "Saudi Arabia" in page.text
        form = filled()
        made = await desk.post("/sign-up", form, page="/sign-up")
        assert (made.status_code, made.headers["location"]) == (303, "/setup/business"), made.text
        business = await business_of(other_shop, form["slug"])
        assert (business["timezone"], business["currency"], business["languages"]) == (
            "Asia/Riyadh",
            "SAR",
            ["ar", "en"],
        )
        tenant = business["id"]
        methods = await other_shop.sql(
            "SELECT type FROM payment_methods WHERE tenant_id = $2 AND $1::uuid IS NOT NULL ORDER BY sort_order", tenant
        )
        assert [method["type"] for method in methods] == ["cash", "card"]
        setup = await desk.get("/setup")
        assert "Welcome, Huda" in setup.text
        first = (await desk.get("/")).text
        assert "First service" in first
        assert "This service has no mail server: ask its operator for the link." in first
        taken = await desk.http.post("/sign-out", data={"form_token": await desk.form_token()})
        assert taken.status_code == 303
        refused = await desk.post("/sign-up", filled(slug=form["slug"], email=form["email"]), page="/sign-up")
        assert "Another business uses this name" in refused.text
        assert re.findall(r'id="f-(\w+)-e"', refused.text) == ["slug", "email"]  # both at once
        wrong = filled(slug=form["slug"], email=form["email"], country="ZZ", name="")
        refused = await desk.post("/sign-up", wrong, page="/sign-up")
        assert "Choose a country." in refused.text
        assert set(re.findall(r'id="f-(\w+)-e"', refused.text)) == {"country", "slug", "name"}  # the taken slug too
        refused = await desk.post("/sign-up", filled(email=form["email"]), page="/sign-up")
        assert (refused.status_code, "There is an account with this e-mail address" in refused.text) == (422, True)
        assert (await desk.post("/sign-up", filled(), page="/sign-up")).status_code == 429  # three a minute


@pytest.fixture
async def mailing_service(dsn: str) -> AsyncIterator[Service]:
    """It can send mail: nothing listens at the address, so that the mail waits."""
    await forget_attempts(dsn)
    async with running_service(dsn, sign_up=True, smtp=SmtpServer("127.0.0.1", 9, is_tls=False)) as service:
        yield service


@pytest.mark.parametrize(
    ("path", "extra"),
    [("/sign-up", {"business": "Layan Studio", "country": "SA"}), ("/developers/sign-up", {"company": "Layan"})],
)
async def test_sign_up_does_not_tell_whether_an_address_has_an_account(
    mailing_service: Service, other_shop: Shop, path: str, extra: dict[str, str]
) -> None:
    async def ask(desk: DashboardClient, email: str) -> tuple[int, str]:
        page = await desk.post(path, {"name": "Huda Nasser", "email": email, **extra}, page=path)
        return page.status_code, re.sub(r'name="form_token" value="\w+"', "", page.text).replace(email, "")

    known, new = other_shop.sandbox.email, f"{uuid7().hex}@people.example"
    async with DashboardClient(mailing_service.origin, mailing_service.dsn) as desk:
        assert 'name="password"' not in (await desk.get(path)).text
        answers = {await ask(desk, known), await ask(desk, new)}
        assert [status for status, _ in answers] == [200]
        assert (await desk.get("/")).headers["location"].startswith("/sign-in")
        *_, mail = await mails(other_shop, known, "account_exists")
        assert (mail["link"], await mails(other_shop, known, "sign_up")) == ("/sign-in", [])
        (mail,) = await mails(other_shop, new, "sign_up")
        token = mail["link"].partition("token=")[2]
        assert new in (await desk.get(mail["link"])).text
        weak = await desk.post(f"{path}/finish", {"token": token, "password": "short"}, page=mail["link"])
        assert (weak.status_code, "f-password-e" in weak.text) == (422, True)
        forged = await desk.post(f"{path}/finish", {"token": token[:-4], "password": PASSWORD}, page=mail["link"])
        assert forged.status_code == 404
        other = "/developers/sign-up/finish" if path == "/sign-up" else "/sign-up/finish"
        assert (await desk.get(f"{other}?token={token}")).status_code == 404
        form = {"token": token, "password": PASSWORD}
        made = await desk.post(f"{path}/finish", form, page=mail["link"])
        assert made.status_code == (303 if path == "/sign-up" else 200), made.text
        assert "is not verified" not in (await desk.get("/settings/account")).text
        again = await desk.post(f"{path}/finish", form, page=mail["link"])
        assert again.status_code == 404  # the link was used


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        (
            {"business": "", "name": "", "email": "", "password": "", "slug": ""},
            ["business", "name", "email", "password"],
        ),
        (
            {"slug": "Ä", "country": "XX", "email": "huda", "password": "short"},
            ["country", "slug", "email", "password"],
        ),
    ],
)
async def test_all_wrong_fields_are_shown_at_once(
    open_service: Service, other_shop: Shop, changes: dict[str, str], wrong: list[str]
) -> None:
    order = ("business", "country", "slug", "name", "email", "password")
    form = filled(**changes)
    async with DashboardClient(open_service.origin, open_service.dsn) as desk:
        page = await desk.post("/sign-up", {field: form[field] for field in order}, page="/sign-up")
    assert page.status_code == 422
    assert re.findall(r'id="f-(\w+)-e"', page.text) == wrong
    (focused,) = re.findall(r"<(?:input|select)[^>]*autofocus[^>]*>", page.text)
    assert f'name="{wrong[0]}"' in focused
    assert "name" in wrong or 'value="Huda Nasser"' in page.text  # what was typed is kept


async def test_sign_up_is_closed_unless_the_operator_opens_it(stranger: DashboardClient) -> None:
    closed = await stranger.get("/sign-up")
    assert (closed.status_code, "Sign in</a>" in closed.text, "overview" in closed.text) == (403, True, False)
    assert "/sign-up" not in (await stranger.get("/sign-in")).text.replace("/developers/sign-up", "")


@pytest.fixture
async def operator(own_shop: Shop) -> AsyncIterator[DashboardClient]:
    async with await dashboard_of(own_shop, await make_user(own_shop, None, operator=True)) as desk:
        yield desk


async def test_an_operator_without_a_business_lands_on_the_console(operator: DashboardClient) -> None:
    assert (await operator.get("/")).headers["location"] == "/operator"


async def test_an_operator_opens_a_business_and_its_owner_joins_by_a_link(
    own_shop: Shop, operator: DashboardClient, stranger: DashboardClient
) -> None:
    email, slug = f"{uuid7().hex}@people.example", f"new-{uuid7().hex[-8:]}"
    business_name = f"Noor {uuid7().hex}"
    path = "/operator/tenants/new"
    empty = form_fields((await operator.get(path)).text, path)  # sent as a browser does, with what was not chosen
    form = {**empty, "business": business_name, "email": email, "country": "KW", "plan": "starter", "slug": slug}
    created = await operator.post(path, form)
    link = link_in(created.text, "invitation-link", operator.origin)
    business = await business_of(own_shop, slug)
    assert (business["currency"], business["plan"], business["signed_up"]) == ("KWD", "starter", False)
    token = link.partition("token=")[2]
    joined = await stranger.post("/invitation", {"token": token, "name": "Noor", "password": PASSWORD}, page=link)
    assert joined.status_code == 303, joined.text
    assert (await stranger.get("/settings/business")).status_code == 200
    invite = (
        'class="button" href="/settings/members/invite"'  # to do: the operator invited the owner, and nobody the team
    )
    assert invite in (await stranger.get("/setup")).text
    member = {"id": str(uuid7()), "email": f"{uuid7().hex}@people.example", "role": "cashier"}
    invited = await stranger.post("/settings/members/invite", member)
    assert invited.status_code == 200, invited.text
    assert invite not in (await stranger.get("/setup")).text
    name = f"Noor {uuid7().hex[-8:]}"
    for _ in range(2):  # the name alone, then with an addition
        await operator.post("/operator/tenants/new", {**form, "business": name, "slug": ""})
    words = name.lower().replace(" ", "-")
    slugs = await own_shop.sql(
        "SELECT slug FROM tenant_slugs WHERE slug LIKE $2 || '%' AND $1::uuid IS NOT NULL", words
    )
    assert sorted(row["slug"].removeprefix(words)[:1] for row in slugs) == ["", "-"]
    wrong = await operator.post("/operator/tenants/new", {**form, "email": "no address"})
    assert (wrong.status_code, wrong.text.count("Enter an e-mail address such as")) == (422, 1)
    assert (
        len(await own_shop.sql("SELECT id FROM tenants WHERE name = $2 AND $1::uuid IS NOT NULL", business_name)) == 1
    )


async def test_an_operator_creates_a_business_with_zone_currency_and_languages(
    own_shop: Shop, operator: DashboardClient
) -> None:
    email, slug = f"{uuid7().hex}@people.example", f"new-{uuid7().hex[-8:]}"
    form = {"business": "Noor", "email": email, "country": "GB", "plan": "starter", "slug": slug}
    region = {"timezone": "Asia/Dubai", "currency": "AED", "languages": "ar,en"}
    wrong = await operator.post("/operator/tenants/new", {**form, "timezone": "Asia/Nowhere", "currency": "XAU"})
    assert (wrong.status_code, wrong.text.count('class="error"')) == (422, 2)
    assert (await operator.post("/operator/tenants/new", {**form, **region})).status_code == 200
    business = await business_of(own_shop, slug)
    assert (business["timezone"], business["currency"], business["languages"]) == ("Asia/Dubai", "AED", ["ar", "en"])
    mailed = await own_shop.sql(
        "SELECT language FROM account_messages WHERE email = $2 AND $1::uuid IS NOT NULL", email
    )
    assert [message["language"] for message in mailed] == ["ar"]
    page = (await operator.get(f"/operator/tenants/{business['id']}")).text
    assert "United Kingdom" in page
    assert f"/book/{slug}" in page


async def test_an_operator_invites_another_owner(
    own_shop: Shop, operator: DashboardClient, stranger: DashboardClient
) -> None:
    where, email = f"/operator/tenants/{own_shop.tenant_id}", f"{uuid7().hex}@people.example"
    refused = await operator.post(f"{where}/invite", {"email": "nobody"})
    assert (refused.status_code, "Enter an e-mail address such as" in refused.text) == (422, True)
    invited = await operator.post(f"{where}/invite", {"email": email})
    link = link_in(invited.text, "invitation-link", operator.origin)
    assert email in (await operator.get(where)).text  # until it is accepted
    token = link.partition("token=")[2]
    joined = await stranger.post("/invitation", {"token": token, "name": "Noor", "password": PASSWORD}, page=link)
    assert joined.status_code == 303, joined.text
    activity = (await stranger.get("/activity")).text
    assert email in activity
    assert (await stranger.get("/settings/members")).status_code == 200


async def test_a_password_link_works_once_and_ends_all_sessions(
    own_shop: Shop, operator: DashboardClient, stranger: DashboardClient
) -> None:
    user_id = await make_user(own_shop, Role.CASHIER)
    async with await dashboard_of(own_shop, user_id) as signed_in:
        made = await operator.post(f"/operator/users/{user_id}/reset-password")
        link = link_in(made.text, "reset-link", operator.origin)
        token = link.partition("token=")[2]
        weak = await stranger.post("/reset-password", {"token": token, "password": "short"}, page=link)
        assert weak.status_code == 422
        saved = await stranger.post("/reset-password", {"token": token, "password": PASSWORD}, page=link)
        assert (saved.status_code, saved.headers["location"]) == (303, "/sign-in")
        assert (await stranger.get(link)).status_code == 404
        assert (await signed_in.get("/")).status_code == 303
    (user,) = await own_shop.sql("SELECT email FROM users WHERE id = $2 AND $1::uuid IS NOT NULL", user_id)
    assert (await stranger.sign_in(user["email"], PASSWORD)).status_code == 303


async def test_a_deleted_business_keeps_its_books_and_nothing_personal(
    own_shop: Shop, other_shop: Shop, operator: DashboardClient
) -> None:
    owner_id: UUID = await owner_of(own_shop)
    order_id = await make_order(own_shop, 1, price="10", paid="10")
    said = {"amount": 1, "reason": "Zuhair did not like it"}
    assert (await own_shop.key_call("POST", f"/pos/orders/{order_id}/refunds", json=said)).status_code == 201
    (before,) = await own_shop.sql("SELECT count(*) AS orders, sum(total) AS total FROM orders WHERE tenant_id = $1")
    others = await other_shop.sql("SELECT count(*) FROM customers WHERE tenant_id = $1 AND phone IS NOT NULL")
    await insert_import(own_shop)
    picture_id = await insert_picture(own_shop)
    await change_rows(own_shop, "staff", phone="+966500000001", email="a@b.example", picture_id=picture_id)
    (staff,) = await own_shop.sql("SELECT id FROM staff WHERE tenant_id = $1 LIMIT 1")
    path = f"/operator/tenants/{own_shop.tenant_id}/delete"
    (name,) = await own_shop.sql("SELECT name FROM tenants WHERE id = $1")
    async with await dashboard_of(own_shop, owner_id) as owner:
        for page, entered in (
            ("/customers/new", {"id": uuid7(), "first_name": "Zuhair", "note": "Zuhair is allergic"}),
            (f"/staff/{staff['id']}/time-off/new", {"id": uuid7(), "first_day": day(9), "note": "with Zuhair"}),
            ("/settings/members/invite", {"id": uuid7(), "email": "zuhair@people.example", "role": "cashier"}),
            ("/orders/views/new", {"id": uuid7(), "name": "His", "query": "search=zuhair"}),
        ):
            assert (await owner.post(page, entered)).status_code in (200, 303), page
        assert (await operator.post(path, {"name": "Another"})).status_code == 422
        assert (await owner.get("/")).status_code == 200
        assert (await operator.post(path, {"name": name["name"]})).status_code == 303
        assert (await owner.get("/")).status_code == 303
    assert (await own_shop.key_call("GET", "/items")).status_code in (401, 403)
    assert (await own_shop.ask_for_token()).status_code in (401, 403)
    assert (await operator.get("/operator/tenants", params={"search": str(own_shop.tenant_id)})).text.count(
        "rowlink"
    ) == 0
    (after,) = await own_shop.sql("SELECT count(*) AS orders, sum(total) AS total FROM orders WHERE tenant_id = $1")
    assert tuple(after) == tuple(before)
    for people in ("customers", "staff"):
        personal = f"SELECT FROM {people} WHERE tenant_id = $1 AND (phone IS NOT NULL OR email IS NOT NULL)"
        assert await own_shop.sql(personal) == []
    assert await own_shop.sql("SELECT FROM imports WHERE tenant_id = $1") == []
    tables = await own_shop.sql(
        "SELECT table_name AS name FROM information_schema.columns "
        "WHERE column_name = 'tenant_id' AND $1::uuid IS NOT NULL"
    )
    for table in tables:
        found = await own_shop.sql(f"SELECT FROM {table['name']} t WHERE tenant_id = $1 AND t::text ILIKE '%zuhair%'")
        assert found == [], table["name"]
    for table in ("idempotency_records", "pictures"):
        assert await own_shop.sql(f"SELECT FROM {table} WHERE tenant_id = $1") == [], table
    assert (await operator.get(f"/pictures/{own_shop.tenant_id}/{picture_id}")).status_code == 404
    for act, form in (("resume", {}), ("suspend", {"reason": "late"}), ("plan", {"plan": "starter"})):
        assert (await operator.post(f"/operator/tenants/{own_shop.tenant_id}/{act}", form)).status_code == 404, act
    assert await other_shop.sql("SELECT count(*) FROM customers WHERE tenant_id = $1 AND phone IS NOT NULL") == others
