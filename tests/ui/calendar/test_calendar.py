"""The calendar of a day: what is drawn, where, and for whom."""

import json
import re
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest

from frontdesk.auth.types import Role
from frontdesk.values.ids import uuid7
from tests.factories.changes import change_row, change_tenant
from tests.factories.full_day import fill_day
from tests.factories.orders import move_booking
from tests.factories.states import insert_old_bookings, turn_into_draft
from tests.factories.users import link_to_staff, make_user
from tests.support.branch import EVERY_DAY, RIYADH, BranchFixture, day, line, local, open_branch, start
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.shop import Shop

_COLUMN = re.compile(
    r'<div class="calendar-column" data-staff="([^"]+)".*?(?=<div class="calendar-column"|</section>)', re.DOTALL
)
_BLOCK = re.compile(r'(?s)<a class="booking ([^"]+)" href="[^"]*order=([^"]+)"[^>]*data-start="([^"]+)"[^>]*>(.*?)</a>')
_SHUT = re.compile(r'<div class="slot closed-time ([^"]+)">([^<]*)</div>')


class Block(NamedTuple):
    classes: str
    order: str
    start: str
    inside: str


class Column(NamedTuple):
    shut: list[tuple[str, str]]
    blocks: list[Block]


async def columns(desk: DashboardClient, path: str) -> dict[str, Column]:
    answer = await desk.get(path)
    assert answer.status_code == 200, answer.text
    return {
        found[1]: Column(_SHUT.findall(found[0]), [Block(*block) for block in _BLOCK.findall(found[0])])
        for found in _COLUMN.finditer(answer.text)
    }


def path_of(branch: BranchFixture, on: date, more: str = "") -> str:
    return f"/calendar?date={on}&branch={branch.branch_id}{more}"


async def test_a_day_is_drawn_to_scale(own_shop: Shop, owner: DashboardClient) -> None:
    shop, on = await open_branch(own_shop), day(3)
    cut, colour = await shop.add_service(duration=30), await shop.add_service(duration=60)
    first, second, third = [await shop.add_provider(cut, colour) for _ in range(3)]
    await shop.set_hours({n: [("10:00", "13:00"), ("14:00", "18:30")] for n in EVERY_DAY}, staff_id=first)
    await shop.take_off(second, local(on, "11:00"), local(on, "12:00"))
    await shop.take_off(third, local(on, "00:00"), local(on + timedelta(days=1), "00:00"))
    placed = await shop.place(line(cut, staff_id=first), line(colour, staff_id=first), start=start(on, "10:15"))
    drawn = await columns(owner, path_of(shop, on))
    assert drawn[str(first)].shut == [
        ("from-8 to-10", "Starts 10:00"),
        ("from-13 to-14", "Break"),
        ("from-18-30 to-19", "Ends 18:30"),
    ]
    assert drawn[str(second)].shut == [
        ("from-8 to-9", "Starts 09:00"),
        ("from-11 to-12", "Time off"),
        ("from-17 to-19", "Ends 17:00"),
    ]
    assert drawn[str(third)].shut == [("from-8 to-19", "Time off")]
    (block,) = drawn[str(first)].blocks
    assert block.order == placed["id"]
    assert block.classes == "status-confirmed from-10-15 to-11-45"
    assert block.start == f"{local(on, '10:15').astimezone(ZoneInfo('UTC')):%Y-%m-%dT%H:%MZ}"
    assert "10:15–11:45" in block.inside
    assert "Unpaid" in block.inside
    await shop.close(on)
    assert (await columns(owner, path_of(shop, on)))[str(second)].shut == [("from-9 to-16", "Branch closed")]


