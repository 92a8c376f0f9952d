"""The start of a new business: five questions with answers filled in, and it can be booked."""

import re
from collections.abc import AsyncIterator
from decimal import Decimal
from typing import Any, NamedTuple

import pytest

from frontdesk.auth.types import Role
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.register import register_tenant
from frontdesk.tenants.trades import TRADES
from frontdesk.tenants.types import NewTenant, Plan
from frontdesk.tenants.usual import usual_price, usual_week, vat_rate
from frontdesk.values.ids import uuid7
from tests.factories.catalog import make_branch
from tests.factories.tenant_rows import ConnectionRows
from tests.factories.users import make_user
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.forms import form_fields, texts
from tests.support.shop import Shop

ARABIC_NAME = "صالون نورة"
OUTDATED = r"changed this \(|was changed after you opened it"


class Room(NamedTuple):
    rows: ConnectionRows
    owner: DashboardClient

    async def filled(self, step: str, kind: str = "barber") -> dict[str, Any]:
        return dict(form_fields((await self.owner.get(f"/setup/{step}?kind={kind}")).text, f"/setup/{step}"))

    async def send(self, step: str, **changes: Any) -> str:
        """The form as it is filled in, with a few changes; returns where it leads."""
        answer = await self.owner.post(f"/setup/{step}", {**await self.filled(step), **changes})
        assert answer.status_code == 303, texts(answer.text)
        return answer.headers["location"]


@pytest.fixture
async def room(other_shop: Shop, conn: Connection) -> AsyncIterator[Room]:
    new = NewTenant(ARABIC_NAME, "Main", Plan.STARTER, "Asia/Riyadh", "SAR", ["ar", "en"], country="SA")
    rows = ConnectionRows(conn, await register_tenant(conn, new))
    async with await dashboard_of(other_shop, await make_user(rows, Role.OWNER)) as owner:
        yield Room(rows, owner)


async def test_five_answers_that_are_filled_in_make_a_page_that_can_be_booked(room: Room) -> None:
    assert await room.send("business") == "/setup/services?kind=barber"
    assert await room.send("services", take=["0", "1", "2"]) == "/setup/team?kind=barber"
    assert await room.send("team", name=["Reem", ""]) == "/setup/place?kind=barber"
    assert await room.send("place", phone="0552104418", address="Olaya, Riyadh", vat="yes") == "/setup/look?kind=barber"
    slug = f"nora-{uuid7().hex[-8:]}"
    assert await room.send("look", slug=slug) == "/setup/done"
    done = texts((await room.owner.get("/setup/done")).text)
    assert "is open for bookings" in done
    assert "3 services, 2 providers." in done

    (tenant,) = await room.rows.sql("SELECT * FROM tenants WHERE id = $1")
    assert (tenant["name"], tenant["accent"], tenant["prices_include_tax"]) == (ARABIC_NAME, "#17594f", True)
    week = await room.rows.sql("SELECT day, opens, closes FROM working_intervals WHERE tenant_id = $1 ORDER BY day")
    assert [tuple(row) for row in week][4:6] == [(4, 600, 1380), (5, 840, 1380)]  # Friday after the prayer
    names = await room.rows.sql("SELECT name, price FROM items WHERE tenant_id = $1 ORDER BY sort_order, id")
    assert '"قص شعر"' in names[0]["name"]
    assert (len(names), names[0]["price"]) == (3, 50)
    (rate,) = await room.rows.sql("SELECT rate FROM tax_rates WHERE tenant_id = $1")
    assert rate["rate"] == 15
    (branch,) = await room.rows.sql("SELECT phone, address FROM branches WHERE tenant_id = $1")
    assert tuple(branch) == ("+966552104418", "Olaya, Riyadh")
    public = (await room.owner.get(f"/book/{slug}?lang=en")).text
    assert "Haircut and beard" in public
    assert "Salon Nora" in public
    assert ARABIC_NAME in (await room.owner.get(f"/book/{slug}?lang=ar")).text


async def test_a_form_that_is_sent_twice_adds_once(room: Room) -> None:
    await room.send("business")
    for step in ("services", "team"):
        fields = await room.filled(step)
        answers = [await room.owner.post(f"/setup/{step}", fields) for _ in range(2)]
        assert [answer.status_code for answer in answers] == [303, 303]
    (performed,) = await room.rows.sql(
        "SELECT count(*) AS all, count(DISTINCT staff_id) AS people FROM staff_services WHERE tenant_id = $1"
    )
    assert tuple(performed) == (10, 1)
    again = await room.filled("services")
    assert "take" not in again  # nothing is added by going back


