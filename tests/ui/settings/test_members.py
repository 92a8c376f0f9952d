"""The people of a business: roles, the last owner, and invitations that are good once."""

import asyncio
import html
import re
from datetime import UTC, datetime

import pytest

from frontdesk.auth.types import Role
from frontdesk.values.ids import uuid7
from tests.factories.changes import ago, change_rows
from tests.factories.people import make_staff
from tests.factories.users import link_to_staff, make_user, owner_of
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.shop import Shop

HERE = "/settings/members"
PASSWORD = "quite long enough"


async def invite(owner: DashboardClient, email: str, role: str = "manager") -> str:
    """The address that the page tells to send."""
    form = {"id": str(uuid7()), "email": email, "role": role}
    page = await owner.post(f"{HERE}/invite", form, page=f"{HERE}/invite")
    assert page.status_code == 200, page.text
    found = re.search(r'<code id="invitation-link">(.*?)</code>', page.text)
    assert found
    again = await owner.post(f"{HERE}/invite", form, page=f"{HERE}/invite")
    assert again.status_code == 303
    assert found[1] not in (await owner.get(HERE)).text
    return html.unescape(found[1]).removeprefix(owner.origin)


def token_in(link: str) -> str:
    return link.partition("token=")[2]


async def roles(own_shop: Shop) -> list[str]:
    rows = await own_shop.sql("SELECT role FROM memberships WHERE tenant_id = $1 ORDER BY created_at, user_id")
    return [row["role"] for row in rows]


async def test_a_new_user_joins_by_a_link_that_works_once(
    own_shop: Shop, owner: DashboardClient, stranger: DashboardClient
) -> None:
    email = f"{uuid7().hex}@people.example"
    link = await invite(owner, email.upper())
    page = await stranger.get(link)
    assert email in page.text
    assert page.headers["referrer-policy"] == "same-origin"
    form = {"token": token_in(link), "name": "Sara", "password": "short"}
    refused = await stranger.post("/invitation", form, page=link)
    assert refused.status_code == 422
    assert 'value="Sara"' in refused.text
    joined = await stranger.post("/invitation", {**form, "password": PASSWORD}, page=link)
    assert (joined.status_code, joined.headers["location"]) == (303, "/")
    assert (await stranger.get(HERE)).status_code == 200
    assert (await stranger.get(link)).status_code == 404
    assert await roles(own_shop) == ["owner", "manager"]


async def test_an_existing_user_accepts_with_their_own_password(
    own_shop: Shop, other_shop: Shop, owner: DashboardClient
) -> None:
    user_id = await make_user(other_shop, Role.CASHIER)
    email = f"{user_id.hex}@people.example"
    link = await invite(owner, email)
    async with DashboardClient(own_shop.origin, own_shop.dsn) as nobody:
        form = {"token": token_in(link), "name": "X", "password": PASSWORD}
        refused = await nobody.post("/invitation", form, page="/sign-in")
        assert refused.status_code == 422
        assert "This is not the password of this account." in refused.text
    async with await dashboard_of(own_shop, await owner_of(other_shop)) as wrong:
        assert "Sign out first" in (await wrong.get(link)).text
        assert (await wrong.post("/invitation", {"token": token_in(link)})).status_code == 422
    async with await dashboard_of(other_shop, user_id) as right:
        assert (await right.post("/invitation", {"token": token_in(link)})).headers["location"] == "/"
        assert (await right.get(HERE)).status_code == 200  # at the new desk at once, and a manager there


@pytest.mark.parametrize("end", ["withdrawn_at", "expires_at"])
async def test_an_invitation_that_is_over_opens_nothing(
    own_shop: Shop, owner: DashboardClient, stranger: DashboardClient, end: str
) -> None:
    link = await invite(owner, "late@people.example")
    await change_rows(own_shop, "invitations", **{end: ago()})
    assert (await stranger.get(link)).status_code == 404
    form = {"token": token_in(link), "name": "Late", "password": PASSWORD}
    assert (await stranger.post("/invitation", form, page="/sign-in")).status_code == 404
    assert await roles(own_shop) == ["owner"]


async def test_a_link_that_is_over_says_so_and_what_to_do(
    own_shop: Shop, owner: DashboardClient, stranger: DashboardClient
) -> None:
    link = await invite(owner, "late@people.example")
    await change_rows(own_shop, "invitations", expires_at=datetime.now(UTC))
    for address, text in (
        (link, "If not, ask for a new one."),
        ("/reset-password?token=old", "This link was used already, or it is too old."),
    ):
        shown = (await stranger.get(address)).text
        assert "This link no longer works" in shown
        assert text in shown
        assert "Page not found" not in shown