async def test_a_day_on_which_the_clocks_change_has_its_own_length(own_shop: Shop, owner: DashboardClient) -> None:
    """Every minute that passes has its own place: an hour that occurs twice is drawn twice, and none is left blank."""
    shop = await open_branch(own_shop)
    cut = await shop.add_service(duration=30)
    provider = await shop.add_provider(cut)
    await shop.set_hours({n: [("00:00", "06:00")] for n in EVERY_DAY})
    await change_tenant(own_shop, timezone="Europe/Berlin")
    longer, shorter = date(2026, 10, 25), date(2026, 3, 29)
    times = [datetime(2026, 10, 25, hour, tzinfo=ZoneInfo("UTC")) for hour in (0, 1, 2)]
    await insert_old_bookings(own_shop, shop.branch_id, cut, provider, [(t, t + timedelta(minutes=30)) for t in times])
    page = (await owner.get(path_of(shop, longer))).text
    assert re.findall(r'<time class="slot (from[^"]+)">(..:..)', page)[:4] == [
        ("from-1", "01:00"),
        ("from-2", "02:00"),
        ("from-3", "02:00"),
        ("from-4", "03:00"),
    ]
    drawn = (await columns(owner, path_of(shop, longer)))[str(provider)]
    assert [block.classes for block in drawn.blocks] == [f"status-confirmed from-{h} to-{h}-30" for h in (2, 3, 4)]
    assert drawn.shut == []  # 00:00 to 06:00 lasts seven hours
    page = (await owner.get(path_of(shop, shorter))).text
    assert re.findall(r'<time class="slot (from[^"]+)">(..:..)', page)[:3] == [
        ("from-1", "01:00"),
        ("from-2", "03:00"),
        ("from-3", "04:00"),
    ]


async def test_the_night_belongs_to_the_day_on_which_it_began(own_shop: Shop, owner: DashboardClient) -> None:
    shop, on = await open_branch(own_shop), day(4)
    cut = await shop.add_service(duration=60)
    provider = await shop.add_provider(cut)
    await shop.set_hours({n: [("16:00", "02:00")] for n in EVERY_DAY})
    late = await shop.place(line(cut, staff_id=provider), start=start(on + timedelta(days=1), "00:30"))
    drawn = (await columns(owner, path_of(shop, on)))[str(provider)]
    assert [(block.order, block.classes) for block in drawn.blocks] == [
        (late["id"], "status-confirmed from-24-30 to-25-30")
    ]
    assert drawn.shut == [("from-15 to-16", "Starts 16:00")]
    after = on + timedelta(days=1)
    assert (await columns(owner, path_of(shop, after)))[str(provider)].blocks == []
    booked = await owner.get(path_of(shop, after, f"&order={late['id']}"))  # where its form leads to
    assert booked.headers["location"] == f"/calendar?date={on}&branch={shop.branch_id}&order={late['id']}"


async def test_a_canceled_booking_stays_beside_the_one_that_took_its_time(
    own_shop: Shop, owner: DashboardClient
) -> None:
    shop, on = await open_branch(own_shop), day(5)
    cut = await shop.add_service(duration=60)
    provider = await shop.add_provider(cut)
    canceled = await shop.place(line(cut, staff_id=provider), start=start(on, "10:00"))
    await shop.move(canceled["id"], "canceled")
    drawn = (await columns(owner, path_of(shop, on)))[str(provider)]
    assert [block.classes for block in drawn.blocks] == ["status-canceled from-10 to-11"]
    await shop.place(line(cut, staff_id=provider), start=start(on, "10:30"))
    draft = await shop.place(line(cut, staff_id=provider), start=start(on, "12:00"))
    await turn_into_draft(shop, draft["id"])
    drawn = (await columns(owner, path_of(shop, on)))[str(provider)]
    assert [block.classes for block in drawn.blocks] == [
        "status-canceled from-10 to-11 half",
        "status-confirmed from-10-30 to-11-30 above",
        "status-draft from-12 to-13",
    ]


async def test_blocks_of_some_orders_are_read_alone(own_shop: Shop, owner: DashboardClient) -> None:
    shop, on = await open_branch(own_shop), day(3)
    cut = await shop.add_service(duration=30)
    provider = await shop.add_provider(cut)
    asked, other = [await shop.place(line(cut, staff_id=provider), start=start(on, at)) for at in ("10:00", "11:00")]
    blocks = f"/calendar/blocks?branch={shop.branch_id}&date="
    answer = await owner.get(f"{blocks}{on}&orders={asked['id']},{UUID(int=0)}")
    (block,) = _BLOCK.findall(answer.text)
    assert (block[0], block[1]) == ("status-confirmed from-10 to-10-30", asked["id"])
    assert f'data-staff="{provider}"' in answer.text
    assert "<nav" not in answer.text
    assert asked["id"] not in (await owner.get(f"{blocks}{on + timedelta(days=1)}&orders={asked['id']}")).text
    assert other["id"] not in answer.text
    too_many = ",".join(str(UUID(int=n)) for n in range(101))
    assert (await owner.get(f"{blocks}{on}&orders={too_many}")).status_code == 422
    assert (await owner.get(f"{blocks}{on}&orders=nonsense")).status_code == 422


