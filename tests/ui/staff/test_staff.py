"""Staff: details, services, hours, time off, and that nobody leaves a booking behind."""

import json
import re
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import pytest

from frontdesk.auth.types import Role
from frontdesk.values.ids import uuid7
from tests.factories.changes import change_row
from tests.factories.people import make_staff
from tests.factories.users import make_user, owner_of
from tests.support.branch import NINE_TO_FIVE, BranchFixture, day, grid, line, open_branch, start
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.pagination import json_exact
from tests.support.service import Service
from tests.support.shop import Shop

EVERY_DAY = range(7)


@pytest.fixture
async def branch(service: Service, other_shop: Shop) -> BranchFixture:
    return await open_branch(await service.new_shop())


@pytest.fixture
async def desk(branch: BranchFixture) -> AsyncIterator[DashboardClient]:
    async with await dashboard_of(branch.shop, await owner_of(branch.shop)) as signed_in:
        yield signed_in


async def version_on(desk: DashboardClient, path: str) -> str:
    found = re.search(r'name="version" value="(\d+)"', (await desk.get(path)).text)
    assert found, path
    return found[1]


async def save(desk: DashboardClient, path: str, **fields: Any) -> Any:
    """Submits the form of a page with the version that the page has."""
    return await desk.post(path, {"version": await version_on(desk, path), **fields})


def week(**times: str) -> dict[str, list[str]]:
    """The fields of weekly hours: the same times on every day."""
    opens, closes = times["times"].split("-")
    return {"day": [str(n) for n in EVERY_DAY], "opens": [opens] * 7, "closes": [closes] * 7}


async def add_person(branch: BranchFixture, desk: DashboardClient, **more: Any) -> UUID:
    form_id = uuid7()
    form = {"id": str(form_id), "name": "Sara Ali", "branch_id": str(branch.branch_id), **more}
    for _ in range(2):  # a double click adds one
        added = await desk.post("/staff/new", form)
        assert (added.status_code, added.headers["location"]) == (303, f"/staff/{form_id}/services")
    return form_id


async def test_a_second_person_of_the_same_name_is_saved_with_a_warning(
    branch: BranchFixture, desk: DashboardClient, neighbour: Shop
) -> None:
    warning = "Another person here has the same name."
    await make_staff(neighbour, "Sara Ali")
    first = await add_person(branch, desk)
    assert warning not in (await desk.get(f"/staff/{first}")).text  # another business has its own Sara
    second = await add_person(branch, desk, name="SARA ALI")
    for page in (f"/staff/{second}/services", f"/staff/{second}"):
        shown = (await desk.get(page)).text
        assert warning in shown
        assert f'href="/staff/{first}"' in shown
    async with await dashboard_of(branch.shop, await make_user(branch.shop, Role.RECEPTIONIST)) as reception:
        assert warning not in (await reception.get(f"/staff/{second}")).text  # only managers can change it
    assert (
        await save(desk, f"/staff/{second}/edit", name="Sara B.", branch_id=str(branch.branch_id))
    ).status_code == 303
    assert warning not in (await desk.get(f"/staff/{first}")).text


