"""Private addresses at which calendar programs read bookings, read by another iCalendar library."""

import html
import re
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import icalendar
import pytest

from frontdesk.auth.types import Role
from tests.factories.changes import ago, change_row, change_tenant
from tests.factories.people import make_customer
from tests.factories.users import link_to_staff, make_user, owner_of
from tests.support.branch import BranchFixture, day, line, local, open_branch, start
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.service import Service
from tests.support.shop import Shop

_ADDRESS = re.compile(r"/feeds/fdf_[\w-]{64}\.ics")
_VERSION = re.compile(r'name="version" value="(\d+)"')


@pytest.fixture
async def branch(service: Service, other_shop: Shop) -> BranchFixture:
    return await open_branch(await service.new_shop())


@pytest.fixture
async def desk(branch: BranchFixture) -> AsyncIterator[DashboardClient]:
    async with await dashboard_of(branch.shop, await owner_of(branch.shop)) as signed_in:
        yield signed_in


async def make_address(desk: DashboardClient, page: str) -> str:
    made = await desk.post(f"{page}/feed")
    assert (made.status_code, made.headers["location"]) == (303, f"{page}#calendars")
    return await address_on(desk, page)


async def address_on(desk: DashboardClient, page: str) -> str:
    shown = html.unescape((await desk.get(page)).text)
    found = _ADDRESS.search(shown)
    assert found, page
    assert f'href="webcal://{desk.origin.removeprefix("http://")}{found[0]}"' in shown
    return found[0]


async def change(desk: DashboardClient, page: str, act: str) -> None:
    version = _VERSION.search((await desk.get(f"{page}/feed/change")).text)
    assert version
    assert (await desk.post(f"{page}/feed/{act}", {"version": version[1]})).status_code == 303


async def read(service: Service, address: str, **headers: str) -> Any:
    return await service.http.get(address, headers=headers)


def _other_secret(address: str) -> str:
    """With another last character."""
    return f"{address[:-5]}{'B' if address[-5] == 'A' else 'A'}.ics"


async def read_by(desk: DashboardClient, address: str) -> int:
    return (await desk.get(address)).status_code


def events_of(answer: Any) -> list[Any]:
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "text/calendar; charset=utf-8"
    calendar = icalendar.Calendar.from_ical(answer.content)
    return sorted(calendar.events, key=lambda event: str(event["SUMMARY"]))


async def book(branch: BranchFixture, service_id: UUID, staff_id: UUID, time: str, **customer: Any) -> Any:
    customer_id = await make_customer(branch.shop, **customer)
    placed = line(service_id, staff_id=staff_id)
    return await branch.place(placed, start=start(day(3), time), customer_id=str(customer_id))


async def test_a_feed_shows_bookings_and_time_off_and_is_sent_again_only_when_they_change(
    service: Service, branch: BranchFixture, desk: DashboardClient
) -> None:
    haircut = await branch.add_service(duration=30, name="Haircut, \nwith; wash")
    sara, other = await branch.add_provider(haircut), await branch.add_provider(haircut)
    await change_row(branch.shop, "staff", sara, name="Sara")
    order = await book(branch, haircut, sara, "10:00", first_name="نورة", last_name="Alharbi")
    await book(branch, haircut, other, "10:00", first_name="Hidden")
    await branch.take_off(sara, local(day(4), "09:00"), local(day(4), "17:00"))

    address = await make_address(desk, f"/staff/{sara}")
    first = await read(service, address)
    booking, time_off = events_of(first)[::-1]
    assert booking["SUMMARY"] == "نورة A. · Haircut, \nwith; wash"
    assert booking["DTSTART"].dt.replace(tzinfo=None).isoformat() == f"{day(3)}T10:00:00"
    assert str(booking["DTSTART"].params["TZID"]) == "Asia/Riyadh"
    assert booking["UID"].endswith("@frontdesk")
    assert booking["URL"] == f"{branch.shop.origin}/orders/{order['id']}"
    assert "Alharbi" not in first.text
    assert time_off["SUMMARY"] == "Time off"

    tag = first.headers["etag"]
    assert first.headers["cache-control"] == "private, no-cache"
    assert first.headers["last-modified"].endswith("GMT")
    again = await read(service, address, **{"if-none-match": f'W/"x", {tag}'})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    await branch.move(order["id"], "canceled")
    canceled = await read(service, address, **{"if-none-match": tag})
    assert [event["SUMMARY"] for event in events_of(canceled)] == ["Time off"]