async def test_an_address_is_invited_once_and_a_member_not_at_all(own_shop: Shop, owner: DashboardClient) -> None:
    email = "twice@people.example"
    first = await invite(owner, email, "cashier")
    second = await invite(owner, email.upper(), "receptionist")
    assert await pending(own_shop) == ["receptionist"]
    member = await make_user(own_shop, Role.CASHIER)
    form = {"id": str(uuid7()), "email": f"{member.hex}@People.example", "role": "receptionist"}
    refused = await owner.post(f"{HERE}/invite", form)
    assert refused.status_code == 422
    assert "This person is a member already." in refused.text
    assert await pending(own_shop) == ["receptionist"]
    async with DashboardClient(own_shop.origin, own_shop.dsn) as guest:
        assert [(await guest.get(link)).status_code for link in (first, second)] == [404, 200]
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.MANAGER)) as manager:
        await invite(manager, email, "cashier")
    assert await pending(own_shop) == ["cashier", "receptionist"]  # a manager ends no invitation of an owner


async def test_who_joins_is_in_the_activity_with_an_address(own_shop: Shop, owner: DashboardClient) -> None:
    user_id = await make_user(own_shop, None)
    link = await invite(owner, f"{user_id.hex}@people.example", "receptionist")
    async with await dashboard_of(own_shop, user_id) as desk:
        await desk.post("/invitation", {"token": token_in(link)})
    (joined,) = await own_shop.sql("SELECT address FROM activity WHERE tenant_id = $1 AND action = 'member.joined'")
    assert str(joined["address"]).startswith("127.0.0.1")


async def test_an_invitation_is_withdrawn_from_the_list(
    own_shop: Shop, owner: DashboardClient, stranger: DashboardClient
) -> None:
    link = await invite(owner, "early@people.example")
    found = re.search(rf"{HERE}/invitations/[0-9a-f-]+/withdraw", (await owner.get(HERE)).text)
    assert found
    assert (await owner.post(found[0])).status_code == 303
    assert (await owner.post(found[0])).status_code == 404
    assert (await stranger.get(link)).status_code == 404


async def test_of_two_who_use_one_link_at_once_one_comes_in(own_shop: Shop, owner: DashboardClient) -> None:
    user_id = await make_user(own_shop, None)
    link = await invite(owner, f"{user_id.hex}@people.example", "receptionist")
    desks = [await dashboard_of(own_shop, user_id) for _ in range(4)]
    tokens = [await desk.form_token(link) for desk in desks]
    sent = [{"form_token": token, "token": token_in(link)} for token in tokens]
    answers = await asyncio.gather(*(d.http.post("/invitation", data=s) for d, s in zip(desks, sent, strict=True)))
    assert sorted(answer.status_code for answer in answers) == [303, 404, 404, 404]
    for desk in desks:
        await desk.http.aclose()


async def test_the_last_owner_stays(own_shop: Shop, owner: DashboardClient) -> None:
    user_id = await owner_of(own_shop)
    shown = (await owner.get(HERE)).text
    assert "The only owner." in shown
    assert f"{HERE}/{user_id}/" not in shown
    lowered = await owner.post(f"{HERE}/{user_id}/role", {"role": "receptionist", "seen": "owner", "sure": "yes"})
    assert lowered.status_code == 422
    assert "A business needs an owner" in lowered.text
    assert (await owner.post(f"{HERE}/{user_id}/remove")).status_code == 422
    assert await roles(own_shop) == ["owner"]
    second = await make_user(own_shop, Role.OWNER)
    async with await dashboard_of(own_shop, second) as other:
        answers = await asyncio.gather(
            owner.post(f"{HERE}/{second}/remove"),
            other.post(f"{HERE}/{user_id}/remove"),
        )
    assert 303 in [answer.status_code for answer in answers]
    assert await roles(own_shop) == ["owner"]


async def test_an_owner_who_gives_up_the_role_is_asked_first(own_shop: Shop, owner: DashboardClient) -> None:
    user_id = await owner_of(own_shop)
    await make_user(own_shop, Role.OWNER)
    lower = {"role": "receptionist", "seen": "owner"}
    asked = await owner.post(f"{HERE}/{user_id}/role", lower)
    assert "only another owner can make you an owner again" in asked.text
    assert await roles(own_shop) == ["owner", "owner"]
    done = await owner.post(f"{HERE}/{user_id}/role", {**lower, "sure": "yes"})
    assert done.headers["location"] == "/"  # the list of members is no longer theirs
    assert (await owner.get(HERE)).status_code == 403


