"""Signing in with a second factor: codes that count once, states that open nothing, and who must have one."""

import asyncio
from uuid import UUID

import pytest

from frontdesk.accounts.pending_sign_ins import MAX_FAILURES
from frontdesk.auth.rate_limit import reset_attempts
from frontdesk.auth.throttle import address_subject
from frontdesk.postgres.pool import Connection
from tests.factories.changes import ago
from tests.factories.users import change_sessions, change_user, make_user, owner_of
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.pages.second_factor import Phone, forget_last_code, mails, set_up_app
from tests.support.shop import Shop

ACCOUNT, SECOND = "/settings/account", "/sign-in/second-factor"
FACTORS = f"{ACCOUNT}/second-factor"


@pytest.fixture(autouse=True)
async def everybody_may_try_again(conn: Connection) -> None:
    """All of these tests come from one address."""
    await reset_attempts(conn, address_subject("127.0.0.1"))


async def enter_password(desk: DashboardClient, own_shop: Shop) -> None:
    entered = await desk.sign_in(own_shop.sandbox.email, own_shop.sandbox.password, next="/settings/members")
    assert (entered.status_code, entered.headers["location"]) == (303, SECOND)


async def enter_code(desk: DashboardClient, code: str, **rest: str) -> int:
    return (await desk.post(SECOND, {"code": code, **rest}, page=SECOND)).status_code


async def test_the_password_alone_opens_nothing_and_a_code_counts_once(
    own_shop: Shop, owner: DashboardClient, stranger: DashboardClient
) -> None:
    phone, _ = await set_up_app(owner)
    await enter_password(stranger, own_shop)
    assert "frontdesk_session" not in stranger.http.cookies
    assert (await stranger.get("/settings/members")).headers["location"].startswith("/sign-in")
    assert await enter_code(stranger, phone.code()) == 422  # it showed that the app works: used
    assert await enter_code(stranger, "000 000") == 422
    planted = stranger.http.cookies["frontdesk_pending"]
    entered = await stranger.post(SECOND, {"code": phone.code(steps=1)}, page=SECOND)
    assert (entered.status_code, entered.headers["location"]) == (303, "/settings/members")
    assert planted not in stranger.http.cookies["frontdesk_session"]
    assert (await stranger.get("/settings/members")).status_code == 200
    async with DashboardClient(own_shop.origin, own_shop.dsn) as replaying:
        replaying.http.cookies.set("frontdesk_pending", planted, domain="127.0.0.1")
        assert (await replaying.get(SECOND)).headers["location"] == "/sign-in?over=yes"
        await enter_password(replaying, own_shop)
        assert await enter_code(replaying, phone.code(steps=1)) == 422


async def test_the_right_code_sent_twice_at_once_begins_one_session(
    own_shop: Shop, owner: DashboardClient, stranger: DashboardClient
) -> None:
    phone, _ = await set_up_app(owner)
    await forget_last_code(own_shop, await owner_of(own_shop))
    await enter_password(stranger, own_shop)
    form = {"form_token": await stranger.form_token(SECOND), "code": phone.code(steps=1)}
    async with DashboardClient(own_shop.origin, own_shop.dsn) as other:
        other.http.cookies.update(stranger.http.cookies)
        answers = await asyncio.gather(*(desk.http.post(SECOND, data=form) for desk in (stranger, other)))
    assert sorted(answer.status_code for answer in answers)[0] == 303
    begun = [one for answer in answers for one in answer.headers.get_list("set-cookie") if "_session=" in one]
    assert len(begun) == 1


async def test_a_recovery_code_signs_in_once_and_the_owner_gets_a_mail(
    own_shop: Shop, owner: DashboardClient, stranger: DashboardClient
) -> None:
    _, codes = await set_up_app(owner)
    assert len(set(codes)) == 10
    for expected in (303, 422):
        await enter_password(stranger, own_shop)
        assert await enter_code(stranger, codes[0].upper().replace("-", " ")) == expected
        stranger.http.cookies.delete("frontdesk_session")
    assert [mail["data"] for mail in await mails(own_shop, own_shop.sandbox.email, "second_factor_changed")] == [
        '{"change": "added", "device": "Phone"}',
        '{"change": "recovery_code_used", "device": ""}',
    ]
    assert "9 recovery codes left" in (await owner.get(ACCOUNT)).text
    renewed = await owner.post(f"{FACTORS}/codes")
    assert codes[1] not in renewed.text
    assert await enter_code(stranger, codes[1]) == 422


