"""The owner and the providers learn of bookings: on the bell, in the list behind it, and by mail."""

from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import pytest

from frontdesk.auth.types import Role
from frontdesk.values.ids import uuid7
from tests.factories.changes import ago, change_row, change_rows, delete_rows
from tests.factories.people import make_customer
from tests.factories.users import change_user, link_to_staff, make_user, owner_of
from tests.messages.conftest import others_suspended, worker
from tests.support.branch import BranchFixture, day, line, start
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.forms import form_fields, texts
from tests.support.servers.mail_server import mail_server, part
from tests.support.shop import Shop
from tests.support.waiting import eventually

DAY = day(3)


@pytest.fixture
async def owner(own_shop: Shop) -> AsyncIterator[DashboardClient]:
    async with await dashboard_of(own_shop, await owner_of(own_shop)) as client:
        yield client


@pytest.fixture
async def cut(hair: BranchFixture) -> UUID:
    return await hair.add_service(duration=30, name={"en": "Cut", "ar": "قص"})


async def add_member(hair: BranchFixture, staff_id: UUID, role: Role = Role.PROVIDER) -> UUID:
    user_id = await make_user(hair.shop, role)
    await link_to_staff(hair.shop, user_id, staff_id)
    return user_id


async def learned(hair: BranchFixture, user_id: UUID) -> list[tuple[str, int]]:
    rows = await hair.shop.sql(
        "SELECT kind, others FROM notifications WHERE tenant_id = $1 AND user_id = $2 ORDER BY id", user_id
    )
    return [(row["kind"], row["others"]) for row in rows]


async def kinds(hair: BranchFixture, user_id: UUID) -> list[str]:
    return [kind for kind, _ in await learned(hair, user_id)]


def choices(choice: str, **more: str) -> dict[str, str]:
    named = {f"{way}_{kind}": choice for way in ("bell", "mail") for kind in ("new", "moved", "canceled")}
    return named | more


async def reassign(hair: BranchFixture, order: dict[str, Any], staff_id: UUID, time: str = "10:00") -> None:
    found = await hair.read(order["id"])
    lines = [{"line_id": each["line_id"], "staff_id": str(staff_id)} for each in found["items"]]
    answer = await hair.shop.post(f"/orders/{order['id']}/reschedule", {"start": start(DAY, time), "items": lines})
    assert answer.status_code == 200, answer.text


async def test_notifications_go_to_owner_and_provider(hair: BranchFixture, desk: DashboardClient, cut: UUID) -> None:
    """An owner of what happens online; a provider of their own bookings only; nobody of their own act."""
    nora_staff, dana_staff = await hair.add_provider(cut), await hair.add_provider(cut)
    nora, dana = await add_member(hair, nora_staff), await add_member(hair, dana_staff)
    owner, cashier = await owner_of(hair.shop), await make_user(hair.shop, Role.CASHIER)
    order = await hair.place(line(cut, staff_id=nora_staff), start=start(DAY, "10:00"))
    await hair.shop.post(f"/orders/{order['id']}/reschedule", {"start": start(DAY, "11:00")})
    await hair.move(order["id"], "canceled")
    assert await kinds(hair, owner) == await kinds(hair, nora) == ["new", "moved", "canceled"]
    assert await kinds(hair, dana) == await kinds(hair, cashier) == []

    form = {
        "id": str(uuid7()),
        "act": "book",
        "branch": str(hair.branch_id),
        "date": str(DAY),
        "time": "12:00",
        "service": [str(cut)],
        "provider": [str(dana_staff)],
        "customer": str(hair.customer_id),
    }
    assert (await desk.post("/calendar/new", form)).status_code == 303
    assert await kinds(hair, dana) == ["new"], "a provider learns of a booking at the desk too"
    assert len(await kinds(hair, owner)) == 3, "the owner chose what happens online"


async def test_a_past_booking_and_a_sale_send_no_notification(hair: BranchFixture, cut: UUID) -> None:
    await hair.add_provider(cut)
    product = await hair.add_product(stock=3)
    await hair.place(line(product, "product"))
    await hair.place(line(product, "product"), start=start(DAY, "10:00"))  # to be fetched then
    order = await hair.place(line(cut), start=start(DAY, "10:00"))
    await change_rows(hair.shop, "orders", starts_at=ago(hours=1))
    await hair.move(order["id"], "canceled")
    assert await kinds(hair, await owner_of(hair.shop)) == ["new"]


async def test_a_booking_that_goes_to_another_provider(hair: BranchFixture, cut: UUID) -> None:
    """It is new to the one, and gone for the other, who reads neither the customer nor the service any more."""
    nora_staff, dana_staff = await hair.add_provider(cut), await hair.add_provider(cut)
    nora, dana = await add_member(hair, nora_staff), await add_member(hair, dana_staff)
    order = await hair.place(line(cut, staff_id=nora_staff), start=start(DAY, "10:00"))
    await reassign(hair, order, dana_staff)
    assert await kinds(hair, nora) == ["new", "reassigned"]
    assert await kinds(hair, dana) == ["new"]
    await change_rows(hair.shop, "customers", first_name="Sara")
    async with await dashboard_of(hair.shop, nora) as client:
        page = (await client.get("/bell")).text
        assert "A booking is no longer with you" in page
        assert "Sara" not in page, "the customer comes to another provider now"