async def test_every_step_says_what_is_wrong_and_keeps_what_was_typed(room: Room) -> None:
    wrong: list[tuple[str, dict[str, Any], str]] = [
        ("business", {"shown_name_en": "", "shown_name_ar": ""}, "Fill in this field."),
        ("business", {"opens": ["25:99", ""]}, "Enter a time such as 09:30."),
        ("services", {"take": []}, "Tick at least one service."),
        ("services", {"take": ["10"]}, "Enter a name."),
        ("team", {"own_name": ""}, "Enter at least one name."),
        ("place", {}, "Choose one of the three."),
        ("place", {"vat": "yes", "rate": ""}, "Enter the rate."),
        ("business", {"version": "77"}, OUTDATED),
        ("place", {"vat": "later", "version": "77"}, OUTDATED),
        ("place", {"vat": "yes", "settings_version": "77"}, OUTDATED),
        ("look", {"version": "77"}, OUTDATED),
        ("look", {"slug": "No Slug"}, "letters"),
        ("look", {"colour": "own", "accent": "blue"}, "six hexadecimal digits"),
    ]
    for step, changes, message in wrong:
        answer = await room.owner.post(f"/setup/{step}", {**await room.filled(step), **changes})
        assert answer.status_code == 422, step
        assert re.search(message, texts(answer.text)), step
    (count,) = await room.rows.sql("SELECT count(*) FROM items WHERE tenant_id = $1")
    assert count["count"] == 0


async def test_no_tax_is_an_answer_and_later_is_asked_again(room: Room) -> None:
    await room.send("place", vat="later")
    assert "vat" not in await room.filled("place")
    assert "Are you registered for VAT?" in (await room.owner.get("/setup/place")).text
    await room.send("place", vat="no")
    assert "Are you registered for VAT?" not in (await room.owner.get("/setup/place")).text
    (tenant,) = await room.rows.sql("SELECT charges_no_tax FROM tenants WHERE id = $1")
    assert tenant["charges_no_tax"]


async def test_the_row_of_the_business_is_locked_before_that_of_the_branch(room: Room) -> None:
    """As the first step does: two people at two steps do not wait for each other."""
    await room.send("place", vat="no", address="Olaya, Riyadh")
    written = await room.rows.sql("SELECT action FROM activity WHERE tenant_id = $1 ORDER BY created_at DESC LIMIT 2")
    assert [row["action"] for row in written] == ["branch.updated", "business.updated"]


async def test_a_business_with_several_branches_sets_up_each_part_by_itself(room: Room) -> None:
    await make_branch(room.rows)
    answer = await room.owner.get("/setup/business")
    assert (answer.status_code, answer.headers["location"]) == (303, "/setup")
    hours = {"first": ["0"], "last": ["6"], "opens": ["09:00"], "closes": ["17:00"]}
    named: dict[str, Any] = {"version": "1", "shown_name_en": "Another Name", **hours}
    for step, fields in (("business", named), ("services", {"id": str(uuid7()), "take": []})):
        sent = await room.owner.post(f"/setup/{step}", fields)
        assert (sent.status_code, sent.headers["location"]) == (303, "/setup"), step
    (tenant,) = await room.rows.sql("SELECT name FROM tenants WHERE id = $1")
    assert tenant["name"] == ARABIC_NAME


def test_what_is_usual_depends_on_the_country() -> None:
    salon, clinic = TRADES[0], TRADES[4]
    assert all(len(trade.services) == 10 for trade in TRADES)
    assert [day for day, _, _ in usual_week(clinic, "SA")] == [0, 1, 2, 3, 4, 6]
    assert [day for day, _, _ in usual_week(salon, "DE")] == [1, 2, 3, 4, 5, 6]
    assert (vat_rate("SA"), vat_rate("KW"), vat_rate(None)) == (Decimal(15), None, None)
    assert (usual_price(320, "SAR"), usual_price(320, "KWD"), usual_price(95, "USD")) == (*map(Decimal, (320, 26, 33)),)
