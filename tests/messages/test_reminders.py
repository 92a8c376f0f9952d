"""Reminders: once, at an hour at which people are awake, for the time that still holds, to those who want them."""

from datetime import datetime, timedelta
from uuid import UUID

from frontdesk.messages.reminder_queries import queue_reminders
from frontdesk.postgres.pool import Connection
from tests.factories.changes import age_rows, ago, change_rows
from tests.factories.messages import set_reminder_hours, set_reminder_progress
from tests.factories.people import make_customer
from tests.factories.tenant_rows import ConnectionRows
from tests.messages.conftest import EMAIL, others_suspended, worker
from tests.messages.test_sending import DAY, arrived, book, messages, move
from tests.support.branch import BranchFixture, line, local, start
from tests.support.dashboard import DashboardClient
from tests.support.servers.mail_server import MailServer, mail_server, part
from tests.support.waiting import eventually

QUIET = {"quiet_from": "21:00", "quiet_until": "08:30"}


async def save_times(desk: DashboardClient, version: int, hours: int, **more: str) -> None:
    fields = {"version": str(version), "reminder_hours": str(hours), **more}
    answer = await desk.post("/settings/notices", fields)
    assert answer.status_code == 303, answer.text


async def reminders(hair: BranchFixture) -> list[tuple[str, datetime, datetime]]:
    return [
        (row["state"], row["due_at"], row["expires_at"]) for row in await messages(hair) if row["kind"] == "reminder"
    ]


async def test_quiet_hours_delay_a_reminder_and_it_moves_and_ends_with_the_booking(
    hair: BranchFixture, desk: DashboardClient, sara: UUID, conn: Connection
) -> None:
    """Two hours before 10:00 is in the quiet hours, two hours before 12:00 is not; 9:00 would leave half an hour."""
    cut = await hair.add_service(duration=30)
    await hair.add_provider(cut)
    order = await book(desk, hair, sara, cut, "10:00")
    early = await book(desk, hair, sara, cut, "09:00")
    await save_times(desk, 0, 2, **QUIET)
    await set_reminder_progress(hair.shop, local(DAY, "23:00"))
    at_ten, at_noon = local(DAY, "10:00"), local(DAY, "12:00")
    await move(hair, early, "09:30")
    await move(hair, early, "09:00")
    await move(hair, order, "12:00")
    await move(hair, order, "10:00")
    found = {(state, expires): due for state, due, expires in await reminders(hair)}
    assert found["due", at_ten] == local(DAY, "08:30")
    assert found["due", local(DAY, "09:00")] == local(DAY - timedelta(days=1), "20:59")
    assert ("dropped", at_noon) in found
    await move(hair, order, "12:00")
    found = {(state, expires): due for state, due, expires in await reminders(hair)}
    assert found["due", at_noon] == at_ten
    assert ("dropped", at_ten) in found
    await save_times(desk, 1, 3, **QUIET)  # what waits keeps to the new times
    assert ("due", local(DAY, "09:00"), at_noon) in await reminders(hair)
    await hair.move(order, "canceled")
    assert {state for state, _, expires in await reminders(hair) if expires in (at_ten, at_noon)} == {"dropped"}


async def test_products_that_are_fetched_at_a_time_are_no_booking(
    hair: BranchFixture, desk: DashboardClient, sara: UUID, conn: Connection
) -> None:
    """The customer gets no confirmation of an appointment and no reminder."""
    tenant = hair.shop.tenant_id
    await save_times(desk, 0, 2, for_applications="true", **QUIET)
    await conn.fetchval("SELECT queue_reminders($1)", tenant)
    product = await hair.add_product(stock=3)
    order = await hair.place(line(product, "product"), start=start(DAY, "10:00"), customer_id=str(sara))
    await change_rows(hair.shop, "message_settings", reminder_hours=96)
    assert await conn.fetchval("SELECT queue_reminders($1)", tenant) == 0
    await conn.execute("SELECT queue_reminder($1, $2)", tenant, UUID(order["id"]))
    await hair.move(order["id"], "canceled")
    assert await messages(hair) == []


