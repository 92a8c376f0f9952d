"""An e-mail address counts once it is proven: who claims another person's address gets nothing by it."""

import re
from urllib.parse import parse_qsl

import pytest

from frontdesk.auth.types import Role
from frontdesk.values.ids import uuid7
from tests.factories.changes import change_tenant
from tests.factories.used_up import forget_attempts
from tests.factories.users import make_user
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.pages.second_factor import mails
from tests.support.shop import Shop
from tests.ui.operator.test_operator_commands import run
from tests.ui.settings.test_members import PASSWORD, invite, token_in

MEMBERS = "/settings/members"


@pytest.fixture
async def business(own_shop: Shop) -> Shop:
    """A real one: an invitation of a sandbox, which anybody can have, proves nothing."""
    await change_tenant(own_shop, is_sandbox=False)
    return own_shop


async def mailed(shop: Shop, owner: DashboardClient, email: str) -> tuple[str, dict[str, str]]:
    """The link that only the invited person gets, and the fields that its page sends."""
    await invite(owner, email)
    link = (await mails(shop, email, "invitation"))[-1]["link"]
    return link, dict(parse_qsl(link.partition("?")[2]))


def new_address() -> str:
    return f"{uuid7().hex}@people.example"


async def squat(shop: Shop, email: str, password: str = "the squatter's own words") -> DashboardClient:
    """Signs up with an address that may be another person's."""
    await forget_attempts(shop.dsn)
    desk = DashboardClient(shop.origin, shop.dsn)
    form = {"email": email, "name": "Squatter", "company": "Squatters", "password": password}
    made = await desk.post("/developers/sign-up", form, page="/developers/sign-up")
    assert made.status_code == 200, made.text
    assert "even if your e-mail address is not verified" in made.text
    return desk


async def proven(shop: Shop, email: str) -> list[bool]:
    rows = await shop.sql(
        "SELECT email_verified_at IS NOT NULL AS proven FROM users WHERE email = $2 AND $1::uuid IS NOT NULL "
        "ORDER BY created_at",
        email,
    )
    return [row["proven"] for row in rows]


async def test_a_squatted_address_admits_nobody(
    business: Shop, owner: DashboardClient, stranger: DashboardClient
) -> None:
    email = new_address()
    async with await squat(business, email) as squatter:
        link, fields = await mailed(business, owner, email)
        assert link not in (await squatter.get("/businesses")).text
        form = {"name": "Real", "password": PASSWORD}
        shown = await stranger.post("/invitation", {"token": fields["token"], **form}, page=link)
        assert shown.status_code == 422  # the link that the inviter sees proves nothing
        joined = await stranger.post("/invitation", {**fields, **form}, page=link)
        assert (joined.status_code, joined.headers["location"]) == (303, "/")
        assert (await stranger.get(MEMBERS)).status_code == 200
        assert await proven(business, email) == [False, True]
        assert (await squatter.get(MEMBERS)).status_code == 200  # of their own sandbox
        assert email not in (await owner.get(MEMBERS)).text.replace(email, "", 1).split("Invited")[-1]
    async with DashboardClient(business.origin, business.dsn) as again:
        assert (await again.sign_in(email, "the squatter's own words")).status_code == 401
        assert (await again.sign_in(email, PASSWORD)).status_code == 303


async def test_the_link_proves_the_address_of_an_account_that_claims_it(business: Shop, owner: DashboardClient) -> None:
    email = new_address()
    _, fields = await mailed(business, owner, email)
    async with await squat(business, email) as developer:
        assert "Not verified" in (await developer.get("/settings/account")).text
        assert (await developer.post("/invitation", fields)).status_code == 303
        assert await proven(business, email) == [True]
        assert "Not verified" not in (await developer.get("/settings/account")).text


async def test_an_account_that_exists_is_opened_by_its_password(
    business: Shop, owner: DashboardClient, stranger: DashboardClient
) -> None:
    email = new_address()
    link, fields = await mailed(business, owner, email)
    async with await squat(business, email, "my developer password"):
        form = {**fields, "password": "my developer password"}
        assert (await stranger.post("/invitation", form, page=link)).status_code == 303
    assert await proven(business, email) == [True]
    assert (await stranger.get(MEMBERS)).status_code == 200


