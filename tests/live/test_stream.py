"""Event streams of open pages: every event once and in order, only what the user may see, only while they may."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

import httpx2
import msgspec
import pytest

from frontdesk.auth.types import Role
from frontdesk.live import feed
from frontdesk.live.stream import MAX_WAITING, Stream
from frontdesk.live.types import LiveEvent, Viewer
from frontdesk.postgres.pool import Pool
from frontdesk.values.ids import uuid7
from tests.factories.changes import change_row, delete_rows
from tests.factories.users import link_to_staff, make_user, owner_of
from tests.factories.webhooks import emit_events
from tests.support.branch import BranchFixture, day, line, open_branch, start
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.pagination import json_exact
from tests.support.programs.process import running_process
from tests.support.service import Service, running_service
from tests.support.shop import NO_CERTIFICATES
from tests.support.waiting import PATIENCE_SECONDS

ON = day(3)
STREAM = {"accept": "text/event-stream"}


class ReceivedEvent(NamedTuple):
    id: int
    event: str
    data: dict[str, Any]


class Line:
    """An event source: one connection, and what came over it."""

    def __init__(self, chunks: AsyncIterator[str]) -> None:
        self._lines = chunks
        self._fields: dict[str, str] = {}

    async def next(self, *, but: tuple[str, ...] = ("alive",)) -> ReceivedEvent | None:
        """None if the server has ended the stream."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            async for text in self._lines:
                name, _, value = text.partition(": ")
                if text:
                    self._fields[name] = value
                    continue
                fields, self._fields = self._fields, {}
                if "event" in fields and fields["event"] not in but:
                    data = msgspec.json.decode(fields["data"]) if fields.get("data") else {}
                    return ReceivedEvent(int(fields["id"]), fields["event"], data)
        return None

    async def of(self, order_id: str) -> ReceivedEvent:
        received = await self.next()
        assert received is not None
        assert received.data["order"] == order_id
        return received


@asynccontextmanager
async def following(desk: DashboardClient, after: int, **headers: str) -> AsyncIterator[Line]:
    async with desk.http.stream("GET", "/live", params={"after": after}, headers={**STREAM, **headers}) as answer:
        assert (answer.status_code, answer.headers["content-type"]) == (200, "text/event-stream")
        yield Line(answer.aiter_lines())


async def last_event(branch: BranchFixture) -> int:
    rows = await branch.shop.sql("SELECT value FROM tenant_counters WHERE tenant_id = $1 AND name = 'events'")
    return rows[0]["value"] if rows else 0


async def book(branch: BranchFixture, service: UUID, at: str, **more: Any) -> str:
    order_id: str = (await branch.place(line(service, **more), start=start(ON, at)))["id"]
    return order_id


async def chair(branch: BranchFixture) -> tuple[UUID, UUID]:
    cut = await branch.add_service()
    return cut, await branch.add_provider(cut)


async def test_a_page_that_lost_its_connection_receives_the_rest_and_nothing_twice(
    branch: BranchFixture, owner: DashboardClient
) -> None:
    cut, _ = await chair(branch)
    after = await last_event(branch)
    async with following(owner, after) as line_:
        first = await book(branch, cut, "09:00")
        received = await line_.of(first)
        assert received.data == {"type": "order.created", "order": first, "own": False, "days": [str(ON)]}
    missed = [await book(branch, cut, "10:00"), await book(branch, cut, "11:00")]
    await branch.move(missed[0], "canceled")
    async with following(owner, after, **{"last-event-id": str(received.id)}) as line_:
        again = [await line_.of(order_id) for order_id in (*missed, missed[0])]
        later = await book(branch, cut, "12:00")
        again.append(await line_.of(later))
    assert [one.data["type"] for one in again] == ["order.created"] * 2 + ["order.status_changed", "order.created"]
    assert [one.id for one in again] == sorted({one.id for one in again})
    (count,) = await branch.shop.sql(
        "SELECT count(*) FROM events WHERE tenant_id = $1 AND sequence > $2 AND type LIKE 'order.%'", received.id
    )
    assert count["count"] == len(again)


async def test_pages_receive_what_the_other_process_wrote(
    branch: BranchFixture, owner: DashboardClient, dsn: str, tmp_path: Path
) -> None:
    """The system spreads the connections over the two processes: some pages and some orders are at each."""
    cut, _ = await chair(branch)
    after, bearer = await last_event(branch), {"authorization": f"Bearer {await branch.shop.token()}"}
    async with AsyncExitStack() as stack:
        running = await stack.enter_async_context(running_process(dsn, tmp_path, FRONTDESK_WORKERS="2"))
        pages = []
        for _ in range(6):
            desk = await stack.enter_async_context(DashboardClient(running.origin, dsn))
            desk.http.cookies.update(owner.http.cookies)
            pages.append(await stack.enter_async_context(following(desk, after)))
        placed = []
        for hour in range(9, 13):
            sent = branch.order(line(cut), start=start(ON, f"{hour:02}:00"))
            async with httpx2.AsyncClient(base_url=running.origin, verify=NO_CERTIFICATES) as http:
                answer = await http.post("/open-api/v1/orders", json=sent, headers=bearer, timeout=120)
            placed.append(json_exact(answer, 201)["data"]["id"])
        for page in pages:
            for order_id in placed:
                await page.of(order_id)


