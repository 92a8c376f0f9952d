"""The messages to an account: a link for a new password, a proof of the address, invitations, a new device."""

import re

import pytest

from frontdesk.accounts.account_mail import MAX_AN_HOUR
from frontdesk.accounts.password_reset import MAX_REQUESTS
from frontdesk.auth.rate_limit import reset_attempts
from frontdesk.auth.throttle import address_subject, subject
from frontdesk.config import SmtpServer
from frontdesk.postgres.pool import Connection
from frontdesk.values.ids import uuid7
from tests.factories.used_up import forget_attempts
from tests.factories.users import change_user, owner_of
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.pages.second_factor import APP, app_form, mails, set_up_app
from tests.support.service import running_service
from tests.support.shop import Shop
from tests.ui.settings.test_members import PASSWORD, invite

FORGOT, ACCOUNT = "/forgot-password", "/settings/account"
_REQUESTS = subject("password reset", "127.0.0.1")


@pytest.fixture(autouse=True)
async def everybody_may_try_again(conn: Connection) -> None:
    """All of these tests come from one address."""
    await reset_attempts(conn, address_subject("127.0.0.1"))
    await reset_attempts(conn, _REQUESTS)


def new_address() -> str:
    return f"{uuid7().hex}@people.example"


async def forget(desk: DashboardClient, email: str) -> tuple[int, str]:
    answer = await desk.post(FORGOT, {"email": email}, page=FORGOT)
    return answer.status_code, re.sub(r'name="form_token" value="\w+"', "", answer.text)


async def test_a_forgotten_password_is_replaced_by_a_link_that_works_once(
    own_shop: Shop, owner: DashboardClient, stranger: DashboardClient
) -> None:
    email = own_shop.sandbox.email
    assert (await forget(stranger, email.upper())) == (await forget(stranger, new_address()))
    (mail,) = await mails(own_shop, email, "password_reset")
    link, token = mail["link"], mail["link"].partition("token=")[2]
    assert token not in mail["data"]
    (row,) = await own_shop.sql(
        "SELECT reset_until - now() AS left FROM users WHERE email = $2 AND $1::uuid IS NOT NULL", email
    )
    assert 3500 < row["left"].total_seconds() <= 3600
    assert (await stranger.post("/reset-password", {"token": token, "password": "short"}, page=link)).status_code == 422
    changed = await stranger.post("/reset-password", {"token": token, "password": PASSWORD}, page=link)
    assert (changed.status_code, changed.headers["location"]) == (303, "/sign-in")
    again = await stranger.post("/reset-password", {"token": token, "password": PASSWORD + "!"}, page="/sign-in")
    assert again.status_code == 404
    assert (await owner.get(ACCOUNT)).headers["location"].startswith("/sign-in")
    assert len(await mails(own_shop, email, "password_changed")) == 1
    assert (await stranger.sign_in(email, own_shop.sandbox.password)).status_code == 401
    assert (await stranger.sign_in(email, PASSWORD)).status_code == 303


async def test_a_new_password_does_not_replace_the_second_factor(
    own_shop: Shop, owner: DashboardClient, stranger: DashboardClient
) -> None:
    await set_up_app(owner)
    await forget(stranger, own_shop.sandbox.email)
    (mail,) = await mails(own_shop, own_shop.sandbox.email, "password_reset")
    form = {"token": mail["link"].partition("token=")[2], "password": PASSWORD}
    assert (await stranger.post("/reset-password", form, page=mail["link"])).status_code == 303
    entered = await stranger.sign_in(own_shop.sandbox.email, PASSWORD)
    assert entered.headers["location"] == "/sign-in/second-factor"


async def test_a_new_password_keeps_the_second_factor_of_an_unverified_address(
    own_shop: Shop, owner: DashboardClient, stranger: DashboardClient
) -> None:
    await set_up_app(owner)
    email = own_shop.sandbox.email
    await unverify(own_shop)
    await forget(stranger, email)
    (mail,) = await mails(own_shop, email, "password_reset")
    form = {"token": mail["link"].partition("token=")[2], "password": PASSWORD}
    assert (await stranger.post("/reset-password", form, page=mail["link"])).status_code == 303
    assert (await stranger.sign_in(email, PASSWORD)).headers["location"] == "/sign-in/second-factor"