async def test_the_invitation_page_does_not_tell_whether_an_account_exists(
    business: Shop, owner: DashboardClient
) -> None:
    known = f"{(await make_user(business, None)).hex}@people.example"
    pages = []
    for email in (known, new_address()):
        link = await invite(owner, email)
        async with DashboardClient(business.origin, business.dsn) as nobody:
            page = await nobody.get(link)
            weak = await nobody.post("/invitation", {"token": token_in(link), "password": "short"}, page=link)
        texts = [re.sub(r'value="[^"]*"|token=\w+', "", one.text.replace(email, "E-MAIL")) for one in (page, weak)]
        pages.append((page.status_code, weak.status_code, texts))
    assert pages[0] == pages[1]
    assert pages[0][:2] == (200, 422)


async def test_an_invitation_of_a_sandbox_proves_nothing(
    own_shop: Shop, owner: DashboardClient, stranger: DashboardClient
) -> None:
    email = new_address()
    link, fields = await mailed(own_shop, owner, email)
    form = {**fields, "name": "Own", "password": PASSWORD}
    assert (await stranger.post("/invitation", form, page=link)).status_code == 303
    assert await proven(own_shop, email) == [False]


async def test_the_link_that_the_inviter_sees_proves_nothing(
    business: Shop, owner: DashboardClient, stranger: DashboardClient
) -> None:
    email = new_address()
    link = await invite(owner, email)
    form = {"token": token_in(link), "name": "Owner as another", "password": PASSWORD}
    other = (await mailed(business, owner, new_address()))[1]["proof"]
    assert (await stranger.post("/invitation", {**form, "proof": other}, page=link)).status_code == 303
    assert await proven(business, email) == [False]
    assert len(await mails(business, email, "email_verification")) == 1


async def test_an_operator_hands_over_a_link_that_works_in_its_account_only(business: Shop, other_shop: Shop) -> None:
    email = new_address()
    async with await squat(business, email) as developer:
        join = await run(business, "user", "join", email, business.tenant_id, fails=True)
        assert "has not verified their e-mail address yet" in join
        assert "has not verified" in await run(business, "operator", "grant", email, fails=True)
        link = (
            "/"
            + (await run(business, "user", "verify-email-link", email)).strip().partition("://")[2].partition("/")[2]
        )
        token = {"token": link.partition("token=")[2]}
        async with DashboardClient(business.origin, business.dsn) as nobody:
            assert (await nobody.get(link)).headers["location"].startswith("/sign-in?next=/verify-email")
        async with await dashboard_of(other_shop, await make_user(other_shop, Role.OWNER)) as another:
            assert (await another.post("/verify-email", token)).status_code == 404
        assert email in (await developer.get(link)).text
        assert (await developer.post("/verify-email", token)).headers["location"] == "/settings/account"
        assert (await developer.post("/verify-email", token)).status_code == 404
    assert await proven(business, email) == [True]
    assert "is already verified" in await run(business, "user", "verify-email-link", email, fails=True)
    await run(business, "user", "join", email, business.tenant_id)


async def test_an_address_is_proven_by_one_account(
    business: Shop, owner: DashboardClient, stranger: DashboardClient
) -> None:
    email = new_address()
    async with await squat(business, email) as squatter:
        link = (await run(business, "user", "verify-email-link", email)).strip()
        invitation, fields = await mailed(business, owner, email)
        form = {**fields, "name": "Real", "password": PASSWORD}
        assert (await stranger.post("/invitation", form, page=invitation)).status_code == 303
        late = await squatter.post("/verify-email", {"token": link.partition("token=")[2]})
        assert late.status_code == 422
        assert "Another account has verified this e-mail address" in late.text
    assert await proven(business, email) == [False, True]
    async with DashboardClient(business.origin, business.dsn) as second:
        await forget_attempts(business.dsn)
        form = {"email": email.upper(), "name": "X", "company": "X", "password": PASSWORD}
        assert (await second.post("/developers/sign-up", form, page="/developers/sign-up")).status_code == 422