async def test_a_booking_that_repeats_is_one_notification(
    hair: BranchFixture, desk: DashboardClient, cut: UUID
) -> None:
    staff_id = await hair.add_provider(cut)
    provider = await add_member(hair, staff_id)
    form = {
        "id": str(uuid7()),
        "branch": str(hair.branch_id),
        "date": str(DAY),
        "time": "10:00",
        "service": [str(cut)],
        "customer": str(hair.customer_id),
        "every": "1",
        "times": "4",
    }
    page = "/calendar/new/series"
    listed = form_fields((await desk.post(page, form | {"act": "preview"})).text, page)
    booked = await desk.post(page, listed | {"act": "book"})
    assert await learned(hair, provider) == [("new", 3)]
    cancel = f"/orders/{booked.headers['location'].rpartition('order=')[2]}/series/cancel"
    await desk.post(cancel, form_fields((await desk.get(cancel)).text, cancel) | {"what": "following"})
    assert await learned(hair, provider) == [("new", 3), ("canceled", 3)]


async def test_the_bell_counts_and_its_list_is_read(hair: BranchFixture, owner: DashboardClient, cut: UUID) -> None:
    await hair.add_provider(cut)
    await change_rows(hair.shop, "customers", first_name="Sara", last_name="Omar")
    assert 'class="badge"' not in (await owner.get("/customers")).text
    orders = [await hair.place(line(cut), start=start(DAY, time)) for time in ("10:00", "11:00")]
    shown = (await owner.get("/customers")).text
    assert 'aria-label="Bookings, 2 new"' in shown
    assert "Bookings, 2 new" in (await owner.get("/bell/count")).text
    listed = (await owner.get("/bell")).text
    assert texts(listed).count("New booking: Sara Omar") == 2
    assert listed.count('<span class="visually-hidden">new</span>') == 2
    assert "Bookings, 2 new" not in (await owner.get("/customers")).text, "the list was opened"
    newest, oldest = [part.partition('"')[0] for part in listed.split('href="/bell/')[1:]]
    opened = await owner.get(f"/bell/{newest}")
    assert opened.headers["location"] == f"/orders/{orders[1]['id']}"
    assert '<span class="visually-hidden">new</span>' not in (await owner.get("/bell")).text, "they were seen before"
    await hair.place(line(cut), start=start(DAY, "12:00"))
    listed = (await owner.get("/bell")).text
    assert [row.count('<span class="visually-hidden">new</span>') for row in listed.split('href="/bell/')[1:]] == [
        1,
        0,
        0,
    ]
    assert (await owner.post("/bell/read")).status_code == 303

    stranger = await make_user(hair.shop, Role.MANAGER)
    async with await dashboard_of(hair.shop, stranger) as other:
        assert (await other.get(f"/bell/{oldest}")).status_code == 404, "of another member"


async def test_each_member_chooses_notifications(hair: BranchFixture, owner: DashboardClient, cut: UUID) -> None:
    staff_id = await hair.add_provider(cut)
    user_id = await owner_of(hair.shop)
    page = "/settings/account/notifications"
    assert form_fields((await owner.get(page)).text, page)["mail_new"] == ["online"]
    await owner.post(page, choices("none", bell_canceled="online"))
    order = await hair.place(line(cut), start=start(DAY, "10:00"))
    await hair.move(order["id"], "canceled")
    assert await kinds(hair, user_id) == ["canceled"]
    (row,) = await hair.shop.sql("SELECT on_bell, state FROM notifications WHERE tenant_id = $1")
    assert dict(row) == {"on_bell": True, "state": None}, "no mail"

    manager = await add_member(hair, staff_id, Role.MANAGER)
    async with await dashboard_of(hair.shop, manager) as client:
        await client.post(page, choices("all", own_only="yes"))
        assert "changed the notifications of" in texts((await client.get("/activity")).text)
    await hair.place(line(cut, staff_id=await hair.add_provider(cut)), start=start(DAY, "12:00"))
    assert await kinds(hair, manager) == []
    await hair.place(line(cut, staff_id=staff_id), start=start(DAY, "12:00"))
    assert await kinds(hair, manager) == ["new"]
    refused = await owner.post(page, choices("some"))
    assert refused.status_code == 422


