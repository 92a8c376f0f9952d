"""Applications add staff and branches and set weekly hours, by the acts of the dashboard."""

from decimal import Decimal
from typing import Any
from uuid import uuid4

from tests.factories.changes import change_rows
from tests.support.branch import NINE_TO_FIVE, BranchFixture, day, line, start
from tests.support.http_errors import assert_error
from tests.support.pagination import Document, json_exact
from tests.support.set_up_requests import branch_body, made, staff_body
from tests.support.shop import Shop

EVERY_DAY = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")


def _week(start: str, end: str) -> list[Document]:
    return [{"day": on, "from": start, "to": end} for on in EVERY_DAY]


async def test_a_new_staff_member_with_hours_can_be_booked(own_branch: BranchFixture) -> None:
    shop, cut = own_branch.shop, await own_branch.add_service()
    body = {"name": "Noura", "branch_id": str(own_branch.branch_id), "service_ids": [str(cut)]}
    member = await made(shop, "/staff", {**body, "title": {"en": "Stylist"}})
    assert (member["title"], member["status"], member["image"]) == ({"en": "Stylist"}, True, None)
    assert [service["id"] for service in member["services"]] == [str(cut)]
    assert json_exact(await shop.get(f"/staff/{member['id']}"))["data"] == member
    path = f"/staff/{member['id']}/working-hours"
    hours = json_exact(await shop.request("PUT", path, json={"intervals": _week("10:00", "12:00")}))["data"]
    assert (hours["source"], len(hours["intervals"])) == ("staff", 7)
    assert json_exact(await shop.get(f"/staff/{member['id']}/working-hour"))["data"] == hours
    search = {"service_id": str(cut), "date": str(day(3)), "staff_id": member["id"], "visible_days": 1}
    slots = json_exact(await shop.post("/availability", search))["data"]["slots"][str(day(3))]
    assert (slots[0], slots[-1] < "12:00") == ("10:00", True)


async def test_a_staff_member_gets_the_hours_of_the_branch_again(own_shop: Shop) -> None:
    member = await made(own_shop, "/staff", await staff_body(own_shop))
    path = f"/staff/{member['id']}/working-hours"
    own = json_exact(await own_shop.request("PUT", path, json={"all_time": True}))["data"]
    assert (own["all_time"], own["intervals"]) == (True, [])
    stale = await own_shop.request("PUT", path, json={"all_time": False, "version": own["version"] + 1})
    assert_error(stale, 409, "version_conflict")
    again = json_exact(await own_shop.request("PUT", path, json={"source": "branch"}))["data"]
    assert again["source"] == "branch"


async def test_hours_that_overlap_are_refused(own_shop: Shop) -> None:
    member = await made(own_shop, "/staff", await staff_body(own_shop))
    overlapping = [*_week("22:00", "02:00"), {"day": "mon", "from": "01:00", "to": "03:00"}]
    answer = await own_shop.request("PUT", f"/staff/{member['id']}/working-hours", json={"intervals": overlapping})
    assert list(assert_error(answer, 422, "validation_error")["errors"]) == ["intervals"]


async def test_a_branch_is_made_changed_and_opened(own_shop: Shop) -> None:
    body = await branch_body(own_shop)
    branch = await made(own_shop, "/branches", body)
    assert (branch["name"], branch["phone"]) == (body["name"], "+966501234567")
    path = f"/branches/{branch['id']}"
    changed = json_exact(await own_shop.request("PATCH", path, json={"address": "King Road 1", "phone": None}))["data"]
    assert changed == {
        **branch, "address": "King Road 1", "phone": None, "phone_country": None, "updated_at": changed["updated_at"]
    }  # fmt: skip
    hours = json_exact(
        await own_shop.request("PUT", f"{path}/working-hours", json={"intervals": _week("09:00", "01:00")})
    )
    assert (hours["data"]["source"], len(hours["data"]["intervals"])) == ("branch", 7)
    taken = assert_error(await own_shop.post("/branches", body), 422, "validation_error")
    assert taken["errors"] == {"name": ["is the name of another branch"]}


async def test_services_of_another_branch_are_refused(own_shop: Shop) -> None:
    body = {**await staff_body(own_shop), "service_ids": [str(uuid4())]}
    answer = assert_error(await own_shop.post("/staff", body), 422, "validation_error")
    assert answer["errors"] == {"service_ids": ["must be services of the branch"]}


async def _changed(shop: Shop, member: Document, **changes: Any) -> Document:
    answer: Document = json_exact(await shop.request("PATCH", f"/staff/{member['id']}", json=changes))["data"]
    assert json_exact(await shop.get(f"/staff/{member['id']}"))["data"] == answer
    return answer


async def test_details_of_a_staff_member_change(own_shop: Shop) -> None:
    member = await made(own_shop, "/staff", await staff_body(own_shop))
    title = {"en": "Senior stylist", "ar": "مصففة أولى"}
    changed = await _changed(own_shop, member, name="Noura A.", title=title, phone=None, version=member["version"])
    expected = {"name": "Noura A.", "title": title, "phone": None, "phone_country": None}
    after = {"version": member["version"] + 1, "updated_at": changed["updated_at"]}
    assert changed == {**member, **expected, **after}
    assert await _changed(own_shop, member, name="Noura A.", title=title) == changed
    stale = {"name": "Nora", "version": member["version"]}
    assert_error(await own_shop.request("PATCH", f"/staff/{member['id']}", json=stale), 409, "version_conflict")


