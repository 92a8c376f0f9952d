"""Booking on purpose at a time that is not free: who may, what is asked, and that every other way stays refused."""

import re
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import pytest

from frontdesk.auth.types import Role
from frontdesk.postgres.pool import Connection
from frontdesk.values.ids import uuid7
from tests.factories.people import make_customer
from tests.factories.users import make_user, owner_of
from tests.support.branch import BranchFixture, day, line, open_branch, start
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.forms import form_fields
from tests.support.invariants import broken_invariants
from tests.support.shop import Shop

DAY = day(3)
PATH = "/calendar/new"
PIN = "2749"


@pytest.fixture
async def hair(own_shop: Shop) -> BranchFixture:
    return await open_branch(own_shop)


@pytest.fixture
async def desk(own_shop: Shop) -> AsyncIterator[DashboardClient]:
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.RECEPTIONIST, name="Huda")) as client:
        yield client


def filled(branch: BranchFixture, service: UUID, provider: UUID | str, **more: Any) -> dict[str, Any]:
    return {
        "id": str(uuid7()),
        "act": "anyway",
        "branch": str(branch.branch_id),
        "date": str(DAY),
        "time": "10:00",
        "service": [str(service)],
        "provider": [str(provider)],
        **more,
    }


async def booked(branch: BranchFixture) -> list[tuple[str, bool, bool]]:
    """The start of each booking, whether it was made on purpose, and whether it holds time."""
    rows = await branch.shop.sql(
        """SELECT to_char(lower(k.during) AT TIME ZONE 'Asia/Riyadh', 'HH24:MI') AS start, k.is_extra, k.is_active
        FROM bookings k JOIN orders o ON o.tenant_id = $1 AND o.id = k.order_id AND o.branch_id = $2
        WHERE k.tenant_id = $1 ORDER BY o.order_number""",
        branch.branch_id,
    )
    return [tuple(row) for row in rows]


def order_in(address: str) -> str:
    return address.rpartition("order=")[2]


async def is_free(branch: BranchFixture, service: UUID, at: str) -> bool:
    return at in await branch.starts(service, DAY)


async def test_a_time_is_booked_twice_on_purpose_and_no_other_way(
    hair: BranchFixture, owner: DashboardClient, own_shop: Shop, conn: Connection
) -> None:
    cut = await hair.add_service(duration=60)
    dana = await hair.add_provider(cut)
    hair.customer_id = await make_customer(own_shop, "Jawaher")
    first = await hair.place(line(cut, staff_id=dana), start=start(DAY, "10:00"))
    form = filled(hair, cut, dana, time="10:30")
    refused = await owner.post(PATH, form | {"act": "book"})
    assert (refused.status_code, "Book 10:30 anyway" in refused.text) == (422, True)
    assert "10:00–11:00" in refused.text
    assert "Jawaher" in refused.text, "it says what is there"
    anyone = await owner.post(PATH, form | {"provider": [""]})
    assert (anyone.status_code, "Choose a provider" in anyone.text) == (422, True)
    answer = await owner.post(PATH, form)
    second = order_in(answer.headers["location"])
    assert await booked(hair) == [("10:00", False, True), ("10:30", True, True)]
    again = await own_shop.post("/orders", hair.order(line(cut, staff_id=dana), start=start(DAY, "10:30")))
    assert (again.status_code, again.json()["error"]) == (422, "timeslot_unavailable")
    assert not await is_free(hair, cut, "11:00"), "what it takes is not offered to others"
    page = (await owner.get(f"/calendar?date={DAY}&branch={hair.branch_id}&order={second}")).text
    assert re.findall(r' (double-\d)"', page) == ["double-1", "double-2"]
    assert page.count('class="extra-mark"') == 1
    for shown in (page, (await owner.get(f"/orders/{second}")).text):
        assert "Booked on purpose at a time that was not free." in shown
    assert "at a time that was not free" in (await owner.get("/activity")).text
    assert await broken_invariants(conn, own_shop.tenant_id) == []
    await hair.move(first["id"], "canceled")
    assert not await is_free(hair, cut, "10:00"), "the other one is still there"
    assert await is_free(hair, cut, "09:30")
    assert await broken_invariants(conn, own_shop.tenant_id) == []
    await hair.move(second, "canceled")
    assert await is_free(hair, cut, "10:30")
    assert await broken_invariants(conn, own_shop.tenant_id) == []


