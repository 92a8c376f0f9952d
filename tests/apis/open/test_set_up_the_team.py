"""Applications add staff and branches and set weekly hours, by the acts of the dashboard."""

from uuid import uuid4

from tests.support.branch import BranchFixture, day
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
