"""What customers get when they are booked, moved and canceled: received by a real server, read by other parsers."""

from datetime import timedelta
from html.parser import HTMLParser
from typing import Any
from uuid import UUID

import pytest

from frontdesk.messages.daily_limit import OVER_LIMIT
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.quotas import LIMITS, Quota
from frontdesk.tenants.types import Plan
from frontdesk.values.ids import uuid7
from tests.factories.changes import age_rows, ago, ahead, change_row, change_rows, change_tenant
from tests.factories.messages import set_reminder_hours
from tests.factories.people import make_customer
from tests.factories.tenant_rows import ConnectionRows
from tests.messages.conftest import EMAIL
from tests.support.branch import BranchFixture, day, line, local, start
from tests.support.dashboard import DashboardClient
from tests.support.servers.mail_server import MailServer, calendar_event, part
from tests.support.waiting import eventually

DAY = day(3)
# An encoded word (RFC 2047), which the writer of a header may decode: a line of its own, and the end of the head.
ENCODED = "=?utf-8?q?x=0D=0ABcc:_all=40example.com=0D=0A=0D=0Ahello?="


class Visible(HTMLParser):
    """The texts and the links of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.links: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.links += [value or "" for name, value in attrs if tag == "a" and name == "href"]

    def handle_data(self, data: str) -> None:
        self.texts.append(" ".join(data.split()))


async def book(desk: DashboardClient, hair: BranchFixture, customer: UUID, service: UUID, time: str = "10:00") -> UUID:
    order = {
        "id": str(uuid7()),
        "act": "book",
        "branch": str(hair.branch_id),
        "date": str(DAY),
        "time": time,
        "service": [str(service)],
        "customer": str(customer),
    }
    answer = await desk.post("/calendar/new", order)
    assert answer.status_code == 303, answer.text
    return UUID(answer.headers["location"].rpartition("order=")[2])


async def move(hair: BranchFixture, order: UUID, time: str) -> None:
    """By an API client; the customer of a booking at the desk gets it too."""
    answer = await hair.shop.post(f"/orders/{order}/reschedule", {"start": start(DAY, time)})
    assert answer.status_code == 200, answer.text


async def messages(hair: BranchFixture) -> list[Any]:
    return await hair.shop.sql("SELECT * FROM messages WHERE tenant_id = $1 ORDER BY id")


async def arrived(server: MailServer, count: int) -> None:
    async def are_there() -> bool:
        return len(server.received) >= count

    await eventually(are_there)


async def ended(hair: BranchFixture) -> list[Any]:
    """The messages, once none of them waits: what became of a mail is recorded after it has arrived."""

    async def none_waits() -> list[Any]:
        rows = await messages(hair)
        return rows if all(row["state"] != "due" and row["lease"] is None for row in rows) else []

    return await eventually(none_waits)


async def test_a_booking_is_confirmed_moved_and_canceled_in_the_calendar_of_the_customer(
    hair: BranchFixture, desk: DashboardClient, sara: UUID, server: MailServer
) -> None:
    cut = await hair.add_service(price="180", duration=60)
    await hair.add_provider(cut)
    order = await book(desk, hair, sara, cut)
    await arrived(server, 1)
    confirmed = server.received[0]
    assert confirmed["To"].addresses[0].addr_spec == EMAIL
    assert confirmed["Message-ID"].startswith(f"<{(await messages(hair))[0]['id']}@")
    text, page = part(confirmed, "plain"), Visible(part(confirmed, "html"))
    assert all(len(line) <= 72 for line in text.splitlines() if "://" not in line)
    assert "Your booking is confirmed." in text
    assert "10:00 to 11:00" in text
    assert "10:00–11:00" in page.texts
    assert "SAR 180.00" in page.texts
    (link,) = [link for link in page.links if "/book/" in link and not link.endswith(".ics")]
    assert link in text
    method, event = calendar_event(confirmed)
    assert (method, str(event["UID"]), event.start) == ("REQUEST", f"{order}@frontdesk", local(DAY, "10:00"))
    assert str(event["ATTENDEE"]) == f"mailto:{EMAIL}"
    first = event.sequence
    await move(hair, order, "12:00")
    await arrived(server, 2)
    method, event = calendar_event(server.received[1])
    assert (method, str(event["UID"]), event.start) == ("REQUEST", f"{order}@frontdesk", local(DAY, "12:00"))
    assert event.sequence > first
    await hair.move(order, "canceled")
    await arrived(server, 3)
    method, event = calendar_event(server.received[2])
    assert (method, str(event["STATUS"]), event.sequence) == ("CANCEL", "CANCELLED", first + 2)
    assert [row["state"] for row in await ended(hair)] == ["sent"] * 3
    shown = (await desk.get(f"/orders/{order}")).text
    assert shown.count("/settings/notices/messages/") == 3
    assert await messages(hair) == await hair.shop.sql(
        "SELECT * FROM messages WHERE tenant_id = $1 AND customer_id = $2 ORDER BY id", sara
    )


async def test_nothing_is_sent_for_what_an_application_books_or_without_an_address(
    hair: BranchFixture, desk: DashboardClient, sara: UUID, server: MailServer
) -> None:
    cut = await hair.add_service(duration=30)
    await hair.add_provider(cut)
    await hair.place(line(cut), start=start(DAY, "10:00"), customer_id=str(sara))  # by an API client
    await book(desk, hair, await make_customer(hair.shop), cut, "11:00")
    assert await messages(hair) == []
    switched = await desk.post(
        "/settings/notices", {"version": "0", "reminder_hours": "24", "for_applications": "true"}
    )
    assert switched.status_code == 303, switched.text
    await hair.place(line(cut), start=start(DAY, "12:00"), customer_id=str(sara))
    await desk.post("/settings/notices/switch", {"version": "1", "kind": "confirmation", "on": "no"})
    await book(desk, hair, sara, cut, "13:00")
    assert [row["kind"] for row in await messages(hair)] == ["confirmation"]


async def test_one_reminder_is_sent_moves_with_the_booking_and_can_be_stopped(
    hair: BranchFixture, desk: DashboardClient, sara: UUID, server: MailServer, conn: Connection
) -> None:
    """Reminders three days and an hour before: tomorrow's bookings are within, and were made after their reminder."""
    cut = await hair.add_service(duration=30)
    await hair.add_provider(cut)
    tenant = hair.shop.tenant_id
    await conn.fetchval("SELECT queue_reminders($1)", tenant)
    kept, gone = await book(desk, hair, sara, cut, "10:00"), await book(desk, hair, sara, cut, "11:00")
    assert await conn.fetchval("SELECT queue_reminders($1)", tenant) == 0
    await arrived(server, 2)
    async with conn.transaction():
        rows = ConnectionRows(conn, tenant)
        await set_reminder_hours(rows, 96)
        assert await conn.fetchval("SELECT queue_reminders($1)", tenant) == 2
        assert await conn.fetchval("SELECT queue_reminders($1)", tenant) == 0
        await change_rows(rows, "messages", {"order_id": gone}, due_at=ahead(hours=1))
    await hair.move(gone, "canceled")
    await arrived(server, 4)  # two confirmations, one reminder, one cancellation
    reminders = [row for row in await ended(hair) if row["kind"] == "reminder"]
    assert {(row["order_id"], row["state"]) for row in reminders} == {(kept, "sent"), (gone, "dropped")}
    (mail,) = [mail for mail in server.received if mail["List-Unsubscribe"]]
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    address = mail["List-Unsubscribe"].strip("<>")
    one_click = await desk.http.post(address, data={"List-Unsubscribe": "One-Click"})
    assert one_click.status_code == 200, one_click.text
    stopped = await conn.fetchval(
        "SELECT reminders_stopped_at FROM customers WHERE tenant_id = $1 AND id = $2", tenant, sara
    )
    assert stopped is not None
    assert (await desk.http.get(address.replace("?", "g?"))).status_code == 404