async def test_a_page_receives_nothing_of_another_business(
    branch: BranchFixture, owner: DashboardClient, service: Service
) -> None:
    other = await open_branch(await service.new_shop())
    (cut, _), (other_cut, _) = await chair(branch), await chair(other)
    async with following(owner, 0) as line_, following(owner, await last_event(branch)) as late:
        await book(other, other_cut, "09:00")
        order_id = await book(branch, cut, "09:00")
        for one in (line_, late):
            assert (await one.of(order_id)).data["order"] == order_id
    wrong = await owner.http.get("/live", params={"business": str(other.shop.tenant_id)}, headers=STREAM)
    assert wrong.status_code == 403


async def test_a_provider_receives_events_of_own_bookings_also_when_one_leaves(branch: BranchFixture) -> None:
    cut, mine = await chair(branch)
    other = await branch.add_provider(cut)
    user_id = await make_user(branch.shop, Role.PROVIDER)
    await link_to_staff(branch.shop, user_id, mine)
    async with await dashboard_of(branch.shop, user_id) as desk, following(desk, await last_event(branch)) as line_:
        theirs = await branch.place(line(cut, staff_id=other), start=start(ON, "09:00"))
        own = await branch.place(line(cut, staff_id=mine), start=start(ON, "09:00"))
        assert (await line_.of(own["id"])).data["type"] == "order.created"
        (own_line, *_) = (await branch.read(own["id"]))["items"]
        to_other = [{"line_id": own_line["line_id"], "staff_id": str(other)}]
        body = {"start": start(ON, "12:00"), "items": to_other}
        assert (await branch.shop.post(f"/orders/{own['id']}/reschedule", body)).status_code == 200
        assert (await line_.of(own["id"])).data["type"] == "order.rescheduled"
        await branch.move(own["id"], "canceled")  # no longer theirs
        await branch.move(theirs["id"], "canceled")
        mine_again = await book(branch, cut, "15:00", staff_id=mine)
        await line_.of(mine_again)


async def test_a_person_who_signs_out_or_leaves_receives_nothing_more(
    branch: BranchFixture, owner: DashboardClient
) -> None:
    cut, _ = await chair(branch)
    user_id = await make_user(branch.shop, Role.RECEPTIONIST)
    async with (
        await dashboard_of(branch.shop, user_id) as leaving,
        await dashboard_of(branch.shop, await make_user(branch.shop, Role.CASHIER)) as signing_out,
        following(leaving, await last_event(branch)) as left,
        following(signing_out, await last_event(branch)) as signed_out,
        following(owner, await last_event(branch)) as stays,
    ):
        await delete_rows(branch.shop, "memberships", user_id=user_id)
        assert (await signing_out.post("/sign-out")).status_code == 303
        order_id = await book(branch, cut, "09:00")
        await stays.of(order_id)
        assert await left.next() is None
        assert await signed_out.next() is None


async def test_own_acts_are_marked_and_a_poll_gets_the_same(branch: BranchFixture, owner: DashboardClient) -> None:
    cut, _ = await chair(branch)
    order_id = await book(branch, cut, "09:00")
    after = await last_event(branch)
    async with following(owner, after) as line_:
        sent = {"status": "in-progress", "sure": "yes"}
        assert (await owner.post(f"/orders/{order_id}/status", sent)).status_code == 303
        received = await line_.of(order_id)
        assert (received.data["type"], received.data["own"]) == ("order.status_changed", True)
    polled = await owner.http.get("/live", params={"after": after})
    assert re.findall(r"^id: (\d+)$", polled.text, re.MULTILINE) == [str(received.id)]
    assert (await owner.http.get("/live", params={"after": received.id})).text.strip() == ""


async def test_pages_receive_a_check_in_and_applications_do_not(branch: BranchFixture, owner: DashboardClient) -> None:
    cut, _ = await chair(branch)
    order_id = await book(branch, cut, "09:00")
    await change_row(branch.shop, "orders", UUID(order_id), starts_at=datetime.now(UTC))
    after = await last_event(branch)
    assert (await owner.post(f"/calendar/bookings/{order_id}", {"act": "arrived"})).status_code == 303
    assert '"type":"order.arrived"' in (await owner.http.get("/live", params={"after": after})).text
    assert (await branch.shop.get("/events", params={"after": after})).json()["data"] == []


async def test_a_page_that_is_too_far_behind_is_loaded_again(branch: BranchFixture, owner: DashboardClient) -> None:
    async with following(owner, 10**15) as line_:
        received = await line_.next()
        assert received == ReceivedEvent(await last_event(branch), "reset", {})


async def test_event_streams_of_one_user_are_limited(
    branch: BranchFixture, owner: DashboardClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "MAX_STREAMS_OF_USER", 1)
    async with following(owner, 0):
        refused = await owner.http.get("/live", headers=STREAM)
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "20")
    monkeypatch.setattr(feed, "MAX_STREAMS", 0)
    monkeypatch.setattr(feed, "MAX_STREAMS_OF_USER", 100)
    assert (await owner.http.get("/live", headers=STREAM)).status_code == 503


