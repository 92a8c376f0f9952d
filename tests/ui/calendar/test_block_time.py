"""Blocking some hours of a provider from the calendar, and the list of the day to print."""

import re
from uuid import UUID

from frontdesk.auth.types import Role
from frontdesk.values.ids import uuid7
from tests.factories.users import make_user
from tests.support.branch import day, line, open_branch, start
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.shop import Shop

ON = day(3)


def blocked(**more: str) -> dict[str, str]:
    return {"id": str(uuid7()), "first_day": str(ON), "start": "12:00", "end": "13:00", "note": "Meeting", **more}


async def test_the_front_desk_blocks_time_and_frees_it_again(own_shop: Shop) -> None:
    branch = await open_branch(own_shop)
    cut = await branch.add_service(duration=60)
    provider = await branch.add_provider(cut)
    path = f"/staff/{provider}/block"
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.RECEPTIONIST)) as desk:
        asked = (await desk.get(f"{path}?date={ON}&start=12:00&end=13:00")).text
        for text in ('value="12:00"', 'value="13:00"', "New booking instead"):
            assert text in asked, text
        answer = await desk.post(path, blocked())
        assert (answer.status_code, answer.headers["location"]) == (303, f"/calendar?date={ON}")
        assert "Meeting" in (await desk.get(f"/calendar?date={ON}&branch={branch.branch_id}")).text
        assert "12:00" not in await branch.starts(cut, ON)
        wrong = await desk.post(path, blocked(end="11:00"))
        assert wrong.status_code == 422
        long = await desk.post(path, blocked(last_day=str(day(4)), end="13:00"))
        assert (long.status_code, "Block less than a day" in long.text) == (422, True)
        page = (await desk.get(f"{path}?date={ON}")).text
        (found,) = re.findall(rf'action="({path}/[^"]+/delete)"', page)
        freed = await desk.post(found, {"version": "1"})
        assert (freed.status_code, freed.headers["location"]) == (303, f"/calendar?date={ON}")
        assert "12:00" in await branch.starts(cut, ON)
        assert (await desk.post(f"{path}/{UUID(int=0)}/delete", {"version": "1"})).status_code == 404


async def test_bookings_in_blocked_time_are_shown_first(own_shop: Shop, owner: DashboardClient) -> None:
    branch = await open_branch(own_shop)
    cut = await branch.add_service(duration=60)
    provider = await branch.add_provider(cut)
    await branch.place(line(cut, staff_id=provider), start=start(ON, "12:00"))
    form = blocked()
    asked = await owner.post(f"/staff/{provider}/block", form)
    (mark,) = re.findall(r'name="confirmed" value="([^"]+)"', asked.text)
    done = await owner.post(f"/staff/{provider}/block", form | {"confirmed": mark})
    assert done.status_code == 303, done.text


async def test_the_list_of_the_day_has_the_bookings_of_each_provider(own_shop: Shop, owner: DashboardClient) -> None:
    branch = await open_branch(own_shop)
    cut = await branch.add_service(duration=60)
    first, second = await branch.add_provider(cut), await branch.add_provider(cut)
    await branch.place(line(cut, staff_id=first), start=start(ON, "12:00"))
    canceled = await branch.place(line(cut, staff_id=second), start=start(ON, "14:00"))
    await branch.move(canceled["id"], "canceled")
    page = (await owner.get(f"/calendar/list?date={ON}&branch={branch.branch_id}")).text
    assert page.count('class="panel bleed day-list"') == 2
    assert ("12:00–13:00" in page, "14:00–15:00" in page) == (True, False)