async def test_a_person_is_added_with_services_and_hours_and_can_be_booked(
    branch: BranchFixture, desk: DashboardClient
) -> None:
    service, other = await branch.add_service(price="80", duration=30), await branch.add_service(price="50")
    staff_id = await add_person(branch, desk, phone="050 123 4567", email="sara@people.example")
    assert (await desk.post("/staff/new", {"id": str(uuid7()), "name": "", "phone": "12"})).status_code == 422
    services = {"item": [str(service), str(other)], "price": ["1,000.50", ""], "duration": ["٤٥", ""]}
    for price in ("-5", "1.005", "9" * 20):
        refused = await save(
            desk, f"/staff/{staff_id}/services", performs=[str(service)], **services | {"price": [price, ""]}
        )
        assert (refused.status_code, "Enter an amount such as 12.50." in refused.text) == (422, True), price
    lost = await save(desk, f"/staff/{staff_id}/services", performs=[str(other)], **services)
    assert (lost.status_code, "Tick this service too" in lost.text) == (422, True)
    saved = await save(desk, f"/staff/{staff_id}/services", performs=[str(service)], **services)
    assert saved.status_code == 303, saved.text
    assert 'name="price" value="1000.50"' in (await desk.get(f"/staff/{staff_id}/services")).text
    member = json_exact(await branch.shop.get(f"/staff/{staff_id}"))["data"]
    assert (member["phone"], member["email"]) == ("+966501234567", "sara@people.example")
    assert [(s["id"], float(s["price"]), s["duration"]) for s in member["services"]] == [(str(service), 1000.5, 45)]
    assert await branch.starts(service, day(3), staff_id=staff_id) == grid("09:00", "16:15")  # the branch's hours

    fields = re.findall(r'<input[^>]*name="(?:opens|closes)"[^>]*>', (await desk.get(f"/staff/{staff_id}/hours")).text)
    assert fields
    assert all('maxlength="10"' in field for field in fields)  # 10:30 pm fits
    late = await save(desk, f"/staff/{staff_id}/hours", source="own", **week(times="20:00-1:00"))
    assert late.status_code == 303
    page = (await desk.get(f"/staff/{staff_id}")).text
    assert "20:00–01:00" in page
    assert "35 hours a week" in page
    slots = await branch.slots(service, day(3), staff_id=staff_id, visible_days=1)
    assert slots[str(day(3))] == [*grid("00:00", "00:15"), *grid("20:00", "23:45")]
    lost = await save(desk, f"/staff/{staff_id}/hours", source="branch", **week(times="10:00-12:00"))
    assert (lost.status_code, "Choose “Own hours” to save them." in lost.text) == (422, True)
    odd = {"source": "own", "day": "²", "opens": "10:00", "closes": "12:00"}  # a digit, and no number
    assert (await save(desk, f"/staff/{staff_id}/hours", **odd)).status_code == 422
    assert (await save(desk, f"/staff/{staff_id}/hours", source="branch")).status_code == 303
    assert await branch.starts(service, day(3), staff_id=staff_id) == grid("09:00", "16:15")
    rows = await branch.shop.sql(
        "SELECT action, subject FROM activity WHERE tenant_id = $1 AND subject_id = $2 ORDER BY created_at", staff_id
    )
    assert [row["action"] for row in rows] == [
        "staff_member.created",
        "staff_member.services_changed",
        "hours.updated",
        "hours.updated",
    ]


async def test_a_title_is_entered_in_both_languages_and_can_be_left_out_in_one(
    branch: BranchFixture, desk: DashboardClient
) -> None:
    titles = {"title_en": " Senior stylist ", "title_ar": "خبيرة شعر"}
    staff_id = await add_person(branch, desk, **titles)
    form = await desk.get(f"/staff/{staff_id}/edit")
    assert re.search(r'name="title_en"[^>]*\svalue="Senior stylist"', form.text)
    for path in ("/staff", f"/staff/{staff_id}"):
        assert "<bdi>Senior stylist</bdi>" in (await desk.get(path)).text, path
    details = {"name": "Sara Ali", "branch_id": str(branch.branch_id), "title_ar": "خبيرة شعر"}
    assert (await save(desk, f"/staff/{staff_id}/edit", **details)).status_code == 303
    (row,) = await branch.shop.sql("SELECT title::text FROM staff WHERE tenant_id = $1 AND id = $2", staff_id)
    assert json.loads(row["title"]) == {"ar": "خبيرة شعر"}


async def test_overlapping_hours_and_outdated_forms_of_staff_are_refused(
    branch: BranchFixture, desk: DashboardClient
) -> None:
    staff_id = await add_person(branch, desk)
    path = f"/staff/{staff_id}/hours"
    fields = {"source": "own", "day": ["4", "4", "5"], "opens": ["16:00", "14:00", "9"], "closes": ["01:30", "17", "x"]}
    refused = await save(desk, path, **fields)
    assert refused.status_code == 422
    assert "Enter a time such as 09:30." in refused.text
    assert refused.text.count('aria-invalid="true"') == 6  # both times of the two that overlap, and of the wrong one
    refused = await save(desk, path, **{**fields, "closes": ["01:30", "17", "12"]})
    assert "16:00 to 01:30 overlaps 14:00 to 17:00" in refused.text
    assert 'value="14:00"' in refused.text

    stale = await version_on(desk, f"/staff/{staff_id}/edit")
    assert (
        await save(desk, f"/staff/{staff_id}/edit", name="Sara", branch_id=str(branch.branch_id))
    ).status_code == 303
    form = {"version": stale, "name": "Old tab", "branch_id": str(branch.branch_id)}
    outdated = await desk.post(f"/staff/{staff_id}/edit", form)
    assert outdated.status_code == 422
    assert 'value="Old tab"' in outdated.text
    assert "changed this" in outdated.text
    assert f'name="version" value="{int(stale) + 1}"' in outdated.text