async def test_a_provider_sees_their_own_diary_only(own_shop: Shop) -> None:
    shop, on = await open_branch(own_shop), day(3)
    cut = await shop.add_service(duration=30)
    own, other = await shop.add_provider(cut), await shop.add_provider(cut)
    for staff_id in (own, other):
        await shop.place(line(cut, staff_id=staff_id), start=start(on, "10:00"))
    user_id = await make_user(own_shop, Role.PROVIDER)
    await link_to_staff(own_shop, user_id, own)
    async with await dashboard_of(own_shop, user_id) as desk:
        for more in ("", f"&staff={other}"):
            drawn = await columns(desk, path_of(shop, on, more))
            assert list(drawn) == [str(own)]
            assert "Unpaid" not in drawn[str(own)].blocks[0].inside
        page = (await desk.get(path_of(shop, on))).text
        assert ("Next free times" in page, "/calendar/new" in page) == (True, False), "they may not open it"


async def test_the_selected_booking_goes_from_check_in_to_done(own_shop: Shop, owner: DashboardClient) -> None:
    shop, on = await open_branch(own_shop), day(3)
    cut = await shop.add_service(duration=30)
    provider = await shop.add_provider(cut)
    placed = await shop.place(line(cut, staff_id=provider), start=start(on, "10:00"))
    await owner.post(
        f"/customers/{shop.customer_id}/notes", {"id": str(uuid7()), "text": "Allergic to ammonia", "is_warning": "yes"}
    )
    back = path_of(shop, on, f"&order={placed['id']}")
    page = (await owner.get(back)).text
    assert "Allergic to ammonia" in page
    assert f'href="/orders/{placed["id"]}/move"' in page
    assert f'href="/till?order={placed["id"]}"' in page
    assert 'value="arrived"' not in page
    early = await owner.post(f"/calendar/bookings/{placed['id']}", {"act": "arrived", "back": back})
    assert (early.status_code, "Only an appointment of today can be checked in." in early.text) == (422, True)
    await change_row(own_shop, "orders", UUID(placed["id"]), starts_at=datetime.now(UTC))
    assert 'value="arrived"' in (await owner.get(back)).text
    for act, text in (("arrived", "Arrived"), ("in-progress", "In progress"), ("completed", "Completed")):
        answer = await owner.post(f"/calendar/bookings/{placed['id']}", {"act": act, "back": back})
        assert (answer.status_code, answer.headers["location"]) == (303, back)
        (block,) = (await columns(owner, back))[str(provider)].blocks
        assert text in block.inside
    outdated = await owner.post(f"/calendar/bookings/{placed['id']}", {"act": "confirmed", "version": "1"})
    assert (outdated.status_code, "changed this" in outdated.text) == (422, True)
    refused = await owner.post(f"/calendar/bookings/{placed['id']}", {"act": "not-arrived"})
    assert (refused.status_code, "not a confirmed appointment" in refused.text) == (422, True)
    activity = (await owner.get("/activity")).text
    assert "checked in the customer of order" in activity


async def test_starting_a_booking_before_its_time_is_confirmed(own_shop: Shop, owner: DashboardClient) -> None:
    shop, on = await open_branch(own_shop), day(3)
    cut = await shop.add_service(duration=30)
    await shop.add_provider(cut)
    placed = await shop.place(line(cut), start=start(on, "10:00"))
    question = "This appointment begins later:"
    assert question in (await owner.get(path_of(shop, on, f"&order={placed['id']}"))).text, "for the script"
    for path, field in ((f"/calendar/bookings/{placed['id']}", "act"), (f"/orders/{placed['id']}/status", "status")):
        for status in ("in-progress", "completed"):
            asked = await owner.post(path, {field: status})
            assert (asked.status_code, question in asked.text, 'name="sure"' in asked.text) == (200, True, True)
    assert (await shop.read(placed["id"]))["status"] == "confirmed"
    chosen = {"act": "complete", "order": placed["id"]}
    assert "The appointment has not begun yet." in (await owner.post("/orders/bulk", chosen)).text
    path = f"/calendar/bookings/{placed['id']}"
    assert (await owner.post(path, {"act": "in-progress", "sure": "yes"})).status_code == 303
    assert (await owner.post(path, {"act": "in-progress"})).status_code == 303, "as it is"
    assert (await owner.post(f"/orders/{placed['id']}/status", {"status": "confirmed"})).status_code == 303
    assert (await shop.move(placed["id"], "completed"))["status"] == "completed", "an application may set any status"


