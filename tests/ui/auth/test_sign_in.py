"""Who gets in: passwords, throttling, cookies, sessions that can be seen and ended."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import pytest

from frontdesk.auth.rate_limit import consume_attempt, reset_attempts
from frontdesk.auth.throttle import (
    ATTEMPTS_OF_ACCOUNT_AT_ADDRESS,
    ATTEMPTS_OF_ADDRESS,
    account_subject,
    address_subject,
)
from frontdesk.auth.types import Role
from frontdesk.postgres.pool import Connection
from frontdesk.security.passwords import HASHING
from tests.factories.changes import ago, ahead
from tests.factories.users import add_member, change_sessions, change_user, make_user, owner_of
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.service import Service, running_service
from tests.support.shop import Shop
from tests.support.waiting import eventually

NEW_PASSWORD = " a long new password "


@pytest.fixture(autouse=True)
async def everybody_may_try_again(conn: Connection) -> None:
    """All of these tests come from one address."""
    await reset_attempts(conn, address_subject("127.0.0.1"))


async def test_a_right_password_leads_to_the_page_that_was_asked_for(own_shop: Shop, stranger: DashboardClient) -> None:
    asked = await stranger.get("/settings/members")
    assert (asked.status_code, asked.headers["location"]) == (303, "/sign-in?next=/settings/members")
    sandbox = own_shop.sandbox
    entered = await stranger.sign_in(sandbox.email.upper(), sandbox.password, next="/settings/members")
    assert (entered.status_code, entered.headers["location"]) == (303, "/settings/members")
    assert (await stranger.get("/settings/members")).status_code == 200
    again = await stranger.get("/sign-in")
    assert (again.status_code, again.headers["location"]) == (303, "/start")


async def test_a_wrong_password_and_an_unknown_address_get_the_same_error(
    own_shop: Shop, stranger: DashboardClient
) -> None:
    pages = []
    for email in (own_shop.sandbox.email, "nobody@people.example"):
        refused = await stranger.sign_in(email, "wrong password")
        assert refused.status_code == 401
        assert "session" not in refused.headers.get("set-cookie", "")
        pages.append(re.sub(r'value="[^"]*"', "", refused.text))
    assert pages[0] == pages[1]
    assert "The e-mail address or password is wrong." in pages[0]


async def test_nobody_is_sent_to_another_host_after_signing_in(owner: DashboardClient) -> None:
    for where in ("https://evil.example/", "//evil.example", "/\\evil.example", "javascript:x", "/\nx", "/é"):
        answer = await owner.get("/sign-in", params={"next": where})
        assert (answer.status_code, answer.headers["location"]) == (303, "/start"), where


async def test_the_cookie_is_closed_to_scripts_and_to_other_sites(own_shop: Shop, stranger: DashboardClient) -> None:
    entered = await stranger.sign_in(own_shop.sandbox.email, own_shop.sandbox.password)
    cookies = {one.split("=")[0]: one for one in entered.headers.get_list("set-cookie")}
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(cookies["frontdesk_session"].split("; "))
    assert "Max-Age" not in cookies["frontdesk_session"]
    kept = await _sign_in_again(stranger, own_shop, keep="yes")
    assert "Max-Age=2592000" in kept


async def _sign_in_again(stranger: DashboardClient, own_shop: Shop, **fields: str) -> str:
    await stranger.post("/sign-out")
    entered = await stranger.sign_in(own_shop.sandbox.email, own_shop.sandbox.password, **fields)
    return next(one for one in entered.headers.get_list("set-cookie") if "_session=" in one)


async def test_on_https_cookies_are_secure_and_tied_to_the_host(dsn: str, own_shop: Shop) -> None:
    async with (
        running_service(dsn, origin="https://desk.example") as service,
        DashboardClient(service.origin, dsn) as desk,
    ):
        shown = await desk.get("/sign-in")
        (cookie,) = shown.headers.get_list("set-cookie")
    assert cookie.startswith("__Host-frontdesk_visitor=")
    assert {"Secure", "Path=/"} <= set(cookie.split("; "))
    assert "Domain" not in cookie


async def test_guesses_at_one_account_are_counted_however_many_come_at_once(
    service: Service, own_shop: Shop, stranger: DashboardClient, conn: Connection
) -> None:
    token = await stranger.form_token("/sign-in")
    guess = {"form_token": token, "email": own_shop.sandbox.email, "password": "a guess"}
    answers = await asyncio.gather(
        *(stranger.http.post("/sign-in", data=guess) for _ in range(ATTEMPTS_OF_ACCOUNT_AT_ADDRESS + 3))
    )
    statuses = sorted(answer.status_code for answer in answers)
    assert statuses == [401] * ATTEMPTS_OF_ACCOUNT_AT_ADDRESS + [429] * 3
    refused = next(answer for answer in answers if answer.status_code == 429)
    assert 0 < int(refused.headers["retry-after"]) <= 60
    right = await stranger.sign_in(own_shop.sandbox.email, own_shop.sandbox.password)
    assert right.status_code == 429
    await reset_attempts(conn, account_subject(own_shop.sandbox.email, "127.0.0.1"))
    await reset_attempts(conn, address_subject("127.0.0.1"))
    assert (await stranger.sign_in(own_shop.sandbox.email, own_shop.sandbox.password)).status_code == 303


@asynccontextmanager
async def no_password_hashed() -> AsyncIterator[None]:
    """As when many sign in at once: the next one has to wait."""
    async with HASHING.turn(True), HASHING.turn(False):
        yield


async def are_counted(conn: Connection, emails: list[str]) -> bool:
    """An attempt is counted before its password is hashed."""
    subjects = [account_subject(email, "127.0.0.1") for email in emails]
    return bool(
        await conn.fetchval("SELECT count(*) = $2 FROM throttles WHERE subject = ANY ($1)", subjects, len(emails))
    )


async def test_waiting_sign_ins_do_not_delay_other_requests(
    own_shop: Shop, stranger: DashboardClient, owner: DashboardClient, conn: Connection
) -> None:
    token = await stranger.form_token("/sign-in")
    own = {"form_token": await owner.form_token(), "current_password": "a guess", "new_password": NEW_PASSWORD}
    async with no_password_hashed():
        waiting = [asyncio.create_task(owner.http.post("/settings/account/password", data=own)) for _ in range(3)]
        for number in range(12):
            guess = {"form_token": token, "email": f"{number}@people.example", "password": "a guess"}
            waiting.append(asyncio.create_task(stranger.http.post("/sign-in", data=guess)))
        await eventually(partial(are_counted, conn, [f"{number}@people.example" for number in range(12)]))
        assert (await own_shop.get("/branches")).status_code == 200
        assert not any(task.done() for task in waiting)
    statuses = [answer.status_code for answer in await asyncio.gather(*waiting)]
    assert statuses == [422] * 3 + [401] * 12


async def test_guesses_from_one_address_are_counted_over_all_accounts(
    own_shop: Shop, stranger: DashboardClient, conn: Connection
) -> None:
    for _ in range(ATTEMPTS_OF_ADDRESS):
        assert await consume_attempt(conn, address_subject("127.0.0.1"), ATTEMPTS_OF_ADDRESS) is None
    assert (await stranger.sign_in(own_shop.sandbox.email, own_shop.sandbox.password)).status_code == 429


async def test_signing_out_ends_the_session_for_good(own_shop: Shop, owner: DashboardClient) -> None:
    cookie = owner.http.cookies["frontdesk_session"]
    assert (await owner.post("/sign-out")).headers["location"] == "/sign-in"
    owner.http.cookies.set("frontdesk_session", cookie, domain="127.0.0.1")
    assert (await owner.get("/")).headers["location"] == "/sign-in?ended=yes"


async def test_sessions_are_listed_and_ended_one_by_one_or_all_others(own_shop: Shop, owner: DashboardClient) -> None:
    user_id = await owner_of(own_shop)
    others = [await dashboard_of(own_shop, user_id) for _ in range(3)]
    page = await owner.get("/settings/account")
    ends = re.findall(r"/settings/account/sessions/[0-9a-f-]{36}/end", page.text)
    assert len(ends) == 3
    assert (await owner.post(ends[0])).status_code == 303
    alive = [(await other.get("/")).status_code for other in others]
    assert sorted(alive) == [200, 200, 303]
    assert (await owner.post("/settings/account/sessions/end-others")).status_code == 303
    assert {(await other.get("/")).status_code for other in others} == {303}
    assert (await owner.get("/")).status_code == 200
    for other in others:
        await other.http.aclose()


async def test_a_user_cannot_end_the_session_of_another(own_shop: Shop, owner: DashboardClient) -> None:
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.RECEPTIONIST)) as staff:
        (session,) = await own_shop.sql(
            "SELECT s.id FROM sessions s JOIN memberships m ON m.user_id = s.user_id "
            "WHERE m.tenant_id = $1 AND m.role = 'receptionist'"
        )
        assert (await owner.post(f"/settings/account/sessions/{session['id']}/end")).status_code == 404
        assert (await staff.get("/")).status_code == 200


async def test_a_new_password_signs_every_other_device_out(own_shop: Shop, owner: DashboardClient) -> None:
    async with (
        await dashboard_of(own_shop, await owner_of(own_shop)) as other,
        DashboardClient(own_shop.origin, own_shop.dsn) as fresh,
    ):
        wrong = {"current_password": "not this", "new_password": "short"}
        refused = await owner.post("/settings/account/password", wrong)
        assert refused.status_code == 422
        assert "Use at least 10 characters." in refused.text
        refused = await owner.post("/settings/account/password", wrong | {"new_password": NEW_PASSWORD})
        assert "This is not your password." in refused.text
        assert NEW_PASSWORD.strip() not in refused.text
        right = {"current_password": own_shop.sandbox.password, "new_password": NEW_PASSWORD}
        assert (await owner.post("/settings/account/password", right)).status_code == 303
        assert (await owner.get("/")).status_code == 200
        assert (await other.get("/")).status_code == 303
        assert (await fresh.sign_in(own_shop.sandbox.email, own_shop.sandbox.password)).status_code == 401
        assert (await fresh.sign_in(own_shop.sandbox.email, NEW_PASSWORD.strip())).status_code == 401
        assert (await fresh.sign_in(own_shop.sandbox.email, NEW_PASSWORD)).status_code == 303


async def test_a_session_that_is_left_alone_ends(own_shop: Shop, owner: DashboardClient) -> None:
    assert (await owner.get("/")).status_code == 200
    await change_sessions(own_shop, await owner_of(own_shop), expires_at=ago(seconds=1))
    assert (await owner.get("/")).status_code == 303


async def test_being_seen_keeps_a_session_alive(own_shop: Shop, owner: DashboardClient) -> None:
    user_id = await owner_of(own_shop)
    await change_sessions(own_shop, user_id, last_seen_at=ago(hours=2), expires_at=ahead(minutes=1))
    assert (await owner.get("/")).status_code == 200
    (row,) = await own_shop.sql(
        "SELECT now() - last_seen_at < interval '1 minute' AS seen, expires_at > now() + interval '11 hours' AS longer "
        "FROM sessions WHERE user_id = $2 AND $1::uuid IS NOT NULL",
        user_id,
    )
    assert tuple(row) == (True, True)


async def test_a_disabled_person_is_out_at_once(
    own_shop: Shop, owner: DashboardClient, stranger: DashboardClient
) -> None:
    await change_user(own_shop, await owner_of(own_shop), disabled_at=ago())
    assert (await owner.get("/")).status_code == 303
    assert (await stranger.sign_in(own_shop.sandbox.email, own_shop.sandbox.password)).status_code == 401


@pytest.mark.parametrize("sent", ["", "fdv_x", "é", "a;b", '"', "fdv_" + "A" * 43])
async def test_a_cookie_that_is_no_session_is_nobody(stranger: DashboardClient, sent: str) -> None:
    answer = await stranger.http.get("/", headers={b"cookie": f"frontdesk_session={sent}".encode("latin-1")})
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/sign-in")


async def test_a_member_of_several_businesses_chooses_one(service: Service, own_shop: Shop, other_shop: Shop) -> None:
    user_id = await make_user(own_shop, Role.MANAGER)
    await add_member(other_shop, user_id, Role.CASHIER)
    async with await dashboard_of(own_shop, user_id) as desk:
        assert (await desk.get("/")).headers["location"] == "/businesses"
        assert (await desk.post(f"/businesses/{own_shop.tenant_id}", page="/businesses")).headers[
            "location"
        ] == "/start"
        assert (await desk.get("/settings/api")).status_code == 200
        await desk.post(f"/businesses/{other_shop.tenant_id}", page="/businesses")
        assert (await desk.get("/settings/api")).status_code == 403
        stranger_shop = await service.new_shop()
        assert (await desk.post(f"/businesses/{stranger_shop.tenant_id}", page="/businesses")).status_code == 404