async def test_the_bars_are_drawn_of_times_that_are_not_saved_yet(branch: BranchFixture, desk: DashboardClient) -> None:
    staff_id = await add_person(branch, desk)
    path = f"/staff/{staff_id}/hours"
    typed = {"act": "draw", "source": "own", "day": ["4", "5"], "opens": ["4 pm", "9"], "closes": ["١:٣٠", ""]}
    drawn = await save(desk, path, **typed)
    assert drawn.status_code == 200
    assert '<span class="hours-bar from-16 to-25-30"><time class="ltr">16:00–01:30</time></span>' in drawn.text
    assert ">ends Friday<" in drawn.text
    assert "9.5 hours a week." in drawn.text
    assert "Enter both times of an interval." in drawn.text
    hours_path = f"/settings/hours/{branch.branch_id}"
    drawn = await save(desk, hours_path, act="draw", day=["0"], opens=["13"], closes=["0"])
    assert (drawn.status_code, "13:00–00:00" in drawn.text, ">ends Monday<" in drawn.text) == (200, True, False)
    two = await save(desk, hours_path, act="draw", day=["0", "0"], opens=["10", "16"], closes=["13", "22"])
    # Each interval is from left to right, and the next one where the language goes on.
    assert '<time class="ltr">10:00–13:00</time>, <time class="ltr">16:00–22:00</time>' in two.text
    card = (await desk.get(f"/staff/{staff_id}")).text
    assert "16:00–01:30" not in card
    assert "13:00–00:00" not in card
    assert f'href="{path}#d4"' in card  # Edit, in each row

    assert (await save(desk, path, source="own", **week(times="9-17"))).status_code == 303
    assert "hours instead</button>" in (await desk.get(f"/staff/{staff_id}")).text
    assert (await save(desk, path, source="branch")).status_code == 303
    assert "hours instead</button>" not in (await desk.get(f"/staff/{staff_id}")).text


async def test_shorter_hours_closed_days_and_time_off_show_affected_bookings(
    branch: BranchFixture, desk: DashboardClient
) -> None:
    service = await branch.add_service(duration=60)
    staff_id = await branch.add_provider(service)
    order = await branch.place(line(service, staff_id=staff_id), start=start(day(3), "16:00"))
    number = str(order["order_number"])
    changes: list[tuple[str, dict[str, Any]]] = [
        (f"/staff/{staff_id}/hours", {"version": "0", "source": "own", **week(times="09:00-16:30")}),
        (f"/settings/hours/{branch.branch_id}", {"version": "1", **week(times="09:00-12:00")}),
        (f"/staff/{staff_id}/exceptions/new", {"day": str(day(3)), "closed": "yes"}),
        (f"/settings/hours/{branch.branch_id}/exceptions/new", {"day": str(day(3)), "closed": "yes", "note": "Eid"}),
        (f"/staff/{staff_id}/time-off/new", {"id": str(uuid7()), "first_day": str(day(2)), "last_day": str(day(4))}),
    ]
    marks = []
    for path, form in changes:
        asked = await desk.post(path, form)
        assert asked.status_code == 200, path
        assert number in asked.text
        assert "Save anyway" in asked.text
        assert 'class="crumb"' in asked.text
        marks += re.findall(r'name="confirmed" value="(\w+)"', asked.text)
    assert await branch.starts(service, day(3)) == grid("09:00", "15:00")  # nothing was saved
    other = await desk.post(changes[0][0], {**changes[0][1], "confirmed": "of-other-bookings"})
    assert "Bookings have changed since you saw this list." in other.text
    for (path, form), mark in zip(changes, marks, strict=True):
        saved = await desk.post(path, {**form, "confirmed": mark})
        assert saved.status_code == 303, (path, saved.text)
    assert await branch.starts(service, day(3)) == []
    assert (await branch.read(order["id"]))["status"] == "confirmed"
    card = (await desk.get(f"/staff/{staff_id}")).text
    assert "1 booking to move" in card
    link = re.search(rf"/staff/{staff_id}/bookings[?]time_off=[0-9a-f-]+", card)
    assert link
    assert f">Order {number}<" in (await desk.get(link[0])).text
    longer = await desk.post(f"/staff/{staff_id}/hours", {"version": "1", "source": "own", **week(times="8-20")})
    assert longer.status_code == 303  # strands nothing, so nothing is asked