async def test_a_refused_address_is_shown_and_a_header_cannot_be_injected(
    hair: BranchFixture, desk: DashboardClient, sara: UUID, server: MailServer
) -> None:
    cut = await hair.add_service(duration=30)
    await hair.add_provider(cut)
    await change_row(
        hair.shop, "customers", sara, first_name=f"{ENCODED}\r\nBcc: all@example.com", last_name=f"<b>x</b> {ENCODED}"
    )
    await change_tenant(hair.shop, name=f"Hair {ENCODED}")
    await book(desk, hair, sara, cut, "10:00")
    await arrived(server, 1)
    assert server.received[0]["Bcc"] is None
    assert [each.addr_spec for each in server.received[0]["To"].addresses] == [EMAIL]
    assert "<b>x" not in part(server.received[0], "html")
    server.answer = lambda _email: "550 no such mailbox"
    await book(desk, hair, sara, cut, "11:00")

    async def is_refused() -> bool:
        return [row["state"] for row in await messages(hair)] == ["sent", "failed"]

    await eventually(is_refused)
    page = (await desk.get("/settings/notices?show=failed")).text
    assert "550 no such mailbox" in page
    assert "1 message was refused" in (await desk.get("/")).text
    server.answer = lambda _email: "250 OK"
    failed = (await messages(hair))[1]["id"]
    assert (await desk.post(f"/settings/notices/messages/{failed}/again")).status_code == 303
    await arrived(server, 2)
    assert "1 message was refused" not in (await desk.get("/")).text


