"""What customers get when they are booked, moved and canceled: received by a real server, read by other parsers."""

from html.parser import HTMLParser
from typing import Any
from uuid import UUID

from frontdesk.values.ids import uuid7
from tests.messages.conftest import EMAIL
from tests.support.dashboard import DashboardClient, eventually
from tests.support.mail_server import MailServer, calendar_event, part
from tests.support.salon import Salon, day, local

DAY = day(3)


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


async def book(desk: DashboardClient, hair: Salon, customer: UUID, service: UUID, time: str = "10:00") -> UUID:
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


async def messages(hair: Salon) -> list[Any]:
    return await hair.shop.sql("SELECT * FROM messages WHERE tenant_id = $1 ORDER BY id")


async def arrived(server: MailServer, many: int) -> None:
    async def are_there() -> bool:
        return len(server.received) >= many

    await eventually(are_there, 30)


async def test_a_booking_is_confirmed_moved_and_canceled_in_the_calendar_of_the_customer(
    hair: Salon, desk: DashboardClient, sara: UUID, server: MailServer
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