async def unverify(own_shop: Shop) -> None:
    await change_user(own_shop, await owner_of(own_shop), email_verified_at=None)


async def test_an_address_is_verified_before_a_second_factor_is_added(own_shop: Shop) -> None:
    """Else who claims the address of another could keep its owner out for ever."""
    server = SmtpServer("127.0.0.1", 9, is_tls=False)
    async with (
        running_service(own_shop.dsn, smtp=server) as mailing,
        DashboardClient(mailing.origin, mailing.dsn) as desk,
    ):
        await desk.sign_in(own_shop.sandbox.email, own_shop.sandbox.password)
        _, form = await app_form(desk)
        await unverify(own_shop)
        for kind in ("app", "passkey"):
            led = await desk.get(f"/settings/account/second-factor/{kind}")
            assert led.headers["location"] == "/settings/account/second-factor"
        page = (await desk.get("/settings/account/second-factor")).text
        assert "Verify your e-mail address first" in page
        assert "Add an app" not in page
        sent = await desk.http.post(APP, data={**form, "form_token": await desk.form_token("/settings/account")})
        assert sent.headers["location"] == "/settings/account/second-factor"
        assert (await desk.post("/settings/account/verification")).status_code == 303
        (mail,) = await mails(own_shop, own_shop.sandbox.email, "email_verification")
        token = mail["link"].partition("token=")[2]
        assert (await desk.post("/verify-email", {"token": token}, page=mail["link"])).status_code == 303
        await set_up_app(desk)


async def test_requests_are_bounded_by_mailbox_without_a_word_and_by_network_address(
    own_shop: Shop, stranger: DashboardClient, conn: Connection
) -> None:
    pages = set()
    for _ in range(MAX_AN_HOUR + 1):
        await reset_attempts(conn, _REQUESTS)
        pages.add(await forget(stranger, own_shop.sandbox.email))
    assert len(pages) == 1
    links = [mail["link"] for mail in await mails(own_shop, own_shop.sandbox.email, "password_reset")]
    assert len(links) == MAX_AN_HOUR
    assert [(await stranger.get(link)).status_code for link in links] == [404] * (MAX_AN_HOUR - 1) + [200]
    statuses = [(await forget(stranger, new_address()))[0] for _ in range(MAX_REQUESTS)]
    assert statuses == [200] * (MAX_REQUESTS - 1) + [429]


async def test_a_changed_address_counts_once_its_link_is_opened(
    own_shop: Shop, owner: DashboardClient, stranger: DashboardClient
) -> None:
    new, old = new_address(), own_shop.sandbox.email
    assert (await owner.post(f"{ACCOUNT}/email", {"new_email": "none"})).status_code == 422
    assert (await owner.post(f"{ACCOUNT}/email", {"new_email": old})).status_code == 422
    assert (await owner.post(f"{ACCOUNT}/email", {"new_email": new.upper()})).status_code == 303
    page = (await owner.get(ACCOUNT)).text
    assert new in page
    assert old in page
    assert (await owner.post(f"{ACCOUNT}/verification")).status_code == 303
    first, second = [mail["link"].partition("token=")[2] for mail in await mails(own_shop, new, "email_verification")]
    assert new in (await owner.get(f"/verify-email?token={second}")).text
    assert (await owner.post("/verify-email", {"token": first})).status_code == 404
    assert (await owner.post("/verify-email", {"token": second})).status_code == 303
    assert len(await mails(own_shop, old, "email_changed")) == 1
    assert old not in (await owner.get(ACCOUNT)).text
    assert (await stranger.sign_in(old, own_shop.sandbox.password)).status_code == 401
    assert (await stranger.sign_in(new, own_shop.sandbox.password)).status_code == 303


async def test_a_new_password_withdraws_an_address_that_waits(own_shop: Shop, owner: DashboardClient) -> None:
    """Who had the old password may have entered it."""
    new = new_address()
    assert (await owner.post(f"{ACCOUNT}/email", {"new_email": new})).status_code == 303
    passwords = {"current_password": own_shop.sandbox.password, "new_password": PASSWORD}
    assert (await owner.post(f"{ACCOUNT}/password", passwords)).status_code == 303
    assert new not in (await owner.get(ACCOUNT)).text
    (mail,) = await mails(own_shop, new, "email_verification")
    assert (await owner.post("/verify-email", {"token": mail["link"].partition("token=")[2]})).status_code == 404


