"""Applications set other hours for a day, closed days and time off, by the acts of the dashboard."""

from typing import Any
from uuid import uuid4

from frontdesk.webhooks.event_types import EventType
from tests.factories.changes import change_rows
from tests.support.branch import NINE_TO_FIVE, BranchFixture, day
from tests.support.events import record_events
from tests.support.full_requests.absence import DAY, made_time_off
from tests.support.http_errors import assert_error
from tests.support.pagination import json_exact
from tests.support.set_up_requests import made
from tests.support.shop import Shop


async def _put(shop: Shop, path: str, **body: Any) -> Any:
    return json_exact(await shop.request("PUT", path, json=body))["data"]


async def _data(shop: Shop, path: str) -> Any:
    return json_exact(await shop.get(path))["data"]


async def test_a_day_of_a_branch_has_other_hours_and_then_its_usual_ones(own_branch: BranchFixture) -> None:
    shop, path = own_branch.shop, f"/branches/{own_branch.branch_id}/hour-exceptions"
    cut = await own_branch.add_service(duration=60)
    await own_branch.add_provider(cut)
    await own_branch.set_hours(NINE_TO_FIVE)
    usual = await own_branch.starts(cut, day(3))
    events = await record_events(shop)
    intervals = [{"from": "20:00", "to": "21:00"}, {"from": "10:00", "to": "12:00"}]
    hours = await _put(shop, path, day=str(day(3)), intervals=intervals, note="Inventory")
    assert (hours["staff_id"], hours["note"], hours["version"]) == (None, "Inventory", 1)
    assert hours["intervals"] == intervals[::-1]
    assert await own_branch.starts(cut, day(3)) != usual
    closed = await _put(shop, path, day=str(day(3)), intervals=[], version=1)
    assert (closed["id"], closed["intervals"], closed["version"]) == (hours["id"], [], 2)
    assert await own_branch.starts(cut, day(3)) == []
    assert await _data(shop, path) == [closed]
    stale = await shop.request("PUT", path, json={"day": str(day(3)), "intervals": intervals, "version": 1})
    assert_error(stale, 409, "version_conflict")
    assert (await shop.request("DELETE", path, params={"day": str(day(3))})).status_code == 204
    assert await own_branch.starts(cut, day(3)) == usual
    assert [event["type"] for event in await events.new_events()] == [
        EventType.HOUR_EXCEPTION_CREATED,
        EventType.HOUR_EXCEPTION_UPDATED,
        EventType.HOUR_EXCEPTION_DELETED,
    ]
    assert_error(await shop.request("DELETE", path, params={"day": str(day(3))}), 404, "not_found")


async def test_a_day_of_a_staff_member_has_other_hours(own_branch: BranchFixture) -> None:
    cut = await own_branch.add_service()
    staff_id = await own_branch.add_provider(cut)
    await own_branch.set_hours(NINE_TO_FIVE)
    path = f"/staff/{staff_id}/hour-exceptions"
    hours = await _put(own_branch.shop, path, day=str(day(3)), intervals=[{"from": "22:00", "to": "02:00"}])
    assert (hours["staff_id"], hours["branch_id"]) == (str(staff_id), str(own_branch.branch_id))
    assert await _data(own_branch.shop, path) == [hours]


async def test_hours_of_a_day_that_overlap_are_refused(own_branch: BranchFixture) -> None:
    path = f"/branches/{own_branch.branch_id}/hour-exceptions"
    intervals = [{"from": "10:00", "to": "14:00"}, {"from": "13:00", "to": "15:00"}]
    answer = await own_branch.shop.request("PUT", path, json={"day": DAY, "intervals": intervals})
    assert list(assert_error(answer, 422, "validation_error")["errors"]) == ["intervals"]