async def test_one_business_does_not_take_all_streams_of_a_process(
    branch: BranchFixture, owner: DashboardClient, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert feed.MAX_STREAMS_OF_TENANT < feed.MAX_STREAMS
    monkeypatch.setattr(feed, "MAX_STREAMS_OF_TENANT", 2)
    other = await service.new_shop()
    async with (
        await dashboard_of(branch.shop, await make_user(branch.shop, Role.CASHIER)) as cashier,
        await dashboard_of(other, await owner_of(other)) as stranger,
        following(owner, 0),
        following(owner, 0),
    ):
        refused = await cashier.http.get("/live", headers=STREAM)
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "20")
        assert (await cashier.http.get("/live")).status_code == 200  # it asks from time to time instead
        async with following(stranger, 0):
            pass


async def test_a_stream_ends_when_the_server_stops_and_goes_on_at_another(
    branch: BranchFixture, owner: DashboardClient, service: Service
) -> None:
    cut, _ = await chair(branch)
    after = await last_event(branch)
    async with running_service(service.dsn) as stopping:
        there = DashboardClient(stopping.origin, service.dsn)
        there.http.cookies = owner.http.cookies
        opened = there.http.stream("GET", "/live", params={"after": after}, headers=STREAM)
        line_ = Line((await opened.__aenter__()).aiter_lines())
        first = await book(branch, cut, "09:00")
        received = await line_.of(first)
    assert await line_.next() is None
    await there.http.aclose()
    second = await book(branch, cut, "10:00")
    async with following(owner, received.id) as line_:
        await line_.of(second)


async def test_what_happens_at_one_server_process_reaches_pages_of_another(
    service: Service, branch: BranchFixture, owner: DashboardClient
) -> None:
    """They share nothing but the database."""
    cut, _ = await chair(branch)
    placed, after = await book(branch, cut, "09:00"), await last_event(branch)
    async with running_service(service.dsn) as other:
        there = DashboardClient(other.origin, service.dsn)
        there.http.cookies = owner.http.cookies
        async with following(owner, after) as here, following(there, after) as beyond:
            assert (await there.post(f"/orders/{placed}/cancel", {})).status_code == 303
            assert {(await line_.of(placed)).data["own"] for line_ in (here, beyond)} == {True}
            booked = await book(branch, cut, "10:00")
            await here.of(booked)
            await beyond.of(booked)
        await there.http.aclose()


async def test_a_page_that_does_not_read_is_dropped() -> None:
    viewer = Viewer(uuid7(), uuid7(), uuid7(), Role.OWNER, None)
    ended: list[Stream] = []
    slow = Stream(viewer, 0, ended.append)
    events = [LiveEvent(n, "order.updated", uuid7(), None, frozenset(), []) for n in range(1, MAX_WAITING + 10)]
    slow.catch_up(events[: MAX_WAITING - 1], MAX_WAITING - 1)
    assert ended == []
    slow.send(events[MAX_WAITING - 1 :], events[-1].sequence)
    assert ended == [slow]
    assert [chunk async for chunk in slow.chunks(asyncio.Event().wait)] == []


async def test_an_unreadable_event_resets_only_the_pages_of_its_business(
    branch: BranchFixture, owner: DashboardClient, service: Service
) -> None:
    other = await open_branch(await service.new_shop())
    (own_cut, _), (cut, _) = await chair(branch), await chair(other)
    await book(branch, own_cut, "09:00")
    async with (
        await dashboard_of(other.shop, await owner_of(other.shop)) as neighbour,
        following(owner, await last_event(branch)) as line_,
        following(neighbour, await last_event(other)) as theirs,
    ):
        await emit_events(branch.shop, [], {"order": {"id": "none"}}, kind="order.created")
        order_id = await book(other, cut, "09:00")
        assert (await theirs.of(order_id)).data["order"] == order_id
        received = await line_.next()
        assert received is not None
        assert received.event == "reset"


async def test_a_page_that_opens_while_the_last_one_leaves_gets_its_events_and_no_reset(
    branch: BranchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "TICK_SECONDS", 3600.0)  # only the tick of this test
    cut, _ = await chair(branch)
    after = await last_event(branch)
    viewer = Viewer(uuid7(), branch.shop.tenant_id, uuid7(), Role.OWNER, None)
    database = Pool(branch.shop.dsn, size=2)
    pages = feed.LiveFeed(database)
    first, opened = await pages.open(viewer, after), []

    async def leave_and_open(*_: object) -> None:
        first.end()
        opened.append(asyncio.create_task(pages.open(viewer, after)))
        await asyncio.sleep(0)  # it is registered, and waits

    monkeypatch.setattr(pages, "_end_invalid", leave_and_open)
    order_id = await book(branch, cut, "09:00")
    async with pages._opening:
        await pages._tick()
    sent = b"".join((await opened[0])._waiting).decode()
    assert "event: reset" not in sent
    assert sent.count(order_id) == 1
    await pages.stop()
    await database.close()