async def test_who_signs_up_is_asked_to_verify_until_the_link_is_opened(
    own_shop: Shop, stranger: DashboardClient
) -> None:
    email = new_address()
    await forget_attempts(own_shop.dsn)
    form = {"email": email, "name": "New", "company": "New", "password": PASSWORD}
    assert (await stranger.post("/developers/sign-up", form, page="/developers/sign-up")).status_code == 200
    assert "ask its operator for the link" in (await stranger.get("/")).text
    assert "ask its operator" not in (await stranger.get("/developer")).text  # nothing can be done there
    assert ">New link</button>" in (await stranger.get(ACCOUNT)).text
    for _ in range(MAX_AN_HOUR - 1):
        assert (await stranger.post(f"{ACCOUNT}/verification")).status_code == 303
    assert (await stranger.post(f"{ACCOUNT}/verification")).status_code == 429
    sent = await mails(own_shop, email, "email_verification")
    assert len(sent) == MAX_AN_HOUR
    token = sent[-1]["link"].partition("token=")[2]
    assert (await stranger.get(sent[-1]["link"])).status_code == 200
    assert (await stranger.post("/verify-email", {"token": token})).status_code == 303
    assert "ask its operator" not in (await stranger.get("/")).text + (await stranger.get(ACCOUNT)).text


async def test_the_mailed_link_of_an_invitation_also_proves_the_address(own_shop: Shop, owner: DashboardClient) -> None:
    email = new_address()
    link = await invite(owner, email, "cashier")
    (mail,) = await mails(own_shop, email, "invitation")
    assert mail["link"].startswith(f"{link}&proof=")
    assert '"role": "cashier"' in mail["data"]


async def test_a_sign_in_on_a_new_device_sends_a_link_that_ends_it(
    own_shop: Shop, owner: DashboardClient, stranger: DashboardClient
) -> None:
    email, password = own_shop.sandbox.email, own_shop.sandbox.password
    stranger.http.headers["user-agent"] = "Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0"
    assert (await stranger.sign_in(email, password)).status_code == 303
    (mail,) = await mails(own_shop, email, "new_device")
    assert '"device": "Chrome, Linux"' in mail["data"]
    assert '"address": "127.0.0.1"' in mail["data"]
    await stranger.post("/sign-out")
    assert (await stranger.sign_in(email, password)).status_code == 303  # a known device now
    async with await dashboard_of(own_shop, await owner_of(own_shop)) as elsewhere:
        assert len(await mails(own_shop, email, "new_device")) == 1
        assert (await elsewhere.get(mail["link"])).status_code == 404  # it has ended
    stranger.http.cookies.clear()
    assert (await stranger.sign_in(email, password)).status_code == 303
    link = (await mails(own_shop, email, "new_device"))[-1]["link"]
    async with DashboardClient(own_shop.origin, own_shop.dsn) as reader:  # who reads the mail is not signed in
        assert "Chrome, Linux" in (await reader.get(link)).text
        assert (await stranger.get(ACCOUNT)).status_code == 200  # looking at it ends nothing
        ended = await reader.post("/end-session", {"token": link.partition("token=")[2]}, page=link)
        assert ended.headers["location"] == FORGOT
        assert (await reader.get("/end-session?token=none")).status_code == 404
    assert (await stranger.get(ACCOUNT)).headers["location"].startswith("/sign-in")
    assert (await owner.get(ACCOUNT)).status_code == 200


async def test_two_users_of_one_device_get_no_mail_about_a_new_device(
    own_shop: Shop, other_shop: Shop, stranger: DashboardClient, owner: DashboardClient
) -> None:
    assert (await owner.get(ACCOUNT)).status_code == 200
    for shop in (own_shop, other_shop, own_shop, other_shop):
        assert (await stranger.sign_in(shop.sandbox.email, shop.sandbox.password)).status_code == 303
        await stranger.post("/sign-out")
    assert len(await mails(own_shop, own_shop.sandbox.email, "new_device")) == 1
