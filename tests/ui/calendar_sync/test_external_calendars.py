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
from frontdesk.postgres.pool import Connection, Pool
from frontdesk.security.encryption import SecretBox
from frontdesk.values.ids import uuid7
from tests.factories.calendars import copy_external_calendar, postpone_external_calendars
from tests.factories.changes import ago, change_rows
from tests.factories.users import owner_of
from tests.support.branch import BranchFixture, day, line, local, open_branch, start
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.pagination import json_exact
from tests.support.servers.receiver import Received, Receiver, receiving, respond_with
from tests.support.service import SECRET_KEYS, running_service

_VERSION = re.compile(r'outside-calendar/delete".*?name="version" value="(\d+)"', re.DOTALL)


class SyncedProvider(NamedTuple):
    branch: BranchFixture
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
        await change_rows(self.branch.shop, "external_calendars", tried_at=ago(seconds=61))
        assert (await self.desk.post(f"{self.page}/outside-calendar/fetch")).status_code == 303
        assert await self.fetch() == 1

    async def shown(self) -> str:
        return html.unescape((await self.desk.get(self.page)).text)

    async def starts(self) -> list[str]:
        return await self.branch.starts(self.service_id, day(3), staff_id=self.staff_id)


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
async def provider(dsn: str, conn: Connection) -> AsyncIterator[SyncedProvider]:
    await postpone_external_calendars(conn)
    async with running_service(dsn, webhook_allow_private=True) as service, fetching(dsn) as worker:
        await service.new_shop()
        branch = await open_branch(await service.new_shop())
        service_id = await branch.add_service(duration=60)
        staff_id = await branch.add_provider(service_id)
        async with await dashboard_of(branch.shop, await owner_of(branch.shop)) as desk:
            yield SyncedProvider(branch, desk, service_id, staff_id, worker.fetch_due)


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
    provider: SyncedProvider, elsewhere: Receiver
) -> None:
    elsewhere.behave = respond_with(200, calendar(("09:00", "12:00"), ("12:00", "16:00")), etag='"1"')
    assert (await provider.connect(elsewhere.url)).status_code == 303
    await provider.fetch()
    assert await provider.starts() == ["16:00"]
    shown = await provider.shown()
    assert "1 busy time to come" in shown
    assert "127.0.0.1" in shown
    assert "Private" not in shown
    assert "from=frontdesk" not in shown  # the address is a secret

    branch, sent = provider.branch, {"start": start(day(3), "10:00")}
    order = branch.order(line(provider.service_id, staff_id=provider.staff_id), **sent)
    refused = json_exact(await branch.shop.post("/orders", order), 422)
    assert refused["details"]["reason"] == "time_off"
    calendar_page = (await provider.desk.get(f"/calendar?date={day(3)}&branch={branch.branch_id}")).text
    assert "Busy (other calendar)" in calendar_page
    form = {
        "id": str(uuid7()),
        "branch": str(branch.branch_id),
        "customer": str(branch.customer_id),
        "time": "10:00",
        "date": str(day(3)),
        "service": [str(provider.service_id)],
        "provider": [str(provider.staff_id)],
    }
    warned = (await provider.desk.post("/calendar/new", {**form, "act": "show"})).text
    assert "is busy then in another calendar" in warned
    booked = await provider.desk.post("/calendar/new", {**form, "act": "book"})
    assert booked.status_code == 303, booked.text
    (row,) = await branch.shop.sql(
        "SELECT count(*) FROM bookings WHERE tenant_id = $1 AND is_active AND staff_id = $2", provider.staff_id
    )
    assert row["count"] == 1


async def test_an_application_does_not_move_an_appointment_to_a_busy_time_elsewhere(
    provider: SyncedProvider, elsewhere: Receiver
) -> None:
    elsewhere.behave = respond_with(200, calendar(("09:00", "16:00")), etag='"1"')
    await provider.connect(elsewhere.url)
    await provider.fetch()
    branch, item = provider.branch, line(provider.service_id, staff_id=provider.staff_id)
    order = await branch.read((await branch.place(item, start=start(day(3), "16:00")))["id"])
    path, to = f"/orders/{order['id']}", start(day(3), "10:00")
    kept = {**item, "line_id": order["items"][0]["line_id"]}
    edited = await branch.shop.request("PUT", f"{path}/items", json={"items": [kept], "start": to})
    moved = await branch.shop.post(f"{path}/reschedule", {"start": to})
    assert [json_exact(answer, 422)["details"]["reason"] for answer in (edited, moved)] == ["time_off", "time_off"]


