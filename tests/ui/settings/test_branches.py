"""Branches and their opening hours."""

import re
from typing import Any

from frontdesk.values.ids import uuid7
from tests.factories.users import owner_of
from tests.support.branch import day, grid, line, open_branch, start, weekday
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.pagination import json_exact
from tests.support.service import Service
from tests.support.shop import Shop


async def branch_document(own_shop: Shop, branch_id: object) -> dict[str, Any]:
    branches: list[dict[str, Any]] = json_exact(await own_shop.get("/branches"))["data"]
    return next(branch for branch in branches if branch["id"] == str(branch_id))


async def test_a_branch_is_added_and_changed(own_shop: Shop, owner: DashboardClient) -> None:
    branch_id = uuid7()
    link = "https://maps.example/place/@24.7136,46.6753,17z"
    form = {"id": str(branch_id), "name": "Olaya", "address": "Olaya St", "phone": "0112223333", "location": link}
    for _ in range(2):
        added = await owner.post("/settings/branches/new", form)
        assert (added.status_code, added.headers["location"]) == (303, f"/settings/hours/{branch_id}")
    branch = await branch_document(own_shop, branch_id)
    assert (branch["name"], branch["slug"], branch["phone"]) == ("Olaya", "olaya", "+966112223333")
    assert (float(branch["latitude"]), float(branch["longitude"])) == (24.7136, 46.6753)
    arabic = {"id": str(uuid7()), "name": "Malaz", "latitude": "٢٤٫٦٦", "longitude": "٤٦٫٧٣"}
    assert (await owner.post("/settings/branches/new", arabic)).status_code == 303

    wrong = {"id": str(uuid7()), "name": "", "phone": "1", "location": "here", "latitude": "91", "longitude": "x"}
    refused = await owner.post("/settings/branches/new", wrong)
    assert refused.status_code == 422
    assert refused.text.count('class="error"') == 5
    same = await owner.post("/settings/branches/new", {"id": str(uuid7()), "name": "OLAYA", "slug": "second"})
    assert "Another branch has this name." in same.text
    same = await owner.post("/settings/branches/new", {"id": str(uuid7()), "name": "Olaya St", "slug": "olaya"})
    assert "already used by &#39;Olaya&#39;" in same.text

    path = f"/settings/branches/{branch_id}"
    assert (await owner.post(path, {**form, "version": "1", "name": "Olaya 2", "slug": "olaya"})).status_code == 303
    stale = await owner.post(path, {**form, "version": "1", "name": "Other"})
    assert stale.status_code == 422
    assert "changed this" in stale.text
    assert (await branch_document(own_shop, branch_id))["name"] == "Olaya 2"


async def test_an_inactive_branch_offers_no_times_and_its_bookings_stay(service: Service, other_shop: Shop) -> None:
    branch = await open_branch(await service.new_shop())
    item = await branch.add_service(duration=60)
    await branch.add_provider(item)
    order = await branch.place(line(item), start=start(day(3), "10:00"))
    path = f"/settings/branches/{branch.branch_id}"
    async with await dashboard_of(branch.shop, await owner_of(branch.shop)) as desk:
        asked = (await desk.get(f"{path}/deactivate")).text
        assert f"/orders/{order['id']}" in asked
        assert (await desk.post(f"{path}/deactivate")).status_code == 303
        assert await branch.starts(item, day(3)) == []
        assert (await branch.read(order["id"]))["status"] == "confirmed"
        assert (await desk.post(f"{path}/activate")).status_code == 303
        assert await branch.starts(item, day(3)) == [*grid("09:00", "09:00"), *grid("11:00", "16:00")]
        (last,) = await branch.shop.sql("SELECT id FROM branches WHERE tenant_id = $1 AND id <> $2", branch.branch_id)
        assert (await desk.post(f"/settings/branches/{last['id']}/deactivate")).status_code == 303
        assert (await desk.post(f"{path}/deactivate")).status_code == 422