async def test_two_workers_at_once_send_one_reminder_of_the_time_that_holds(
    hair: BranchFixture, desk: DashboardClient, sara: UUID, conn: Connection
) -> None:
    cut = await hair.add_service(duration=30, name="Cut")
    await hair.add_provider(cut)
    tenant = hair.shop.tenant_id
    await conn.fetchval("SELECT queue_reminders($1)", tenant)
    order = await book(desk, hair, sara, cut, "10:00")
    gone = await book(desk, hair, sara, cut, "11:00")
    await hair.shop.sql("UPDATE messages SET state = 'dropped' WHERE state = 'due' AND $1::uuid IS NOT NULL")
    await save_times(desk, 0, 96)
    await conn.execute("UPDATE reminder_progress SET checked_at = '-infinity' WHERE tenant_id = $1", tenant)
    async with others_suspended(hair.shop), mail_server() as server:
        # Both look for reminders as soon as they start.
        async with worker(hair.shop, server), worker(hair.shop, server):
            await arrived(server, 2)
            await queue_reminders(conn)
        assert len(server.to(EMAIL)) == 2
        rows = [row for row in await messages(hair) if row["kind"] == "reminder"]
        assert {row["order_id"]: row["state"] for row in rows} == {order: "sent", gone: "sent"}
        assert len(rows) == 2


async def test_a_reminder_that_is_due_is_not_sent_for_the_old_time_of_a_booking(
    hair: BranchFixture, desk: DashboardClient, sara: UUID, server: MailServer, conn: Connection
) -> None:
    """As a worker that was asleep finds it: the reminder is due, and the booking has moved without a message."""
    cut = await hair.add_service(duration=30)
    await hair.add_provider(cut)
    await conn.fetchval("SELECT queue_reminders($1)", hair.shop.tenant_id)
    order = await book(desk, hair, sara, cut, "10:00")
    await arrived(server, 1)
    async with conn.transaction():
        rows = ConnectionRows(conn, hair.shop.tenant_id)
        await set_reminder_hours(rows, 96)
        assert await conn.fetchval("SELECT queue_reminders($1)", hair.shop.tenant_id) == 1
        await age_rows(rows, "orders", "starts_at", by=timedelta(hours=-1), where={"id": order})

    async def is_dropped() -> bool:
        return [state for state, _, _ in await reminders(hair)] == ["dropped"]

    await eventually(is_dropped)
    assert len(server.received) == 1


async def test_the_link_in_a_reminder_ends_those_of_one_customer_only(
    hair: BranchFixture, desk: DashboardClient, sara: UUID, server: MailServer, conn: Connection
) -> None:
    cut = await hair.add_service(duration=30)
    await hair.add_provider(cut)
    lama = await make_customer(hair.shop, "Lama", "Omar", email="lama@example.com", language="ar")
    tenant = hair.shop.tenant_id
    await conn.fetchval("SELECT queue_reminders($1)", tenant)
    await book(desk, hair, sara, cut, "10:00")
    await book(desk, hair, lama, cut, "11:00")
    await arrived(server, 2)
    await set_reminder_hours(hair.shop, 96)
    await conn.fetchval("SELECT queue_reminders($1)", tenant)
    await arrived(server, 4)
    address = next(str(mail["List-Unsubscribe"]).strip("<>") for mail in server.to(EMAIL) if mail["List-Unsubscribe"])
    page = await desk.http.get(address)
    assert page.status_code == 200
    assert EMAIL not in page.text
    origin = {"origin": hair.shop.origin, "referer": address}
    assert (await desk.http.post(address, data={}, headers=origin)).status_code == 200
    rows = await hair.shop.sql("SELECT id FROM customers WHERE tenant_id = $1 AND reminders_stopped_at IS NOT NULL")
    assert [row["id"] for row in rows] == [sara]
    await change_rows(hair.shop, "reminder_progress", starts_until=ago())
    await book(desk, hair, sara, cut, "13:00")
    await book(desk, hair, lama, cut, "14:00")
    await conn.fetchval("SELECT queue_reminders($1)", tenant)
    await arrived(server, 7)
    reminded = [row["customer_id"] for row in await messages(hair) if row["kind"] == "reminder"]
    assert (reminded.count(sara), reminded.count(lama)) == (1, 2)
    assert (await desk.http.post(address, data={"again": "yes"}, headers=origin)).status_code == 200
    assert not await hair.shop.sql("SELECT FROM customers WHERE tenant_id = $1 AND reminders_stopped_at IS NOT NULL")
    (arabic, *_) = server.to("lama@example.com")
    assert 'dir="rtl"' in part(arabic, "html")