async def test_a_no_show_is_remembered(own_shop: Shop, owner: DashboardClient) -> None:
    shop, on = await open_branch(own_shop), day(3)
    cut = await shop.add_service(duration=30)
    provider = await shop.add_provider(cut)
    placed = await shop.place(line(cut, staff_id=provider), start=start(on, "10:00"))
    sent = {"no_show": "yes", "note": "Phone off"}
    early = await owner.post(f"/orders/{placed['id']}/cancel", sent)
    assert (early.status_code, "The appointment has not begun yet." in early.text) == (422, True)
    assert "The customer did not come" not in (await owner.get(f"/orders/{placed['id']}/cancel")).text
    began = datetime.now(RIYADH).replace(second=0, microsecond=0) - timedelta(minutes=30)
    await change_row(own_shop, "orders", placed["id"], starts_at=began)
    await move_booking(own_shop, placed["id"], began)
    assert "The customer did not come" in (await owner.get(f"/orders/{placed['id']}/cancel")).text
    back = path_of(shop, began.date(), f"&order={placed['id']}")
    answer = await owner.post(f"/orders/{placed['id']}/cancel", {**sent, "back": back})
    assert (answer.status_code, answer.headers["location"]) == (303, back)
    page = (await owner.get(back)).text
    assert "Did not come 1 time" in page
    assert "Phone off" in page
    (block,) = (await columns(owner, back))[str(provider)].blocks
    assert ("status-canceled" in block.classes, "No-show" in block.inside) == (True, True)
    await owner.post(f"/calendar/bookings/{placed['id']}", {"act": "confirmed"})
    assert "Did not come" not in (await owner.get(back)).text


async def test_what_is_to_be_refunded_is_said_where_it_was_canceled(own_shop: Shop, owner: DashboardClient) -> None:
    shop, on = await open_branch(own_shop), day(3)
    cut = await shop.add_service(duration=30, price="80")
    provider = await shop.add_provider(cut)
    payment = {"amount": 80, "payment_method_type": "cash"}
    placed = await shop.place(line(cut, staff_id=provider), start=start(on, "10:00"), payment=payment)
    back = path_of(shop, on, f"&order={placed['id']}")
    assert "Still to refund" not in (await owner.get(back)).text
    await owner.post(f"/orders/{placed['id']}/cancel", {"back": back})
    page = (await owner.get(back)).text
    assert "Still to refund" in page
    assert f'href="/orders/{placed["id"]}/refund">' in page
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.RECEPTIONIST)) as desk:
        page = (await desk.get(back)).text
        assert ("An owner or a manager refunds" in page, "/refund" in page) == (True, False)


async def test_the_start_page_of_a_role_is_the_calendar_or_the_till(own_shop: Shop) -> None:
    for role, path in ((Role.RECEPTIONIST, "/calendar"), (Role.PROVIDER, "/calendar"), (Role.CASHIER, "/till")):
        async with await dashboard_of(own_shop, await make_user(own_shop, role)) as desk:
            assert (await desk.get("/start")).headers["location"] == path