async def test_the_hours_of_a_branch_and_its_exceptions(service: Service, other_shop: Shop) -> None:
    branch = await open_branch(await service.new_shop())
    item = await branch.add_service(duration=60)
    await branch.add_provider(item)
    path = f"/settings/hours/{branch.branch_id}"
    night = weekday(day(3))
    async with await dashboard_of(branch.shop, await owner_of(branch.shop)) as desk:
        wrong = {"day": ["1", "2", "3", "3"], "opens": ["noon", "9", "9", "11"], "closes": ["13", "", "12", "14"]}
        page = (await desk.post(path, {"version": "1", "setup": "yes", **wrong})).text
        for error in ("Enter a time such as 09:30.", "Enter both times", "11:00 to 14:00 overlaps 09:00 to 12:00"):
            assert error in page
        assert 'name="setup" value="yes"' in page
        fields = {"day": [str(night)] * 2, "opens": ["9:00", "20:00"], "closes": ["12:00", "02:00"]}
        assert 'name="setup" value="yes"' in (await desk.get(f"{path}?setup=yes")).text
        saved = await desk.post(path, {"version": "1", "setup": "yes", **fields})
        assert (saved.status_code, saved.headers["location"]) == (303, "/setup")
        page = (await desk.get(f"/settings/hours?branch={branch.branch_id}")).text
        assert "20:00–02:00" in page
        assert 'class="midnight-line from-24"' in page
        slots = await branch.slots(item, day(3), visible_days=2)
        assert slots[str(day(3))] == [*grid("09:00", "11:00"), *grid("20:00", "23:45")]
        assert slots[str(day(4))] == grid("00:00", "01:00")

        extra = {"day": str(day(5)), "opens": ["13:00", ""], "closes": ["15:00", ""], "note": "Extra day"}
        assert (await desk.post(f"{path}/exceptions/new", extra)).status_code == 303
        assert "already has other hours" in (await desk.post(f"{path}/exceptions/new", extra)).text
        assert await branch.starts(item, day(5)) == grid("13:00", "14:00")
        page = (await desk.get(f"/settings/hours?branch={branch.branch_id}")).text
        assert "Extra day" in page
        found = re.search(rf"{path}/exceptions/([0-9a-f-]{{36}})", page)
        assert found
        changed = {**extra, "version": "1", "closes": ["16:00", ""]}
        assert (await desk.post(f"{path}/exceptions/{found[1]}", changed)).status_code == 303
        assert await branch.starts(item, day(5)) == grid("13:00", "15:00")
        assert (await desk.post(f"{path}/exceptions/{found[1]}", changed)).status_code == 422  # an old tab
        assert (await desk.post(f"{path}/exceptions/{found[1]}/delete", {"version": "2"})).status_code == 303
        assert await branch.starts(item, day(5)) == []

        past = {**extra, "day": str(day(-2))}
        assert "Choose today or a later day." in (await desk.post(f"{path}/exceptions/new", past)).text
        later = {**extra, "day": str(day(2)), "note": "Later"}
        assert (await desk.post(f"{path}/exceptions/new", later)).status_code == 303
        closed = {"day": str(day(3)), "until": str(day(4)), "closed": "yes", "note": "Eid"}
        assert (await desk.post(f"{path}/exceptions/new", closed)).status_code == 303
        page = (await desk.get(f"/settings/hours?branch={branch.branch_id}")).text
        assert page.index("Later") < page.index("Eid")
        shut = {**extra, "day": str(day(4))}
        assert "The branch is closed on this day." in (await desk.post(f"{path}/exceptions/new", shut)).text
        assert (await branch.slots(item, day(3), visible_days=2)) == {str(day(3)): [], str(day(4)): []}
        assert (await desk.post(f"{path}/open", {"day": str(day(3))})).status_code == 303
        assert await branch.starts(item, day(3)) == [*grid("09:00", "11:00"), *grid("20:00", "23:00")]