async def test_a_provider_in_the_list_leads_to_the_diary_or_says_that_there_is_none(
    own_shop: Shop, owner: DashboardClient
) -> None:
    user_id, staff_id = await make_user(own_shop, Role.PROVIDER, name="Hana"), await make_staff(own_shop)
    assert "<bdi>Hana</bdi>" in (await owner.get(HERE)).text
    assert "Not linked to a staff member yet" in (await owner.get(HERE)).text
    await link_to_staff(own_shop, user_id, staff_id)
    shown = (await owner.get(HERE)).text
    assert f'<a href="/staff/{staff_id}">Diary of' in shown
    assert "Not linked" not in shown


async def test_a_removed_member_has_no_access_from_the_next_request(own_shop: Shop, owner: DashboardClient) -> None:
    cashier = await make_user(own_shop, Role.CASHIER)
    async with await dashboard_of(own_shop, cashier) as desk:
        assert (await desk.get("/")).status_code == 200
        assert (await owner.post(f"{HERE}/{cashier}/remove")).status_code == 303
        assert (await desk.get("/")).headers["location"] == "/businesses"
        assert "You are not a member of a business yet" in (await desk.get("/businesses")).text


async def pending(own_shop: Shop) -> list[str]:
    rows = await own_shop.sql(
        "SELECT role FROM invitations WHERE tenant_id = $1 AND withdrawn_at IS NULL AND accepted_at IS NULL "
        "ORDER BY role"
    )
    return [row["role"] for row in rows]


async def test_invitations_end_with_the_membership_of_the_sender(
    own_shop: Shop, owner: DashboardClient, stranger: DashboardClient
) -> None:
    manager = await make_user(own_shop, Role.MANAGER)
    async with await dashboard_of(own_shop, manager) as desk:
        link = await invite(desk, "new@people.example", "cashier")
    await invite(owner, "other@people.example", "cashier")
    assert (await stranger.get(link)).status_code == 200
    assert (await owner.post(f"{HERE}/{manager}/remove")).status_code == 303
    assert (await stranger.get(link)).status_code == 404
    form = {"token": token_in(link), "name": "New", "password": PASSWORD}
    assert (await stranger.post("/invitation", form, page="/sign-in")).status_code == 404
    assert await pending(own_shop) == ["cashier"]


async def test_invitations_end_with_the_right_to_send_them(own_shop: Shop, owner: DashboardClient) -> None:
    second = await make_user(own_shop, Role.OWNER)
    async with await dashboard_of(own_shop, second) as desk:
        for role in ("owner", "manager", "receptionist"):
            await invite(desk, f"{role}@people.example", role)
    lower = {"role": "manager", "seen": "owner"}
    assert (await owner.post(f"{HERE}/{second}/role", lower)).status_code == 303
    assert await pending(own_shop) == ["receptionist"]
    lower = {"role": "cashier", "seen": "manager"}
    assert (await owner.post(f"{HERE}/{second}/role", lower)).status_code == 303
    assert await pending(own_shop) == []


async def test_a_removed_sender_leaves_no_invitation_behind(own_shop: Shop, owner: DashboardClient) -> None:
    """Sent at the same moment as its sender is removed: it is refused or ended, never left over."""
    for number in range(5):
        manager = await make_user(own_shop, Role.MANAGER)
        async with await dashboard_of(own_shop, manager) as desk:
            token, own = await desk.form_token(f"{HERE}/invite"), await owner.form_token()
            sent = [
                {
                    "form_token": token,
                    "id": str(uuid7()),
                    "email": f"{number}-{n}@people.example",
                    "role": "receptionist",
                }
                for n in range(4)
            ]
            await asyncio.gather(
                *(desk.http.post(f"{HERE}/invite", data=form) for form in sent),
                owner.http.post(f"{HERE}/{manager}/remove", data={"form_token": own}),
            )
        assert await pending(own_shop) == []


async def test_a_manager_cannot_withdraw_an_owners_invitation(own_shop: Shop, owner: DashboardClient) -> None:
    await invite(owner, "early@people.example", "cashier")
    found = re.search(rf"{HERE}/invitations/[0-9a-f-]+/withdraw", (await owner.get(HERE)).text)
    assert found
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.MANAGER)) as manager:
        assert found[0] not in (await manager.get(HERE)).text
        assert (await manager.post(found[0])).status_code == 403
        await invite(manager, "own@people.example", "cashier")
        own = re.search(rf"{HERE}/invitations/[0-9a-f-]+/withdraw", (await manager.get(HERE)).text)
        assert own
        assert (await manager.post(own[0])).status_code == 303
    assert await pending(own_shop) == ["cashier"]