async def test_services_of_a_staff_member_keep_what_is_their_own(own_branch: BranchFixture) -> None:
    shop, cut, color = own_branch.shop, await own_branch.add_service(), await own_branch.add_service()
    body = {"name": "Noura", "branch_id": str(own_branch.branch_id), "service_ids": [str(cut)]}
    member = await made(shop, "/staff", body)
    own = {"service_id": str(cut), "price": 135.5, "duration": 50}
    (terms,) = (await _changed(shop, member, services=[own]))["services"]
    assert (terms["own_price"], terms["own_duration"], terms["duration"]) == (Decimal("135.5"), 50, 50)
    both = (await _changed(shop, member, service_ids=[str(color), str(cut)]))["services"]
    found = {service["id"]: (service["own_price"], service["own_duration"]) for service in both}
    assert found == {str(cut): (Decimal("135.5"), 50), str(color): (None, None)}
    none = await _changed(shop, member, services=[])
    assert none["services"] == []


async def test_services_of_a_staff_member_are_refused_as_the_dashboard_does(own_branch: BranchFixture) -> None:
    shop, cut = own_branch.shop, str(await own_branch.add_service())
    member = await made(shop, "/staff", {"name": "Noura", "branch_id": str(own_branch.branch_id)})
    refused: list[tuple[Document, Document]] = [
        ({"service_ids": [str(uuid4())]}, {"service_ids.0": ["must be services of the branch"]}),
        ({"services": [{"service_id": str(uuid4())}]}, {"services.0.service_id": ["must be services of the branch"]}),
        ({"services": [], "service_ids": []}, {"services": ["must not be sent with service_ids"]}),
        ({"services": [{"service_id": cut}, {"service_id": cut}]}, {"services.1.service_id": ["is a duplicate"]}),
    ]
    for changes, errors in refused:
        answer = await shop.request("PATCH", f"/staff/{member['id']}", json=changes)
        assert assert_error(answer, 422, "validation_error")["errors"] == errors


async def test_a_staff_member_leaves_and_comes_back(own_branch: BranchFixture) -> None:
    shop, cut = own_branch.shop, await own_branch.add_service()
    member = await made(
        shop, "/staff", {"name": "Noura", "branch_id": str(own_branch.branch_id), "service_ids": [str(cut)]}
    )
    assert not (await _changed(shop, member, status=False))["status"]
    listed = json_exact(await shop.get("/staff", params={"branch_id": str(own_branch.branch_id)}))["data"]
    assert member["id"] not in [other["id"] for other in listed]
    assert (await _changed(shop, member, status=True))["status"]


async def test_who_has_coming_bookings_stays(own_branch: BranchFixture) -> None:
    shop, cut = own_branch.shop, await own_branch.add_service()
    staff_id = await own_branch.add_provider(cut)
    await own_branch.set_hours(NINE_TO_FIVE)
    await own_branch.place(line(cut, staff_id=staff_id), start=start(day(3), "10:00"))
    other = await made(shop, "/branches", await branch_body(shop))
    leaving = await shop.request("PATCH", f"/staff/{staff_id}", json={"status": False})
    assert "coming bookings" in assert_error(leaving, 422, "validation_error")["message"]
    moving = await shop.request("PATCH", f"/staff/{staff_id}", json={"branch_id": other["id"]})
    assert list(assert_error(moving, 422, "validation_error")["errors"]) == ["branch_id"]


async def test_the_picture_of_a_changed_staff_member_has_its_whole_address(own_branch: BranchFixture) -> None:
    staff_id = await own_branch.add_provider()
    await change_rows(own_branch.shop, "staff", {"id": staff_id}, image="faces/noura.png")
    read = json_exact(await own_branch.shop.get(f"/staff/{staff_id}"))["data"]
    changed = await _changed(own_branch.shop, read, name="Nora")
    assert changed["image"] == read["image"]
    assert changed["image"].startswith("http")


async def test_a_branch_closes_and_opens(own_branch: BranchFixture) -> None:
    shop, path = own_branch.shop, f"/branches/{own_branch.branch_id}"
    cut = await own_branch.add_service()
    await own_branch.add_provider(cut)
    await own_branch.set_hours(NINE_TO_FIVE)
    assert await own_branch.starts(cut, day(3))
    closed = json_exact(await shop.request("PATCH", path, json={"status": False, "address": "King Road 1"}))["data"]
    assert (closed["status"], closed["address"]) == (False, "King Road 1")
    branches = json_exact(await shop.get("/branches"))["data"]
    opened = [branch for branch in branches if branch["status"]]
    for branch in opened[1:]:
        await shop.request("PATCH", f"/branches/{branch['id']}", json={"status": False})
    last = await shop.request("PATCH", f"/branches/{opened[0]['id']}", json={"status": False})
    assert "only active branch" in assert_error(last, 422, "validation_error")["message"]
    assert json_exact(await shop.request("PATCH", path, json={"status": True}))["data"]["status"]
    assert await own_branch.starts(cut, day(3))


async def test_hours_of_a_branch_are_read(own_shop: Shop) -> None:
    branch = await made(own_shop, "/branches", await branch_body(own_shop))
    path = f"/branches/{branch['id']}"
    assert_error(await own_shop.get(f"{path}/working-hour"), 404, "not_found")
    body = {"intervals": _week("09:00", "17:00")}
    hours = json_exact(await own_shop.request("PUT", f"{path}/working-hours", json=body))["data"]
    assert json_exact(await own_shop.get(f"{path}/working-hour"))["data"] == hours


async def test_those_who_left_are_listed(own_shop: Shop) -> None:
    member = await made(own_shop, "/staff", await staff_body(own_shop))
    left = await _changed(own_shop, member, status=False)
    assert json_exact(await own_shop.get("/staff", params={"status": "false"}))["data"] == [left]