async def test_wrong_codes_of_a_second_factor_are_throttled_except_on_known_devices(
    own_shop: Shop, owner: DashboardClient, stranger: DashboardClient
) -> None:
    phone, _ = await set_up_app(owner)
    await enter_password(stranger, own_shop)
    for _ in range(MAX_FAILURES):
        await stranger.post(SECOND, {"code": "123456"}, page="/sign-in")
    assert (await stranger.get(SECOND)).headers["location"] == "/sign-in?over=yes"
    await enter_password(stranger, own_shop)
    waiting = await stranger.post(SECOND, {"code": phone.code(steps=1)}, page=SECOND)
    assert waiting.status_code == 429
    assert int(waiting.headers["retry-after"]) > 0
    async with DashboardClient(
        own_shop.origin, own_shop.dsn
    ) as own:  # its cookie says that the owner signed in here before
        await change_user(own_shop, await owner_of(own_shop), code_failures=0)
        await enter_password(own, own_shop)
        assert await enter_code(own, phone.code(steps=1), remember="yes") == 303
        await own.post("/sign-out")
        remembered = await own.sign_in(own_shop.sandbox.email, own_shop.sandbox.password)
        assert remembered.headers["location"] == "/start"  # no second factor for 30 days
        assert (await own.get(f"{ACCOUNT}/email")).headers["location"].startswith(f"{ACCOUNT}/confirm")
        await own.post("/sign-out")
        own.http.cookies.delete("frontdesk_remembered", domain="127.0.0.1")
        await change_user(own_shop, await owner_of(own_shop), code_failures=50, code_failed_at=ago())
        await forget_last_code(own_shop, await owner_of(own_shop))
        await enter_password(own, own_shop)
        assert await enter_code(own, phone.code(steps=1)) == 303


async def test_the_first_factor_ends_other_sessions_and_security_settings_ask_again(
    own_shop: Shop, owner: DashboardClient
) -> None:
    user_id = await owner_of(own_shop)
    async with await dashboard_of(own_shop, user_id) as elsewhere:
        phone, _ = await set_up_app(owner)
        assert (await elsewhere.get(ACCOUNT)).headers["location"].startswith("/sign-in")
    (factor,) = await own_shop.sql("SELECT id FROM second_factors WHERE user_id = $2 AND $1::uuid IS NOT NULL", user_id)
    one = f"{FACTORS}/{factor['id']}"
    await _age(own_shop, user_id)
    confirm = f"{ACCOUNT}/confirm"
    assert (await owner.get(one)).headers["location"] == f"{confirm}?next={one}"
    assert (await owner.post(f"{one}/remove")).headers["location"].startswith(confirm)
    assert (await owner.post(confirm, {"password": "wrong", "next": one})).status_code == 422
    assert (await owner.post(confirm, {"code": phone.code(), "next": one})).status_code == 422
    confirmed = await owner.post(confirm, {"code": phone.code(steps=1), "next": one})
    assert (confirmed.status_code, confirmed.headers["location"]) == (303, one)
    assert (await owner.post(one, {"name": "My <phone>", "version": "1"})).status_code == 303
    assert (await owner.post(one, {"name": "Other", "version": "1"})).status_code == 422
    assert "My &lt;phone&gt;" in (await owner.get(ACCOUNT)).text
    await _age(own_shop, user_id)
    assert (await owner.post(confirm, {"password": own_shop.sandbox.password})).status_code == 422
    assert 'name="new_password"' not in (await owner.get(ACCOUNT)).text
    password = {"current_password": own_shop.sandbox.password, "new_password": "quite another one 71"}
    assert (await owner.post(f"{ACCOUNT}/password", password)).headers["location"].startswith(confirm)
    await forget_last_code(own_shop, user_id)
    confirmed = await owner.post(confirm, {"code": phone.code(), "next": "//evil.example"})
    assert confirmed.headers["location"] == "/"
    assert (await owner.post(f"{one}/remove")).headers["location"] == ACCOUNT
    left = await own_shop.sql(
        "SELECT code_hash FROM recovery_codes WHERE user_id = $2 AND $1::uuid IS NOT NULL", user_id
    )
    assert left == []


async def _age(own_shop: Shop, user_id: UUID) -> None:
    await change_sessions(own_shop, user_id, authenticated_at=ago(minutes=16))


