"""What each member chooses to see of the calendar."""

import re
from datetime import timedelta

from frontdesk.auth.types import Role
from tests.factories.users import make_user
from tests.support.branch import day, line, local, open_branch, start
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.shop import Shop


async def shown(desk: DashboardClient, path: str) -> set[str]:
    """The providers whose columns a page has."""
    answer = await desk.get(path)
    assert answer.status_code == 200, answer.text
    return set(re.findall(r'<div class="calendar-column" data-staff="([^"]+)"', answer.text))


async def test_each_member_chooses_their_providers(own_shop: Shop, owner: DashboardClient) -> None:
    shop, other = await open_branch(own_shop), await open_branch(own_shop)
    on = day(3)
    cut = await shop.add_service(duration=30)
    first, second, third = [str(await shop.add_provider(cut)) for _ in range(3)]
    elsewhere = [str(await other.add_provider(await other.add_service())) for _ in range(2)]
    path, there = (f"/calendar?date={on}&branch={one.branch_id}" for one in (shop, other))
    chosen = await owner.post("/calendar/view", {"branch": str(shop.branch_id), "shown": [second], "back": path})
    assert (chosen.status_code, chosen.headers["location"]) == (303, path)
    await owner.post("/calendar/view", {"branch": str(other.branch_id), "shown": elsewhere[:1]})
    assert await shown(owner, path) == {second}
    assert await shown(owner, there) == {elsewhere[0]}, "each branch has its own choice"
    assert await shown(owner, f"{path}&staff={first}") == {first}, "an address with a provider shows them"
    added = str(await shop.add_provider(cut))
    assert await shown(owner, path) == {second, added}, "a new member of the staff is shown"
    placed = await shop.place(line(cut, staff_id=first), start=start(on, "10:00"))
    assert first in await shown(owner, f"{path}&order={placed['id']}"), "a booking that is opened is seen"
    week = (await owner.get(f"{path}&view=week")).text
    assert week.count('class="provider-link"') == 2
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.RECEPTIONIST)) as desk:
        assert len(await shown(desk, path)) == 4, "another member sees all"
    await owner.post("/calendar/view", {"branch": str(shop.branch_id), "everyone": "yes"})
    assert await shown(owner, path) == {first, second, third, added}
    await owner.post("/calendar/view", {"branch": str(shop.branch_id), "shown": []})
    assert len(await shown(owner, path)) == 4, "a calendar without anybody would be of no use"


async def test_those_who_are_off_can_be_left_out(own_shop: Shop, owner: DashboardClient) -> None:
    shop, on = await open_branch(own_shop), day(3)
    cut = await shop.add_service()
    at_work, off = await shop.add_provider(cut), await shop.add_provider(cut)
    works, is_off = str(at_work), str(off)
    midnights = local(on, "00:00"), local(on + timedelta(days=1), "00:00")
    await shop.take_off(off, *midnights)
    path = f"/calendar?branch={shop.branch_id}&date="
    await owner.post("/calendar/view", {"branch": str(shop.branch_id), "shown": [works, is_off], "only_working": "yes"})
    assert await shown(owner, f"{path}{on}") == {works}
    assert await shown(owner, f"{path}{on + timedelta(days=1)}") == {works, is_off}
    await shop.take_off(at_work, *midnights)
    assert await shown(owner, f"{path}{on}") == {works, is_off}, "nobody works: all are shown with their reason"


async def test_width_colors_and_side_are_remembered(own_shop: Shop, owner: DashboardClient) -> None:
    shop, on = await open_branch(own_shop), day(3)
    cut = await shop.add_service(duration=15)
    provider = await shop.add_provider(cut)
    await shop.place(line(cut, staff_id=provider), start=start(on, "10:00"))
    path = f"/calendar?date={on}&branch={shop.branch_id}"

    async def looks() -> tuple[bool, bool, bool]:
        page = (await owner.get(path)).text
        return " fitted" in page, " hue-" in page, " side-folded" in page

    assert await looks() == (True, False, False)
    for colors in ("service", "provider"):
        await owner.post("/calendar/view", {"columns": "wide", "colors": colors})
        assert await looks() == (False, True, False)
    folded = await owner.post("/calendar/side", {"side": "folded", "back": "//elsewhere"})
    assert folded.headers["location"] == "/"
    assert await looks() == (False, True, True)
    await owner.post("/calendar/side", {"side": "shown"})
    await owner.post("/calendar/view", {"columns": "fit", "colors": "status"})
    assert await looks() == (True, False, False)
