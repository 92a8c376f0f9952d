"""Calendars elsewhere that make providers busy, from a real HTTP server on loopback."""

import asyncio
import gzip
import html
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any, NamedTuple
from uuid import UUID

import pytest

from frontdesk.calendar_sync.worker import CalendarWorker
from frontdesk.net.dns import DnsResolver
from frontdesk.net.outbound_http import OutboundClient
from frontdesk.postgres.pool import Pool
from frontdesk.security.encryption import SecretBox
from frontdesk.values.ids import uuid7
from tests.factories.calendars import copy_external_calendar
from tests.factories.changes import change_rows
from tests.factories.users import owner_of
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.pagination import json_exact
from tests.support.receiver import Received, Receiver, receiving, respond_with
from tests.support.salon import Salon, day, line, local, open_salon, start
from tests.support.service import SECRET_KEYS, running_service

_VERSION = re.compile(r'outside-calendar/delete".*?name="version" value="(\d+)"', re.DOTALL)


class Studio(NamedTuple):
    salon: Salon
    desk: DashboardClient
    service_id: UUID
    staff_id: UUID
    fetch: Callable[[], Awaitable[int]]

    @property
    def page(self) -> str:
        return f"/staff/{self.staff_id}"

    async def connect(self, address: str, **fields: str) -> Any:
        return await self.desk.post(f"{self.page}/outside-calendar", {"address": address, **fields})

    async def fetch_now(self) -> None:
        """A minute later."""
        await self.salon.shop.sql(
            "UPDATE external_calendars SET tried_at = now() - interval '61 seconds' WHERE tenant_id = $1"
        )
        assert (await self.desk.post(f"{self.page}/outside-calendar/fetch")).status_code == 303
        assert await self.fetch() == 1

    async def shown(self) -> str:
        return html.unescape((await self.desk.get(self.page)).text)

    async def starts(self) -> list[str]:
        return await self.salon.starts(self.service_id, day(3), staff_id=self.staff_id)


@asynccontextmanager
async def fetching(dsn: str, *, allow_private: bool = True) -> AsyncIterator[CalendarWorker]:
    pool, dns = Pool(dsn, size=2), DnsResolver()
    client = OutboundClient(dns.resolve, allow_private=allow_private)
    try:
        yield CalendarWorker(pool, client, SecretBox(SECRET_KEYS))
    finally:
        await client.close()
        await pool.close()


@pytest.fixture
async def studio(dsn: str) -> AsyncIterator[Studio]:
    async with running_service(dsn, webhook_allow_private=True) as service, fetching(dsn) as worker:
        await service.new_shop()
        salon = await open_salon(await service.new_shop())
        service_id = await salon.add_service(duration=60)
        staff_id = await salon.add_provider(service_id)
        async with await dashboard_of(salon.shop, await owner_of(salon.shop)) as desk:
            yield Studio(salon, desk, service_id, staff_id, worker.fetch_due)


@pytest.fixture
async def elsewhere() -> AsyncIterator[Receiver]:
    async with receiving() as server:
        yield server


def calendar(*hours: tuple[str, str]) -> bytes:
    events = [
        f"BEGIN:VEVENT\r\nUID:{n}\r\nSUMMARY:Private\r\nDTSTART:{utc(first)}\r\nDTEND:{utc(last)}\r\nEND:VEVENT\r\n"
        for n, (first, last) in enumerate(hours)
    ]
    return f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{''.join(events)}END:VCALENDAR\r\n".encode()


def utc(hh_mm: str) -> str:
    return f"{local(day(3), hh_mm).astimezone(UTC):%Y%m%dT%H%M%SZ}"


async def test_busy_times_elsewhere_are_not_offered_but_the_desk_may_book_them(
    studio: Studio, elsewhere: Receiver
) -> None:
    elsewhere.behave = respond_with(200, calendar(("09:00", "12:00"), ("12:00", "16:00")), etag='"1"')
    assert (await studio.connect(elsewhere.url)).status_code == 303
    await studio.fetch()
    assert await studio.starts() == ["16:00"]
    shown = await studio.shown()
    assert "1 busy time to come" in shown
    assert "127.0.0.1" in shown
    assert "Private" not in shown
    assert "from=frontdesk" not in shown  # the address is a secret

    salon, sent = studio.salon, {"start": start(day(3), "10:00")}
    order = salon.order(line(studio.service_id, staff_id=studio.staff_id), **sent)
    refused = json_exact(await salon.shop.post("/orders", order), 422)
    assert refused["details"]["reason"] == "time_off"
    calendar_page = (await studio.desk.get(f"/calendar?date={day(3)}&branch={salon.branch_id}")).text
    assert "Busy (other calendar)" in calendar_page
    form = {
        "id": str(uuid7()),
        "branch": str(salon.branch_id),
        "customer": str(salon.customer_id),
        "time": "10:00",
        "date": str(day(3)),
        "service": [str(studio.service_id)],
        "provider": [str(studio.staff_id)],
    }
    warned = (await studio.desk.post("/calendar/new", {**form, "act": "show"})).text
    assert "is busy then in another calendar" in warned
    booked = await studio.desk.post("/calendar/new", {**form, "act": "book"})
    assert booked.status_code == 303, booked.text
    (row,) = await salon.shop.sql(
        "SELECT count(*) FROM bookings WHERE tenant_id = $1 AND is_active AND staff_id = $2", studio.staff_id
    )
    assert row["count"] == 1