async def test_an_operator_must_set_up_a_second_factor_first(own_shop: Shop) -> None:
    user_id = await make_user(own_shop, None)
    await change_user(own_shop, user_id, is_operator=True)
    async with await dashboard_of(own_shop, user_id) as operator:
        for path in ("/operator", "/operator/users", "/"):
            assert (await operator.get(path)).headers["location"] in (FACTORS, "/operator"), path
        assert (await operator.post(f"/operator/users/{user_id}/disable")).headers["location"] == FACTORS
        assert "Set up a second factor to go on" in (await operator.get(FACTORS)).text
        await set_up_app(operator)
        assert (await operator.get("/operator/users")).status_code == 200
        (factor,) = await own_shop.sql(
            "SELECT id FROM second_factors WHERE user_id = $2 AND $1::uuid IS NOT NULL", user_id
        )
        kept = await operator.post(f"{FACTORS}/{factor['id']}/remove")
        assert kept.status_code == 422
        assert "An operator needs a second factor" in kept.text


async def test_an_owner_requires_it_of_all_members_and_an_operator_removes_a_lost_one(
    own_shop: Shop, owner: DashboardClient, stranger: DashboardClient, other_shop: Shop
) -> None:
    user_id = await owner_of(own_shop)
    assert (await owner.post("/settings/members/second-factor", {"required": "yes"})).status_code == 303
    assert (await owner.get("/settings/members")).headers["location"] == FACTORS
    await set_up_app(owner)
    assert (await owner.get("/settings/members")).status_code == 200
    async with (
        await dashboard_of(other_shop, await owner_of(other_shop)) as elsewhere,
        await dashboard_of(own_shop, await make_user(own_shop, None, operator=True)) as operator,
    ):
        assert (await elsewhere.get("/settings/members")).status_code == 200
        assert (await operator.get(f"/operator/users/{user_id}/second-factor")).status_code == 200
        assert (await operator.post(f"/operator/users/{user_id}/second-factor")).status_code == 303
        assert (await operator.post(f"/operator/users/{user_id}/second-factor")).status_code == 422
    assert (await owner.get(ACCOUNT)).status_code == 303  # signed out
    entered = await stranger.sign_in(own_shop.sandbox.email, own_shop.sandbox.password)
    assert entered.headers["location"] == "/start"
    assert (await stranger.get("/start")).headers["location"] == FACTORS
    sent = await mails(own_shop, own_shop.sandbox.email, "second_factor_changed")
    assert "removed_by_operator" in sent[-1]["data"]
    recorded = await own_shop.sql(
        "SELECT subject_id FROM activity WHERE tenant_id = $1 AND action LIKE 'member.second%'"
    )
    assert [row["subject_id"] for row in recorded] == [user_id]


async def test_a_secret_of_another_set_up_is_not_accepted(
    own_shop: Shop, owner: DashboardClient, other_shop: Shop
) -> None:
    async with await dashboard_of(other_shop, await owner_of(other_shop)) as other:
        page = (await other.get(f"{FACTORS}/app")).text
    encrypted = page.partition('name="encrypted" value="')[2].partition('"')[0]
    secret = page.partition('<code id="app-secret">')[2].partition("<")[0].replace(" ", "")
    form = {"encrypted": encrypted, "code": Phone(secret).code(), "name": "Phone"}
    refused = await owner.post(f"{FACTORS}/app", form)
    assert refused.status_code == 422
    assert encrypted not in refused.text


async def test_an_app_is_set_up_once(own_shop: Shop, owner: DashboardClient) -> None:
    """With two factors of one secret, a code would be accepted twice."""
    page = (await owner.get(f"{FACTORS}/app")).text
    encrypted = page.partition('name="encrypted" value="')[2].partition('"')[0]
    secret = page.partition('<code id="app-secret">')[2].partition("<")[0].replace(" ", "")
    form = {"encrypted": encrypted, "code": Phone(secret).code(), "name": "Phone"}
    assert (await owner.post(f"{FACTORS}/app", form)).status_code in (200, 303)
    again = await owner.post(f"{FACTORS}/app", form)
    assert (again.status_code, "This app is already set up." in again.text) == (422, True)


@pytest.mark.parametrize(
    "answer", ["[" * 9_000, '{"a":' * 2_000, '{"response": 5}', ""], ids=["lists", "objects", "odd", "none"]
)
async def test_an_answer_that_is_no_passkey_is_refused(
    own_shop: Shop, owner: DashboardClient, stranger: DashboardClient, answer: str
) -> None:
    await set_up_app(owner)
    entered = await stranger.sign_in(own_shop.sandbox.email, own_shop.sandbox.password)
    assert entered.headers["location"] == "/sign-in/second-factor"
    refused = await stranger.post("/sign-in/passkey/answer", {"answer": answer}, page="/sign-in/passkey")
    assert refused.status_code == 422
    new = await owner.post("/settings/account/second-factor/passkey", {"answer": answer, "name": "Phone"})
    assert new.status_code == 422
