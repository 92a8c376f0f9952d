"""The set-up checklist: what is done, one act a step, and gone when all is done or it is hidden."""

import json
import re
from uuid import UUID

import pytest

from frontdesk.auth.types import Role
from frontdesk.postgres.pool import Connection
from frontdesk.staff.hour_types import WeeklyHours
from frontdesk.tenants.register import register_tenant
from frontdesk.tenants.types import NewTenant, Plan
from frontdesk.ui.setup.week_summary import DayRun, day_runs
from frontdesk.values.ids import uuid7
from tests.factories.catalog import make_branch
from tests.factories.changes import change_rows, delete_rows
from tests.factories.people import assign_service, make_staff, make_working_hours
from tests.factories.tenant_rows import ConnectionRows
from tests.factories.users import make_user
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.forms import form_fields, texts
from tests.support.shop import Shop


async def new_business(conn: Connection) -> ConnectionRows:
    new = NewTenant("New", "Main", Plan.STARTER, "Asia/Riyadh", "SAR", ["ar", "en"], country="SA")
    return ConnectionRows(conn, await register_tenant(conn, new))


async def seated(shop: Shop, rows: ConnectionRows, role: Role) -> DashboardClient:
    user_id: UUID = await make_user(rows, role)
    return await dashboard_of(shop, user_id)


async def test_the_list_shows_what_is_done_and_goes_when_all_is(other_shop: Shop, conn: Connection) -> None:
    rows = await new_business(conn)
    (branch,) = await rows.sql("SELECT id FROM branches WHERE tenant_id = $1")
    async with await seated(other_shop, rows, Role.OWNER) as owner:
        shown = texts((await owner.get("/")).text)
        assert "2 of 6 done" in shown
        assert 'href="/setup"' in (await owner.get("/orders")).text
        closed = await make_working_hours(rows, {}, branch_id=branch["id"])  # saved without any times
        assert "2 of 6 done" in texts((await owner.get("/setup")).text)
        await delete_rows(rows, "working_hours", id=closed)
        await make_working_hours(rows, {}, branch_id=branch["id"], all_time=True)
        fields = {"type": "service", "name_en": "Cut", "price": "80", "duration": "30", "active": "yes"}
        added = await owner.post("/catalogue/new", {"id": str(uuid7()), **fields})
        assert (added.status_code, added.headers["location"]) == (303, "/setup")
        (service,) = (row["id"] for row in await rows.sql("SELECT id FROM items WHERE tenant_id = $1"))
        assert "4 of 6 done" in texts((await owner.get("/setup")).text)
        staff = await make_staff(rows, branch_id=branch["id"])
        await assign_service(rows, staff, service)
        done = await owner.get("/setup")
        assert (done.status_code, done.headers["location"]) == (303, "/settings/booking-page")
        assert (
            "Your business is set up. Customers book at this address."
            in (await owner.get("/settings/booking-page")).text
        )
        page = (await owner.get("/")).text
        assert "of 6 done" not in page
        assert 'href="/setup"' not in page


async def test_a_hidden_list_stays_hidden_and_a_cashier_sees_none(other_shop: Shop, conn: Connection) -> None:
    rows = await new_business(conn)
    async with await seated(other_shop, rows, Role.CASHIER) as cashier:
        assert "of 6 done" not in (await cashier.get("/")).text
        assert (await cashier.get("/setup")).status_code == 403
    async with await seated(other_shop, rows, Role.OWNER) as owner:
        assert (await owner.post("/setup/hide")).status_code == 303
        assert "of 6 done" not in (await owner.get("/")).text


async def words_of(owner: DashboardClient, path: str) -> str:
    """Without the tags, which stand inside sentences too."""
    return " ".join(re.sub(r"<[^>]+>", "", (await owner.get(path)).text).split())


async def test_a_finished_step_says_what_was_entered(other_shop: Shop, conn: Connection) -> None:
    rows = await new_business(conn)
    (branch,) = await rows.sql("SELECT id FROM branches WHERE tenant_id = $1")
    async with await seated(other_shop, rows, Role.OWNER) as owner:
        shown = await words_of(owner, "/setup")
        assert "Saudi Arabia: Riyadh, \u2066UTC+3\u2069. Saudi Riyal, 2 decimals." in shown
        assert "Cash, Card." in shown
        assert "about 3 minutes left" in shown
        assert "Closed until this is done: Opening hours, First service, First provider." in shown
        open_days = {day: [("10:00", "22:00")] for day in (0, 1, 2, 3, 4, 6)}
        await make_working_hours(rows, open_days, branch_id=branch["id"])
        for name in ("Cut", "Colour"):
            fields = {"type": "service", "name_en": name, "price": "80", "duration": "30", "active": "yes"}
            await owner.post("/catalogue/new", {"id": str(uuid7()), **fields})
        await change_rows(rows, "branches", address="King Fahd Road", phone="+966500000001")
        shown = await words_of(owner, "/setup")
        assert "Saturday to Thursday 10:00–22:00; Friday closed." in shown
        assert "2 services, first: Cut, 30 min, SAR \u206680.00\u2069." in shown
        assert "King Fahd Road, +966 50 000 0001" in shown
        assert "about 1 minute left" in shown
        assert "Closed until this is done: First provider." in shown
        (page,) = await rows.sql("SELECT slug FROM tenant_slugs WHERE tenant_id = $1")
        assert f'href="/book/{page["slug"]}"' in (await owner.get("/setup")).text
        await change_rows(rows, "payment_methods", active=False)
        staff = await make_staff(rows, name="Noura", branch_id=branch["id"])
        (service,) = await rows.sql("SELECT id FROM items WHERE tenant_id = $1 LIMIT 1")
        await assign_service(rows, staff, service["id"])
        assert "Noura." in await words_of(owner, "/setup")