async def test_a_closed_day_affects_bookings_of_its_night(branch: BranchFixture, desk: DashboardClient) -> None:
    service = await branch.add_service(duration=30)
    staff_id = await branch.add_provider(service)
    await branch.set_hours({n: [("22:00", "02:00")] for n in EVERY_DAY})
    night = await branch.place(line(service, staff_id=staff_id), start=start(day(4), "00:30"))
    form = {"day": str(day(3)), "closed": "yes"}
    for path in (f"/staff/{staff_id}", f"/settings/hours/{branch.branch_id}"):
        asked = await desk.post(f"{path}/exceptions/new", form)
        assert (asked.status_code, str(night["order_number"]) in asked.text) == (200, True), path
        assert "Save anyway" in asked.text
    await branch.close(day(3))
    calendar = (await desk.get(f"/calendar?date={day(3)}&branch={branch.branch_id}")).text
    assert "Branch closed" in calendar
    assert "Ends 02:00" not in calendar


async def test_a_provider_requests_time_off_and_a_manager_decides(branch: BranchFixture, desk: DashboardClient) -> None:
    service = await branch.add_service(duration=60)
    staff_id, colleague = await branch.add_provider(service), await branch.add_provider(service)
    user_id = await make_user(branch.shop, Role.PROVIDER)
    linked = await save(
        desk, f"/staff/{staff_id}/edit", name="Noura", branch_id=str(branch.branch_id), user_id=str(user_id)
    )
    assert linked.status_code == 303
    (recorded,) = await branch.shop.sql(
        "SELECT after FROM activity WHERE tenant_id = $1 AND action LIKE 'staff_member.%'"
    )
    assert '"signs_in_as"' in recorded["after"]
    async with await dashboard_of(branch.shop, user_id) as provider:
        assert (await provider.get("/staff")).headers["location"] == f"/staff/{staff_id}"
        assert (await provider.get(f"/staff/{colleague}")).status_code == 404
        assert (await provider.get(f"/staff/{colleague}/time-off/new")).status_code == 404
        form = {"id": str(uuid7()), "first_day": str(day(3)), "start": "12:00", "end": "14:00"}
        assert (await provider.post(f"/staff/{staff_id}/time-off/new", form)).status_code == 303
        page = (await provider.get(f"/staff/{staff_id}")).text
        assert "Requested" in page
        assert "Approve" not in page
        assert await branch.starts(service, day(3), staff_id=staff_id) == grid("09:00", "16:00")
        path = f"/staff/{staff_id}/time-off/{form['id']}"
        assert (await provider.post(path, {"version": "1", "decision": "approved"})).status_code == 403
        assert "1 request for time off waits for an answer" in (await desk.get("/")).text
        assert "Approve" in (await desk.get(f"/staff/{staff_id}")).text
        assert (await desk.post(path, {"version": "1", "decision": "approved"})).status_code == 303
        assert (await provider.post(f"{path}/delete", {"version": "2"})).status_code == 403
        assert "waits for an answer" not in (await desk.get("/")).text
    assert await branch.starts(service, day(3), staff_id=staff_id) == [*grid("09:00", "11:00"), *grid("14:00", "16:00")]
    assert (await desk.post(path, {"version": "2", "decision": "declined"})).status_code == 303
    assert await branch.starts(service, day(3), staff_id=staff_id) == grid("09:00", "16:00")