async def test_own_words_are_checked_shown_and_reset(
    hair: BranchFixture, desk: DashboardClient, sara: UUID, server: MailServer
) -> None:
    wrong = {"version": "0", "kind": "confirmation", "act": "save", "words_en": "Dear {nmae}"}
    for act in ("save", "preview", "test"):
        refused = await desk.post("/settings/notices/words", wrong | {"act": act})
        assert refused.status_code == 422
        assert "{nmae}" in refused.text
        assert "is not a placeholder" in refused.text
    right = wrong | {"words_en": "Bring {service}, {name}.", "subject_en": "At {time}"}
    assert "Bring" in (await desk.post("/settings/notices/words", right | {"act": "preview"})).text
    assert (await desk.post("/settings/notices/words", right)).status_code == 303
    cut = await hair.add_service(duration=30, name="Cut")
    await hair.add_provider(cut)
    await book(desk, hair, sara, cut)
    await arrived(server, 1)
    assert server.received[0]["Subject"] == "At 10:00"
    assert "Bring Cut, Sara" in part(server.received[0], "plain")
    assert (await desk.post("/settings/notices/words", right | {"version": "1", "act": "reset"})).status_code == 303
    outdated = await desk.post("/settings/notices/words", right)
    assert outdated.status_code == 422
    (kept,) = await hair.shop.sql("SELECT texts FROM message_settings WHERE tenant_id = $1")
    assert kept["texts"] == "{}"


async def test_a_business_mails_only_so_many_messages_in_a_day_and_the_others_wait(
    hair: BranchFixture, desk: DashboardClient, sara: UUID, server: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(LIMITS, Plan.PROFESSIONAL, {**LIMITS[Plan.PROFESSIONAL], Quota.MESSAGES: 2})
    cut = await hair.add_service(duration=60)
    await hair.add_provider(cut)
    for count, clock in enumerate(("10:00", "11:00"), 1):
        await book(desk, hair, sara, cut, clock)
        await arrived(server, count)
        await ended(hair)
    await book(desk, hair, sara, cut, "12:00")

    async def one_waits() -> bool:
        states = [(row["state"], row["answer"] == OVER_LIMIT) for row in await messages(hair)]
        return sorted(states)[0] == ("due", True) and sorted(states)[1][0] == "sent"

    await eventually(one_waits)
    assert len(server.received) == 2
    page = (await desk.get("/settings/notices")).text
    assert "2 messages were sent in 24 hours, as many as the plan allows" in page
    assert "Waits: the limit of the day is reached" in page
    assert 'id="used-messages">2<' in (await desk.get("/settings/limits")).text
    await age_rows(hair.shop, "messages", "finished_at", by=timedelta(days=1))
    await change_rows(hair.shop, "messages", due_at=ago())
    await arrived(server, 3)