async def test_a_branch_has_a_feed_and_the_owner_chooses_how_much_of_a_name_it_shows(
    service: Service, branch: BranchFixture, desk: DashboardClient
) -> None:
    haircut = await branch.add_service(duration=30, name="Haircut")
    sara = await branch.add_provider(haircut)
    await change_row(branch.shop, "staff", sara, name="Sara")
    await book(branch, haircut, sara, "10:00", first_name="Noura", last_name="Alharbi")
    address = await make_address(desk, f"/settings/branches/{branch.branch_id}")
    for how, summary in (
        ("full", "Noura Alharbi · Haircut (Sara)"),
        ("none", "Haircut (Sara)"),
        ("short", "Noura A. · Haircut (Sara)"),
    ):
        page = (await desk.get("/settings/calendars")).text
        version = _VERSION.search(page)
        assert version
        saved = await desk.post("/settings/calendars", {"version": version[1], "customer_names": how})
        assert saved.status_code == 303
        (event,) = events_of(await read(service, address))
        assert event["SUMMARY"] == summary
    outdated = await desk.post("/settings/calendars", {"version": "1", "customer_names": "full"})
    assert outdated.status_code == 422
    assert "Last read by a program" in (await desk.get("/settings/calendars")).text


async def test_an_address_can_be_replaced_and_switched_off_and_ends_with_the_business(
    service: Service, branch: BranchFixture, desk: DashboardClient
) -> None:
    sara = await branch.add_provider(await branch.add_service(duration=30))
    page = f"/staff/{sara}"
    first = await make_address(desk, page)
    await desk.post(f"{page}/feed")  # a double click
    assert await address_on(desk, page) == first
    await change(desk, page, "replace")
    second = await address_on(desk, page)
    assert [(await read(service, one)).status_code for one in (first, second)] == [404, 200]
    for wrong in (_other_secret(second), second.removesuffix(".ics"), "/feeds/x.ics", "/feeds/", "/feeds/a/b.ics"):
        assert (await read(service, wrong)).status_code == 404, wrong
    for suspended_at, status in ((ago(), 404), (None, 200)):
        await change_tenant(branch.shop, suspended_at=suspended_at)
        assert (await read(service, second)).status_code == status
    await change_row(branch.shop, "staff", sara, active=False)
    assert (await read(service, second)).status_code == 404
    await change_row(branch.shop, "staff", sara, active=True)
    await change(desk, page, "delete")
    assert (await read(service, second)).status_code == 404
    acts = await branch.shop.sql(
        "SELECT action FROM activity WHERE tenant_id = $1 AND action LIKE '%feed%' ORDER BY id"
    )
    assert [row["action"].partition("feed_")[2] for row in acts] == ["created", "replaced", "removed"]


async def test_a_feed_that_is_read_all_the_time_is_slowed_down(
    service: Service, branch: BranchFixture, desk: DashboardClient
) -> None:
    sara = await branch.add_provider(await branch.add_service(duration=30))
    address = await make_address(desk, f"/staff/{sara}")
    statuses = [(await read(service, address)).status_code for _ in range(31)]
    assert statuses == [200] * 30 + [429]
    refused = await read(service, address)
    assert 0 < int(refused.headers["retry-after"]) <= 60


async def test_a_provider_has_a_feed_of_their_own_and_sees_no_other(
    branch: BranchFixture, desk: DashboardClient
) -> None:
    service_id = await branch.add_service(duration=30)
    own, other = await branch.add_provider(service_id), await branch.add_provider(service_id)
    user_id = await make_user(branch.shop, Role.PROVIDER)
    await link_to_staff(branch.shop, user_id, own)
    await make_address(desk, f"/staff/{other}")
    async with await dashboard_of(branch.shop, user_id) as provider:
        address = await make_address(provider, f"/staff/{own}")
        for refused in (f"/staff/{other}/feed", f"/staff/{other}/feed/delete", f"/staff/{other}/outside-calendar"):
            assert (await provider.post(refused, {"version": "1"})).status_code == 404
    receptionist = await make_user(branch.shop, Role.RECEPTIONIST)
    async with await dashboard_of(branch.shop, receptionist) as reception:
        assert not _ADDRESS.search((await reception.get(f"/staff/{other}")).text)
        assert (await reception.post(f"/staff/{other}/feed")).status_code == 403
    # A provider who is removed has no access any more, not with a calendar program either.
    assert (await read_by(desk, address)) == 200
    assert (await desk.post(f"/settings/members/{user_id}/remove")).status_code == 303
    assert (await read_by(desk, address)) == 404
    actions = await branch.shop.sql("SELECT action FROM activity WHERE tenant_id = $1 ORDER BY id DESC LIMIT 2")
    assert {row["action"] for row in actions} == {"staff_member.feed_removed", "member.deleted"}
    await make_address(desk, f"/staff/{own}")