async def test_a_calendar_is_read_again_only_when_it_changes_and_its_times_are_replaced(
    provider: SyncedProvider, elsewhere: Receiver
) -> None:
    async def answer(receiver: Receiver, received: Any, writer: asyncio.StreamWriter) -> None:
        known = received.headers.get("if-none-match") == '"1"'
        body = gzip.compress(calendar(("09:00", "16:00")))
        send = respond_with(304) if known else respond_with(200, body, etag='"1"', content_encoding="gzip")
        await send(receiver, received, writer)

    elsewhere.behave = answer
    await provider.connect(elsewhere.url)
    await provider.fetch()
    assert await provider.fetch() == 0  # not due for a quarter of an hour
    await provider.fetch_now()
    assert [one.headers.get("if-none-match") for one in elsewhere.received] == [None, '"1"']
    assert await provider.starts() == ["16:00"]
    elsewhere.behave = respond_with(200, calendar(("10:00", "17:00")))
    await provider.fetch_now()
    assert await provider.starts() == ["09:00"]
    version = _VERSION.search(await provider.shown())
    assert version
    assert (
        await provider.desk.post(f"{provider.page}/outside-calendar/delete", {"version": version[1]})
    ).status_code == 303
    assert len(await provider.starts()) > 20


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (respond_with(404), "answers with status 404"),
        (respond_with(200, b"<html>hello</html>"), "does not lead to a calendar"),
        (respond_with(200, calendar(("09:00", "10:00"))[:-20]), "does not lead to a calendar"),
        (respond_with(200, gzip.compress(b"x" * 9_000_000), content_encoding="gzip"), "is too large"),
        (respond_with(200, b"x" * 5_000_000), "is too large"),
        (respond_with(302, location="/hook"), "too many times"),
        (respond_with(302, location="http://user:pass@127.0.0.1/"), "cannot be used"),
        (respond_with(302, location="http://[::1"), "cannot be used"),
    ],
)
async def test_what_cannot_be_read_is_said_and_the_last_times_stay(
    provider: SyncedProvider, elsewhere: Receiver, answer: Any, message: str
) -> None:
    elsewhere.behave = respond_with(200, calendar(("09:00", "16:00")))
    await provider.connect(elsewhere.url)
    await provider.fetch()
    elsewhere.behave = answer
    await provider.fetch_now()
    shown = await provider.shown()
    assert message in shown
    assert "Not read" in shown
    assert await provider.starts() == ["16:00"]


async def test_a_stale_calendar_is_shown_on_the_overview(provider: SyncedProvider, elsewhere: Receiver) -> None:
    elsewhere.behave = respond_with(500)
    await provider.connect(elsewhere.url)
    await provider.fetch()
    assert "could not be read" not in (await provider.desk.get("/")).text
    await change_rows(provider.branch.shop, "external_calendars", created_at=ago(hours=7))
    assert "Out of date" in await provider.shown()
    assert f'href="{provider.page}#calendars"' in (await provider.desk.get("/")).text


async def test_workers_share_the_queue_and_private_addresses_are_refused(
    dsn: str, provider: SyncedProvider, elsewhere: Receiver
) -> None:
    elsewhere.behave = respond_with(200, calendar())
    await provider.connect(elsewhere.url)
    async with fetching(dsn) as one, fetching(dsn) as another, fetching(dsn, allow_private=False) as strict:
        assert sorted(await asyncio.gather(one.fetch_due(), another.fetch_due())) == [0, 1]
        assert len(elsewhere.received) == 1
        again = await provider.desk.post(f"{provider.page}/outside-calendar/fetch")
        assert "less than a minute ago" in (await provider.desk.get(again.headers["location"])).text
        assert await one.fetch_due() == 0
        await change_rows(provider.branch.shop, "external_calendars", next_fetch_at=datetime.now(UTC))
        await strict.fetch_due()
    assert len(elsewhere.received) == 1
    assert "not on the public Internet" in await provider.shown()
    for wrong in ("", "ftp://example.com/", "https://user@example.com/", "nonsense"):
        assert (await provider.connect(wrong, version="1")).status_code == 422, wrong


async def test_slow_calendars_of_a_business_leave_room_for_others(
    provider: SyncedProvider, elsewhere: Receiver
) -> None:
    answer = respond_with(200, calendar())

    async def slowly(receiver: Receiver, received: Received, writer: asyncio.StreamWriter) -> None:
        await receiver.ended.wait()
        await answer(receiver, received, writer)

    elsewhere.behave = slowly
    await provider.connect(elsewhere.url)
    others = [await provider.branch.add_provider(provider.service_id) for _ in range(3)]
    await copy_external_calendar(provider.branch.shop, others)
    fetched = asyncio.ensure_future(provider.fetch())
    await elsewhere.wait_for(2)
    waiting = await provider.branch.shop.sql(
        "SELECT FROM external_calendars WHERE tenant_id = $1 AND next_fetch_at <= now()"
    )
    assert len(waiting) == 2
    assert await provider.fetch() == 0
    elsewhere.ended.set()
    assert await fetched == 2


async def test_a_private_address_cannot_be_entered(service: Any, other_shop: Any) -> None:
    branch = await open_branch(await service.new_shop())
    staff_id = await branch.add_provider(await branch.add_service(duration=60))
    async with await dashboard_of(branch.shop, await owner_of(branch.shop)) as desk:
        for address in ("http://127.0.0.1/x.ics", "webcal://169.254.169.254/x.ics", "https://localhost/"):
            refused = await desk.post(f"/staff/{staff_id}/outside-calendar", {"address": address})
            assert refused.status_code == 422, address
            assert "not on the public Internet" in refused.text