@pytest.mark.parametrize(
    ("open_days", "expected"),
    [
        ({}, [(0, 6, ())]),
        (dict.fromkeys(range(7), (600, 1320)), [(0, 6, ("10:00–22:00",))]),
        (dict.fromkeys((1, 2, 3, 4, 5), (540, 1020)), [(1, 5, ("09:00–17:00",)), (6, 0, ())]),
        (dict.fromkeys((6, 0, 1, 2, 3, 4), (600, 120)), [(6, 4, ("10:00–02:00",)), (5, 5, ())]),
        ({2: (600, 720)}, [(2, 2, ("10:00–12:00",)), (3, 1, ())]),
    ],
)
def test_days_with_the_same_times_are_one_run(open_days: dict[int, tuple[int, int]], expected: list[DayRun]) -> None:
    hours = WeeklyHours(all_time=False, intervals=tuple((day, *times) for day, times in open_days.items()))
    assert day_runs(hours) == expected


async def test_a_person_is_added_with_their_services_on_one_page(other_shop: Shop, conn: Connection) -> None:
    rows = await new_business(conn)
    async with await seated(other_shop, rows, Role.OWNER) as owner:
        fields = {"type": "service", "name_en": "Cut", "price": "80", "duration": "30", "active": "yes"}
        await owner.post("/catalogue/new", {"id": str(uuid7()), **fields})
        added = {}
        for name in ("Noura", "Reem"):  # the only service is ticked, also if it has a provider
            form = form_fields((await owner.get("/staff/new")).text, "/staff/new")
            assert len(form["performs"]) == 1
            added[name] = await owner.post("/staff/new", {**form, "name": [name]})
            assert (added[name].status_code, added[name].headers["location"]) == (303, "/setup")
        performed = await rows.sql("SELECT item_id FROM staff_services WHERE tenant_id = $1")
        assert [str(row["item_id"]) for row in performed] == form["performs"] * 2
        await owner.post("/catalogue/new", {"id": str(uuid7()), **fields, "name_en": "Colour"})
        form = form_fields((await owner.get("/staff/new")).text, "/staff/new")
        (new,) = await rows.sql("SELECT id FROM items WHERE tenant_id = $1 AND name ->> 'en' = 'Colour'")
        assert form["performs"] == [str(new["id"])]  # of several, what nobody performs yet
        nothing = await owner.post("/staff/new", {**form, "name": ["Huda"], "performs": []})
        assert nothing.headers["location"].endswith("/services")
        await make_branch(rows)
        assert "performs" not in form_fields(
            (await owner.get("/staff/new")).text, "/staff/new"
        )  # the branch is chosen first


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/catalogue/new?type=service", "name_en"),
        ("/staff/new", "name"),
        ("/settings/payment-methods/new", "type"),
        ("/settings/api/clients/new", "name"),
        ("/settings/hours/{branch}?setup=yes", "opens"),
    ],
)
async def test_the_first_field_of_a_set_up_form_has_the_focus(
    path: str, field: str, other_shop: Shop, conn: Connection
) -> None:
    rows = await new_business(conn)
    (branch,) = await rows.sql("SELECT id FROM branches WHERE tenant_id = $1")
    async with await seated(other_shop, rows, Role.OWNER) as owner:
        page = (await owner.get(path.format(branch=branch["id"]))).text
    (element,) = re.findall(r"<[^>]* autofocus[^>]*>", page)
    assert f'name="{field}"' in element


async def test_a_payment_method_without_a_name_has_that_of_its_type(other_shop: Shop, conn: Connection) -> None:
    rows = await new_business(conn)
    async with await seated(other_shop, rows, Role.OWNER) as owner:
        for type_, status in (
            ("bank_transfer", 303),
            ("card", 422),
            ("other", 422),
        ):  # there is a card; other says nothing
            made = await owner.post("/settings/payment-methods/new", {"id": str(uuid7()), "type": type_})
            assert made.status_code == status, type_
    (method,) = await rows.sql("SELECT name::text FROM payment_methods WHERE tenant_id = $1 AND type = 'bank_transfer'")
    assert json.loads(method["name"]) == {"ar": "تحويل بنكي", "en": "Bank transfer"}


async def test_an_error_of_a_name_in_two_languages_has_the_focus_before_later_ones(
    other_shop: Shop, conn: Connection
) -> None:
    async with await seated(other_shop, await new_business(conn), Role.OWNER) as owner:
        empty = {"type": "service", "name_ar": "", "name_en": "", "price": "", "duration": ""}
        page = (await owner.post("/catalogue/new", {"id": str(uuid7()), **empty})).text
    (focused,) = re.findall(r"<input[^>]* autofocus[^>]*>", page)
    assert 'name="name_' in focused