async def test_a_calendar_is_read_again_only_when_it_changes_and_its_times_are_replaced(
    studio: Studio, elsewhere: Receiver
) -> None:
    async def answer(receiver: Receiver, received: Any, writer: asyncio.StreamWriter) -> None:
        known = received.headers.get("if-none-match") == '"1"'
        body = gzip.compress(calendar(("09:00", "16:00")))
        send = respond_with(304) if known else respond_with(200, body, etag='"1"', content_encoding="gzip")
        await send(receiver, received, writer)

    elsewhere.behave = answer
    await studio.connect(elsewhere.url)
    await studio.fetch()
    assert await studio.fetch() == 0  # not due for a quarter of an hour
    await studio.fetch_now()
    assert [one.headers.get("if-none-match") for one in elsewhere.received] == [None, '"1"']
    assert await studio.starts() == ["16:00"]
    elsewhere.behave = respond_with(200, calendar(("10:00", "17:00")))
    await studio.fetch_now()
    assert await studio.starts() == ["09:00"]
    version = _VERSION.search(await studio.shown())
    assert version
    assert (
        await studio.desk.post(f"{studio.page}/outside-calendar/delete", {"version": version[1]})
    ).status_code == 303
    assert len(await studio.starts()) > 20


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (respond_with(404), "answers with status 404"),
        (respond_with(200, b"<html>hello</html>"), "does not lead to a calendar"),
        (respond_with(200, calendar(("09:00", "10:00"))[:-20]), "does not lead to a calendar"),
        (respond_with(200, gzip.compress(b"x" * 9_000_000), content_encoding="gzip"), "is too large"),
        (respond_with(200, b"x" * 5_000_000), "is too large"),
        (respond_with(302, location="/hook"), "too often"),
        (respond_with(302, location="http://user:pass@127.0.0.1/"), "cannot be used"),
        (respond_with(302, location="http://[::1"), "cannot be used"),
    ],
)
async def test_what_cannot_be_read_is_said_and_the_last_times_stay(
    studio: Studio, elsewhere: Receiver, answer: Any, message: str
) -> None:
    elsewhere.behave = respond_with(200, calendar(("09:00", "16:00")))
    await studio.connect(elsewhere.url)
    await studio.fetch()
    elsewhere.behave = answer
    await studio.fetch_now()
    shown = await studio.shown()
    assert message in shown
    assert "Not read" in shown
    assert await studio.starts() == ["16:00"]


async def test_a_stale_calendar_is_shown_on_the_overview(studio: Studio, elsewhere: Receiver) -> None:
    elsewhere.behave = respond_with(500)
    await studio.connect(elsewhere.url)
    await studio.fetch()
    assert "could not be read" not in (await studio.desk.get("/")).text
    await studio.salon.shop.sql(
        "UPDATE external_calendars SET created_at = now() - interval '7 hours' WHERE tenant_id = $1"
    )
    assert "Out of date" in await studio.shown()
    assert f'href="{studio.page}#calendars"' in (await studio.desk.get("/")).text


async def test_workers_share_the_queue_and_private_addresses_are_refused(
    dsn: str, studio: Studio, elsewhere: Receiver
) -> None:
    elsewhere.behave = respond_with(200, calendar())
    await studio.connect(elsewhere.url)
    async with fetching(dsn) as one, fetching(dsn) as another, fetching(dsn, allow_private=False) as strict:
        assert sorted(await asyncio.gather(one.fetch_due(), another.fetch_due())) == [0, 1]
        assert len(elsewhere.received) == 1
        again = await studio.desk.post(f"{studio.page}/outside-calendar/fetch")
        assert "less than a minute ago" in (await studio.desk.get(again.headers["location"])).text
        assert await one.fetch_due() == 0
        await change_rows(studio.salon.shop, "external_calendars", next_fetch_at=datetime.now(UTC))
        await strict.fetch_due()
    assert len(elsewhere.received) == 1
    assert "not on the public Internet" in await studio.shown()
    for wrong in ("", "ftp://example.com/", "https://user@example.com/", "nonsense"):
        assert (await studio.connect(wrong, version="1")).status_code == 422, wrong


async def test_slow_calendars_of_a_business_leave_room_for_others(studio: Studio, elsewhere: Receiver) -> None:
    answer = respond_with(200, calendar())

    async def slowly(receiver: Receiver, received: Received, writer: asyncio.StreamWriter) -> None:
        await receiver.ended.wait()
        await answer(receiver, received, writer)

    elsewhere.behave = slowly
    await studio.connect(elsewhere.url)
    others = [await studio.salon.add_provider(studio.service_id) for _ in range(3)]
    await copy_external_calendar(studio.salon.shop, others)
    fetched = asyncio.ensure_future(studio.fetch())
    await elsewhere.wait_for(2)
    waiting = await studio.salon.shop.sql(
        "SELECT FROM external_calendars WHERE tenant_id = $1 AND next_fetch_at <= now()"
    )
    assert len(waiting) == 2
    assert await studio.fetch() == 0
    elsewhere.ended.set()
    assert await fetched == 2


async def test_a_private_address_cannot_be_entered(service: Any, other_shop: Any) -> None:
    salon = await open_salon(await service.new_shop())
    staff_id = await salon.add_provider(await salon.add_service(duration=60))
    async with await dashboard_of(salon.shop, await owner_of(salon.shop)) as desk:
        for address in ("http://127.0.0.1/x.ics", "webcal://169.254.169.254/x.ics", "https://localhost/"):
            refused = await desk.post(f"/staff/{staff_id}/outside-calendar", {"address": address})
            assert refused.status_code == 422, address
            assert "not on the public Internet" in refused.text