async def test_a_week_and_a_month_count_what_the_days_show(own_shop: Shop, owner: DashboardClient) -> None:
    shop = await open_branch(own_shop)
    on = day(10)
    cut = await shop.add_service(duration=60)
    provider, other = await shop.add_provider(cut), await shop.add_provider(cut)
    await shop.set_hours({n: [("16:00", "02:00")] for n in EVERY_DAY}, staff_id=provider)
    late = await shop.place(line(cut, staff_id=provider), start=start(on + timedelta(days=1), "00:30"))
    await shop.place(line(cut, staff_id=other), start=start(on, "10:00"))
    await shop.close(on + timedelta(days=2))
    own = (await owner.get(path_of(shop, on, f"&view=week&staff={provider}"))).text
    drawn = own.split('<div class="calendar-column" data-staff')[1:]
    (shown,) = [column for column in drawn if late["id"] in column]
    assert f'data-date="{on}"' in shown
    assert "from-24-30 to-25-30" in own
    assert len(drawn) == 7
    branch = (await owner.get(path_of(shop, on, "&view=week"))).text
    assert branch.count('class="hours-bar status-confirmed') == 2
    assert "2 bookings" in branch  # of both on that day
    month = (await owner.get(path_of(shop, on, "&view=month"))).text
    cell = re.search(rf'class="month-day[^"]*" href="/calendar\?date={on}&amp;branch=[^"]+".*?</a>', month, re.DOTALL)
    assert cell
    assert "2 bookings" in cell[0]
    assert "11%" in cell[0]  # two of the 18 hours
    after = re.search(
        rf'class="month-day[^"]*" href="/calendar\?date={on + timedelta(days=1)}&amp;.*?</a>', month, re.DOTALL
    )
    assert after
    assert "0 bookings" in after[0]
    assert "Branch closed" in month


async def test_a_busy_day_is_one_small_page(
    own_shop: Shop, owner: DashboardClient, capsys: pytest.CaptureFixture[str]
) -> None:
    """Twenty providers and three hundred bookings."""
    shop, on = await open_branch(own_shop), day(3)
    cut = await shop.add_service(duration=45)
    providers = [await shop.add_provider(cut) for _ in range(20)]
    await shop.set_hours({n: [("09:00", "21:00")] for n in EVERY_DAY})
    await fill_day(own_shop, shop.branch_id, cut, providers, local(on, "09:00"))
    drawn = await columns(owner, path_of(shop, on))
    selected = drawn[str(providers[0])].blocks[0].order
    assert sum(len(column.blocks) for column in drawn.values()) == 300
    capsys.readouterr()
    page = await owner.get(path_of(shop, on, f"&order={selected}"))
    (entry,) = [json.loads(line) for line in capsys.readouterr().out.splitlines() if line.startswith("{")]
    assert entry["statements"] <= 5
    assert entry["tenant"] == str(own_shop.tenant_id)
    assert len(page.content) < 125_000
    assert "Jawaher Al-Mutairi" in page.text


async def test_the_branch_is_chosen_in_the_top_bar(own_shop: Shop, owner: DashboardClient) -> None:
    shop, other = await open_branch(own_shop), await open_branch(own_shop)
    for one in (shop, other):
        mine = str(await one.add_provider(await one.add_service()))
        sent = {"branch": str(one.branch_id), "back": f"/calendar?view=week&staff={mine}"}
        chosen = await owner.post("/branch", sent)
        assert chosen.headers["location"] == "/calendar?view=week"
        assert list(await columns(owner, "/calendar")) == [mine]
        for page in ("/till", "/drawer", "/day-close", "/calendar/new", "/calendar?view=month"):
            assert f'value="{one.branch_id}" aria-current="true"' in (await owner.get(page)).text, page
    assert (
        (await owner.post("/branch", {**sent, "back": "/till?cart=1"})).headers["location"].startswith("/till?branch=")
    )
    # The first branch of a business has its name, which is shown once.
    (business,) = await own_shop.sql("SELECT name FROM tenants WHERE id = $1")
    await change_row(own_shop, "branches", other.branch_id, name=business["name"])
    bar = (await owner.get("/calendar")).text.partition('aria-label="Branch: ')[2].partition("</summary>")[0]
    assert bar.count("<bdi>") == 1


async def test_an_address_with_an_impossible_day_says_so_and_leads_to_the_calendar(owner: DashboardClient) -> None:
    for typed in ("9999-12-31", "2030-02-30", "tomorrow"):
        answer = await owner.get(f"/calendar?date={typed}&view=week")
        assert (answer.status_code, "This address is not valid" in answer.text) == (422, True)
        assert 'class="button button-primary" href="/calendar"' in answer.text