async def test_mail_says_who_comes_and_is_not_sent_to_who_has_left(hair: BranchFixture, cut: UUID) -> None:
    """The row holds nothing about the customer: what is erased is in no later mail and no list."""
    shop = hair.shop
    staff_id = await hair.add_provider(cut)
    provider, gone = await add_member(hair, staff_id), await make_user(shop, Role.OWNER)
    await change_user(shop, provider, language="ar")
    await change_rows(shop, "customers", first_name="Sara", last_name="Omar")
    await hair.place(line(cut, staff_id=staff_id), start=start(DAY, "10:00"))
    await delete_rows(shop, "memberships", user_id=gone)
    addresses = {
        row["id"]: row["email"]
        for row in await shop.sql(
            "SELECT id, email FROM users WHERE id = ANY ($2) AND $1::uuid IS NOT NULL",
            [provider, gone, await owner_of(shop)],
        )
    }
    async with others_suspended(shop), mail_server() as server, worker(shop, server):
        await eventually(lambda: all_finished(shop))
    (to_owner,) = server.to(addresses[await owner_of(shop)])
    assert to_owner["Subject"].startswith("New booking: Sara Omar, ")
    assert f"{shop.origin}/bell/" in part(to_owner, "plain")
    assert f"{shop.origin}/settings/account/notifications" in part(to_owner, "plain")
    assert to_owner["List-Unsubscribe-Post"] is None
    assert not [each for each in to_owner.walk() if each.get_content_subtype() == "calendar"]
    (to_provider,) = server.to(addresses[provider])
    assert to_provider["Subject"].startswith("حجز جديد: Sara Omar")
    assert server.to(addresses[gone]) == []
    states = await shop.sql("SELECT state, answer FROM notifications WHERE tenant_id = $1 ORDER BY state")
    assert [row["state"] for row in states] == ["dropped", "sent", "sent"]
    assert states[0]["answer"] == "removed"


async def test_a_failed_mail_is_tried_again_and_a_canceled_booking_is_not_announced(
    hair: BranchFixture, cut: UUID
) -> None:
    shop = hair.shop
    await hair.add_provider(cut)
    await make_customer(shop)
    order = await hair.place(line(cut), start=start(DAY, "10:00"))
    await hair.move(order["id"], "canceled")
    async with others_suspended(shop), mail_server() as server:
        server.answer = lambda _email: "450 later"
        async with worker(shop, server):
            await eventually(lambda: has_waiting_answer(shop))
    rows = await shop.sql("SELECT kind, state, attempts, answer FROM notifications WHERE tenant_id = $1 ORDER BY id")
    assert [(row["kind"], row["state"], row["attempts"]) for row in rows] == [
        ("new", "dropped", 0),
        ("canceled", "due", 1),
    ]
    await change_rows(shop, "notifications", {"state": "due"}, due_at=ago())
    async with others_suspended(shop), mail_server() as server, worker(shop, server):
        await eventually(lambda: all_finished(shop))
        assert [mail["Subject"].partition(":")[0] for mail in server.received] == ["Canceled"]


async def test_without_a_mail_server_notifications_are_on_the_bell_only(
    hair: BranchFixture, owner: DashboardClient, cut: UUID
) -> None:
    await hair.add_provider(cut)
    await hair.place(line(cut), start=start(DAY, "10:00"))
    async with worker(hair.shop, None):
        await eventually(lambda: all_finished(hair.shop))
    (row,) = await hair.shop.sql("SELECT state, attempts, finished_at FROM notifications WHERE tenant_id = $1")
    assert (row["state"], row["attempts"]) == ("kept", 0)
    assert row["finished_at"] is not None
    assert 'href="/bell/' in (await owner.get("/bell")).text


async def test_an_erased_customer_is_in_no_list(hair: BranchFixture, owner: DashboardClient, cut: UUID) -> None:
    await hair.add_provider(cut)
    await change_row(hair.shop, "customers", hair.customer_id, first_name="Sara", last_name="Omar")
    order = await hair.place(line(cut), start=start(DAY, "10:00"))
    await hair.move(order["id"], "canceled")  # who is still to come is not erased
    assert "Sara Omar" in (await owner.get("/bell")).text
    page = f"/customers/{hair.customer_id}/erase"
    answer = await owner.post(page, form_fields((await owner.get(page)).text, page) | {"confirm": "yes"})
    assert answer.status_code == 303, answer.text
    shown = (await owner.get("/bell")).text
    assert "Sara" not in shown
    assert shown.count('href="/bell/') == 2, "the booking is still listed"


async def test_a_member_who_is_removed_leaves_nothing(hair: BranchFixture, owner: DashboardClient, cut: UUID) -> None:
    await hair.add_provider(cut)
    gone = await make_user(hair.shop, Role.OWNER)
    await hair.place(line(cut), start=start(DAY, "10:00"))
    assert await kinds(hair, gone) == ["new"]
    answer = await owner.post(f"/settings/members/{gone}/remove", {"role": "owner"})
    assert answer.status_code == 303, answer.text
    assert await kinds(hair, gone) == []


async def all_finished(shop: Shop) -> bool:
    return not await shop.sql("SELECT FROM notifications WHERE tenant_id = $1 AND (state = 'due' OR lease IS NOT NULL)")


async def has_waiting_answer(shop: Shop) -> bool:
    """And none without one."""
    rows = await shop.sql("SELECT attempts FROM notifications WHERE tenant_id = $1 AND state = 'due' AND lease IS NULL")
    return [row["attempts"] for row in rows] == [1]