async def test_a_provider_leaves_when_each_booking_is_given_away_moved_or_canceled(
    branch: BranchFixture, desk: DashboardClient
) -> None:
    service = await branch.add_service(duration=60, buffers=(0, 15))
    leaving, taking = await branch.add_provider(service), await branch.add_provider(service)
    hours = ("10:00", "12:00", "14:00")
    orders = [await branch.place(line(service, staff_id=leaving), start=start(day(3), at)) for at in hours]
    await branch.place(line(service, staff_id=taking), start=start(day(3), "12:15"))
    bookings = [(await branch.read(order["id"]))["bookings"][0] for order in orders]
    path = f"/staff/{leaving}/leave"
    page = (await desk.get(path)).text
    assert "3 coming bookings" in page
    assert page.count(f'<option value="{taking}"') == 2  # the second is taken by another order
    refused = await desk.post(path)
    assert refused.status_code == 422
    assert "Move or cancel the coming bookings first." in refused.text
    given = await desk.post(f"{path}/{bookings[0]['id']}/assign", {"staff_id": str(taking)})
    assert given.status_code == 303, given.text
    (recorded,) = await branch.shop.sql(
        "SELECT after FROM activity WHERE tenant_id = $1 AND action = 'order.rescheduled'"
    )
    assert str(taking) in recorded["after"]
    taken = await desk.post(f"{path}/{bookings[1]['id']}/assign", {"staff_id": str(taking)})
    assert taken.status_code == 422
    assert "no longer free" in taken.text
    times = (await desk.get(f"{path}/{bookings[1]['id']}/move?day={day(4)}")).text
    assert f'value="{day(4)}T09:15 {taking}"' in times
    moved = await desk.post(f"{path}/{bookings[1]['id']}/move", {"choice": f"{day(4)}T09:15 {taking}"})
    assert moved.status_code == 303, moved.text
    assert (await desk.post(f"{path}/{bookings[2]['id']}/cancel", {"sure": "yes"})).status_code == 303
    assert [(await branch.read(order["id"]))["status"] for order in orders] == ["confirmed", "confirmed", "canceled"]
    assert [(await branch.read(o["id"]))["bookings"][0]["staff_id"] for o in orders[:2]] == [str(taking)] * 2
    assert (await desk.post(path)).status_code == 303
    assert (await branch.shop.get(f"/staff/{leaving}")).status_code == 200
    assert str(leaving) not in (await desk.get("/staff")).text
    assert str(leaving) in (await desk.get("/staff?show=left")).text
    assert (await desk.post(f"/staff/{leaving}/return")).status_code == 303
    assert str(leaving) in (await desk.get("/staff")).text


async def test_the_order_in_the_list_is_the_business_s_choice(branch: BranchFixture, desk: DashboardClient) -> None:
    await branch.set_hours(NINE_TO_FIVE)
    last = await add_person(branch, desk, name="Zahra")
    for _ in range(10):
        assert (await desk.post(f"/staff/{last}/place", {"direction": "up"})).status_code == 303
    listed = re.findall(r'class="rowlink" href="/staff/([0-9a-f-]{36})"', (await desk.get("/staff")).text)
    assert listed[0] == str(last)
    assert (await save(desk, f"/staff/{last}/hours", source="own", **week(times="9-24"))).status_code == 303
    assert "Today, 9 to 24" in (await desk.get("/staff")).text


@pytest.mark.parametrize("role", [Role.RECEPTIONIST, Role.CASHIER])
async def test_reception_sees_staff_and_hours_and_changes_nothing(branch: BranchFixture, role: Role) -> None:
    service = await branch.add_service(duration=60)
    staff_id = await branch.add_provider(service)
    order = await branch.place(line(service, staff_id=staff_id), start=start(day(3), "16:00"))
    allowed = 200 if role is Role.RECEPTIONIST else 403
    async with await dashboard_of(branch.shop, await make_user(branch.shop, role)) as person:
        for path in ("/staff", f"/staff/{staff_id}", "/settings/hours"):
            page = await person.get(path)
            assert page.status_code == allowed, path
            assert "Change the hours" not in page.text
        for path in ("/staff/new", f"/staff/{staff_id}/edit", f"/staff/{staff_id}/leave", "/settings/branches"):
            assert (await person.get(path)).status_code == 403, path
        shown = "Show in the calendar" in (await person.get(f"/orders/{order['id']}")).text
        assert shown == ((await person.get("/calendar")).status_code == 200)  # no link to a closed page
        settings = (await person.get("/settings")).text
        assert ('href="/settings/hours"' in settings) == (allowed == 200)
        assert 'href="/settings/branches"' not in settings


async def test_the_staff_page_has_the_calendar_feed_and_closed_days(
    branch: BranchFixture, desk: DashboardClient
) -> None:
    path = f"/staff/{await branch.add_provider()}"
    await branch.set_hours({0: NINE_TO_FIVE[0]})
    shown = (await desk.get(path)).text
    side = shown[shown.index("Performs ") :]
    assert side.index("Bookings in a calendar program") < side.index("Other calendar") < side.index("<h2>Details</h2>")
    assert "Branch closed" in shown
    assert "Day off" not in shown


async def test_the_price_of_a_service_is_its_offer_only_on_the_days_of_the_offer(
    branch: BranchFixture, desk: DashboardClient
) -> None:
    service = await branch.add_service(price="690")
    staff_id = await branch.add_provider(service)
    for begins, shown, hidden in ((1, "690.00", "590.00"), (0, "590.00", "690.00")):
        await change_row(branch.shop, "items", service, offer_price=590, offer_from=day(begins))
        for page in (f"/staff/{staff_id}", f"/staff/{staff_id}/services"):
            text = (await desk.get(page)).text
            assert (shown in text, hidden in text) == (True, False), (page, begins)