async def test_a_receptionist_needs_the_pin_of_a_manager(
    hair: BranchFixture, owner: DashboardClient, desk: DashboardClient, own_shop: Shop
) -> None:
    cut = await hair.add_service(duration=60)
    dana = await hair.add_provider(cut)
    await hair.place(line(cut, staff_id=dana), start=start(DAY, "10:00"))
    form = filled(hair, cut, dana)
    assert "No owner or manager has a PIN yet" in (await desk.post(PATH, form | {"act": "show"})).text
    await owner.post("/settings/account/pin", {"pin": PIN})
    approver = str(await owner_of(own_shop))
    for typed in ({}, {"approver": approver, "pin": "90210817"}):
        wrong = await desk.post(PATH, form | typed)
        assert (wrong.status_code, "Who allows it" in wrong.text) == (422, True)
    assert len(await booked(hair)) == 1
    done = await desk.post(PATH, form | {"approver": approver, "pin": PIN})
    assert done.status_code == 303, done.text
    assert await booked(hair) == [("10:00", False, True), ("10:00", True, True)]
    (entry,) = await own_shop.sql(
        "SELECT approved_by FROM activity WHERE tenant_id = $1 AND action = 'order.booked_anyway'"
    )
    assert str(entry["approved_by"]) == approver


async def test_a_time_outside_the_hours_is_booked_and_moved_back_into_them(
    hair: BranchFixture, owner: DashboardClient, own_shop: Shop, conn: Connection
) -> None:
    cut = await hair.add_service(duration=60)
    dana = await hair.add_provider(cut)
    past = await owner.post(PATH, filled(hair, cut, dana, date=str(day(-1))))
    assert past.status_code == 422
    answer = await owner.post(PATH, filled(hair, cut, dana, time="20:00"))
    order = order_in(answer.headers["location"])
    assert await booked(hair) == [("20:00", True, True)]
    page = (await owner.get(f"/calendar?date={DAY}&branch={hair.branch_id}")).text
    assert "On purpose outside the hours" in page
    move = f"/orders/{order}/move"
    drop = {"date": str(DAY), "time": "21:00"}
    refused = await owner.post(move, drop)
    assert (refused.status_code, "Move it there anyway" in refused.text) == (422, True)
    moved = await owner.post(f"{move}/anyway", form_fields(refused.text, f"{move}/anyway"))
    assert moved.status_code == 303, moved.text
    assert await booked(hair) == [("21:00", True, True)]
    assert (await owner.post(move, {"date": str(DAY), "time": "12:00"})).status_code == 303
    assert await booked(hair) == [("12:00", False, True)], "a usual move makes it a usual booking"
    assert await broken_invariants(conn, own_shop.tenant_id) == []
    version = (await own_shop.sql("SELECT version FROM orders WHERE tenant_id = $1 AND id = $2", UUID(order)))[0][0]
    assert (await owner.post(f"{move}/undo", {"version": str(version)})).status_code == 303
    assert await booked(hair) == [("21:00", True, True)]
    assert await broken_invariants(conn, own_shop.tenant_id) == []


async def test_a_booking_that_shares_its_time_is_moved_by_the_usual_rules(
    hair: BranchFixture, owner: DashboardClient, own_shop: Shop, conn: Connection
) -> None:
    """The minutes that the other one has too are not free for it."""
    cut = await hair.add_service(duration=60)
    dana = await hair.add_provider(cut)
    first = await hair.place(line(cut, staff_id=dana), start=start(DAY, "10:00"))
    second = order_in((await owner.post(PATH, filled(hair, cut, dana, time="10:30"))).headers["location"])
    for order, time in ((first["id"], "10:15"), (second, "10:45")):
        refused = await owner.post(f"/orders/{order}/move", {"date": str(DAY), "time": time})
        assert refused.status_code == 422, time
    assert (await owner.post(f"/orders/{second}/move", {"date": str(DAY), "time": "11:00"})).status_code == 303
    assert await booked(hair) == [("10:00", False, True), ("11:00", False, True)]
    assert await broken_invariants(conn, own_shop.tenant_id) == []