async def test_a_branch_is_closed_for_some_days_and_opened_on_one(own_branch: BranchFixture) -> None:
    shop, path = own_branch.shop, f"/branches/{own_branch.branch_id}/closed-days"
    cut = await own_branch.add_service()
    await own_branch.add_provider(cut)
    await own_branch.set_hours(NINE_TO_FIVE)
    events = await record_events(shop)
    closed = await made(shop, path, {"from": str(day(3)), "to": str(day(4)), "note": "Eid"})
    days = [{"day": str(day(n)), "note": "Eid"} for n in (3, 4)]
    assert closed == {"branch_id": str(own_branch.branch_id), "days": days}
    assert await own_branch.starts(cut, day(3)) == []
    hours = {"day": str(day(3)), "intervals": []}
    refused = await shop.request("PUT", path.replace("closed-days", "hour-exceptions"), json=hours)
    assert list(assert_error(refused, 422, "validation_error")["errors"]) == ["day"]
    for _ in range(2):  # the second time it is open already
        assert (await shop.request("DELETE", path, params={"day": str(day(3))})).status_code == 204
    assert (await _data(shop, path))["days"] == days[1:]
    assert await own_branch.starts(cut, day(3))
    assert [event["type"] for event in await events.new_events()] == [EventType.CLOSED_DAYS_UPDATED] * 2


async def test_too_many_closed_days_are_refused(own_branch: BranchFixture) -> None:
    path = f"/branches/{own_branch.branch_id}/closed-days"
    answer = await own_branch.shop.post(path, {"from": "2098-01-01", "to": "2098-03-04"})
    assert list(assert_error(answer, 422, "validation_error")["errors"]) == ["to"]


async def test_time_off_is_requested_approved_and_deleted(own_branch: BranchFixture) -> None:
    shop, cut = own_branch.shop, await own_branch.add_service()
    staff_id = await own_branch.add_provider(cut)
    await own_branch.set_hours(NINE_TO_FIVE)
    usual = await own_branch.starts(cut, day(3))
    events = await record_events(shop)
    whole_day = {"start": f"{day(3)}T00:00:00", "end": f"{day(4)}T00:00:00"}
    asked = await made(shop, f"/staff/{staff_id}/time-off", {**whole_day, "status": "requested", "note": "Wedding"})
    assert (asked["status"], asked["staff_id"], "note" in asked) == ("requested", str(staff_id), False)
    assert await own_branch.starts(cut, day(3)) == usual
    assert await _data(shop, f"/time-off?status=requested&staff_id={staff_id}") == [asked]
    approved = await made_by(shop, f"/time-off/{asked['id']}/approve", version=1)
    assert approved == {**asked, "status": "approved", "version": 2, "updated_at": approved["updated_at"]}
    assert await own_branch.starts(cut, day(3)) == []
    assert await made_by(shop, f"/time-off/{asked['id']}/approve") == approved  # nothing changes
    assert_error(await shop.post(f"/time-off/{asked['id']}/decline", {"version": 1}), 409, "version_conflict")
    assert (await shop.request("DELETE", f"/time-off/{asked['id']}")).status_code == 204
    assert await own_branch.starts(cut, day(3)) == usual
    assert [event["type"] for event in await events.new_events()] == [
        EventType.TIME_OFF_CREATED,
        EventType.TIME_OFF_UPDATED,
        EventType.TIME_OFF_DELETED,
    ]


async def made_by(shop: Shop, path: str, **body: Any) -> Any:
    return json_exact(await shop.post(path, body))["data"]


async def test_time_off_is_listed_from_a_day_to_another(own_shop: Shop) -> None:
    time_off = await made_time_off(own_shop)  # from 4 to 5 March 2098
    assert await _data(own_shop, "/time-off?from=2098-03-05&to=2098-03-05") == [time_off]
    assert await _data(own_shop, "/time-off?from=2098-03-06") == []
    assert await _data(own_shop, "/time-off?from=2098-01-01&to=2098-03-03") == []
    assert await _data(own_shop, "/time-off?from=2098-03-05&status=approved") == []
    unknown = await own_shop.get("/time-off", params={"staff_id": str(uuid4())})
    assert list(assert_error(unknown, 422, "validation_error")["errors"]) == ["staff_id"]


async def test_the_calendar_of_a_program_elsewhere_is_no_time_off(own_shop: Shop) -> None:
    time_off = await made_time_off(own_shop)
    await change_rows(own_shop, "time_off", status="outside")
    assert await _data(own_shop, "/time-off?from=2098-03-05") == []
    assert_error(await own_shop.request("DELETE", f"/time-off/{time_off['id']}"), 404, "not_found")
