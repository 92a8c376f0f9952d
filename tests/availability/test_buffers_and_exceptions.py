"""Buffers, days with other hours and requested time off, as the Open API offers and books them."""

from uuid import UUID

import pytest

from tests.factories.changes import change_rows
from tests.factories.people import make_hour_exception
from tests.support.branch import NINE_TO_FIVE, BranchFixture, day, grid, line, local, open_branch, start, weekday
from tests.support.pagination import json_exact
from tests.support.service import Service
from tests.support.shop import Shop

FRIDAY_NIGHT = 22 * 60, 26 * 60


@pytest.fixture(scope="module")
async def busy_shop(service: Service, other_shop: Shop) -> Shop:
    return await service.new_shop()


@pytest.fixture
async def branch(busy_shop: Shop) -> BranchFixture:
    return await open_branch(busy_shop)


async def busy_times(branch: BranchFixture, order_id: str) -> list[tuple[str, str]]:
    rows = await branch.shop.sql(
        "SELECT busy FROM bookings WHERE tenant_id = $1 AND order_id = $2 ORDER BY lower(during)", UUID(order_id)
    )
    zone = local(day(1), "00:00").tzinfo
    return [
        (f"{row['busy'].lower.astimezone(zone):%H:%M}", f"{row['busy'].upper.astimezone(zone):%H:%M}") for row in rows
    ]


async def test_buffers_keep_bookings_apart_and_are_not_published(branch: BranchFixture) -> None:
    service, plain = await branch.add_service(duration=60, buffers=(15, 30)), await branch.add_service(duration=30)
    provider = await branch.add_provider(service, plain)
    await branch.set_hours(NINE_TO_FIVE)
    assert await branch.starts(service, day(3)) == grid("09:00", "16:00")  # hours limit the service alone
    order = await branch.place(line(service, staff_id=provider), start=start(day(3), "12:00"))
    (booking,) = (await branch.read(order["id"]))["bookings"]
    assert (booking["start"][:19], booking["end"][:19]) == (start(day(3), "12:00"), start(day(3), "13:00"))
    assert await busy_times(branch, order["id"]) == [("11:45", "13:30")]
    assert await branch.starts(plain, day(3)) == [*grid("09:00", "11:15"), *grid("13:30", "16:30")]
    assert await branch.starts(service, day(3)) == [*grid("09:00", "10:15"), *grid("13:45", "16:00")]
    for taken in ("10:30", "13:30"):
        body = branch.order(line(service, staff_id=provider), start=start(day(3), taken))
        json_exact(await branch.shop.post("/orders", body), 422)
    for free in ("10:15", "13:45"):
        await branch.place(line(service, staff_id=provider), start=start(day(3), free))


async def test_services_of_one_visit_share_their_buffers(branch: BranchFixture) -> None:
    service = await branch.add_service(duration=30, buffers=(10, 45))
    provider, other = await branch.add_provider(service), await branch.add_provider(service)
    await branch.set_hours(NINE_TO_FIVE)
    both = [line(service, staff_id=provider), line(service, staff_id=provider)]
    order = await branch.place(*both, start=start(day(3), "12:00"))
    assert await busy_times(branch, order["id"]) == [("11:50", "12:30"), ("12:30", "13:45")]
    between = [line(service, staff_id=provider), line(service, staff_id=other), line(service, staff_id=provider)]
    order = await branch.place(*between, start=start(day(4), "12:00"))
    assert await busy_times(branch, order["id"]) == [("11:50", "13:00"), ("12:20", "13:45"), ("13:00", "14:15")]
    moved = {"start": start(day(4), "12:15")}
    json_exact(await branch.shop.post(f"/orders/{order['id']}/reschedule", moved))
    assert (await busy_times(branch, order["id"]))[0] == ("12:05", "13:15")


async def test_a_day_with_other_hours(branch: BranchFixture) -> None:
    service = await branch.add_service(duration=60)
    shared, own = await branch.add_provider(service), await branch.add_provider(service)
    await branch.set_hours(NINE_TO_FIVE)
    await branch.set_hours({number: [("12:00", "20:00")] for number in range(7)}, staff_id=own)
    shorter, longer, off = day(3), day(4), day(5)
    await make_hour_exception(branch.shop, shorter, [(600, 840)], branch_id=branch.branch_id)
    await make_hour_exception(branch.shop, longer, [(480, 1320)], branch_id=branch.branch_id)
    await make_hour_exception(branch.shop, off, [], staff_id=shared)
    assert await branch.starts(service, shorter, staff_id=shared) == grid("10:00", "13:00")
    assert await branch.starts(service, shorter, staff_id=own) == grid("12:00", "13:00")
    assert await branch.starts(service, longer, staff_id=shared) == grid("08:00", "21:00")
    assert await branch.starts(service, longer, staff_id=own) == grid("12:00", "19:00")
    assert await branch.starts(service, off, staff_id=shared) == []
    assert await branch.starts(service, off, staff_id=own) == grid("12:00", "19:00")


async def test_an_extra_day_may_end_after_midnight(branch: BranchFixture) -> None:
    service = await branch.add_service(duration=60)
    provider = await branch.add_provider(service)
    extra = day(3)
    await branch.set_hours({n: [("09:00", "10:00")] for n in range(7) if n != weekday(extra)})
    assert await branch.starts(service, extra) == []
    await make_hour_exception(branch.shop, extra, [FRIDAY_NIGHT], staff_id=provider)
    slots = await branch.slots(service, extra, visible_days=2)
    assert slots[str(extra)] == grid("22:00", "23:45")
    assert slots[str(day(4))] == [*grid("00:00", "01:00"), "09:00"]
    await branch.place(line(service, staff_id=provider), start=start(day(4), "01:00"))
    await branch.close(extra)
    assert await branch.starts(service, extra) == []


async def test_requested_time_off_takes_no_time(branch: BranchFixture) -> None:
    service = await branch.add_service(duration=60)
    provider = await branch.add_provider(service)
    await branch.set_hours(NINE_TO_FIVE)
    await branch.take_off(provider, local(day(3), "09:00"), local(day(3), "17:00"))
    for status, expected in (
        ("requested", grid("09:00", "16:00")),
        ("declined", grid("09:00", "16:00")),
        ("approved", []),
    ):
        await change_rows(branch.shop, "time_off", status=status)
        assert await branch.starts(service, day(3)) == expected
