"""Bookings that repeat: listed before anything is made, then made together, and canceled one or all that are left."""

from collections.abc import AsyncIterator
from datetime import timedelta
from html import unescape
from typing import Any

import pytest

from frontdesk.auth.types import Role
from frontdesk.postgres.pool import Connection
from frontdesk.values.ids import uuid7
from tests.factories.users import make_user
from tests.support.branch import BranchFixture, day, local, method_of, open_branch
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.invariants import broken_invariants
from tests.support.shop import Shop

DAY = day(3)
WEEKS = [DAY + timedelta(weeks=2 * n) for n in range(4)]
PATH = "/calendar/new/series"


@pytest.fixture
async def hair(own_shop: Shop) -> BranchFixture:
    return await open_branch(own_shop)


@pytest.fixture
async def desk(own_shop: Shop) -> AsyncIterator[DashboardClient]:
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.RECEPTIONIST)) as client:
        yield client


async def series_orders(branch: BranchFixture) -> list[dict[str, Any]]:
    rows = await branch.shop.sql(
        "SELECT * FROM orders WHERE tenant_id = $1 AND branch_id = $2 AND series_id IS NOT NULL ORDER BY starts_at",
        branch.branch_id,
    )
    return [dict(row) for row in rows]


async def test_a_series_is_listed_made_and_canceled_from_one_on(
    hair: BranchFixture, desk: DashboardClient, own_shop: Shop, conn: Connection
) -> None:
    cut = await hair.add_service(price="80", duration=60)
    dana = await hair.add_provider(cut)
    await hair.take_off(dana, local(WEEKS[1], "09:00"), local(WEEKS[1], "17:00"))
    form = {
        "id": str(uuid7()),
        "branch": str(hair.branch_id),
        "date": str(DAY),
        "time": "10:00",
        "service": str(cut),
        "customer": str(hair.customer_id),
        "deposit": "30",
        "method": await method_of(own_shop),
        "every": "2",
        "ends": "times",
        "times": "4",
    }
    listed = unescape((await desk.post(PATH, form | {"act": "preview"})).text)
    assert listed.count('name="start"') == 3
    assert listed.count('name="instead"') == 1
    assert "Time off at 10:00" in listed
    assert "1 day is not free" in listed
    assert await series_orders(hair) == []
    chosen = [f"{on}T10:00" for on in WEEKS if on != WEEKS[1]]
    answer = await desk.post(PATH, form | {"act": "book", "start": chosen})
    made = await series_orders(hair)
    assert answer.headers["location"] == f"/calendar?date={DAY}&order={made[0]['id']}"
    assert [order["starts_at"] for order in made] == [local(on, "10:00") for on in WEEKS if on != WEEKS[1]]
    assert [int(order["paid_amount"]) for order in made] == [30, 0, 0]
    again = await desk.post(PATH, form | {"act": "book", "start": chosen})
    assert (again.headers["location"], len(await series_orders(hair))) == (answer.headers["location"], 3)

    shown = unescape((await desk.get(f"/orders/{made[1]['id']}")).text)
    assert "every 2 weeks" in shown
    assert all(f'href="/orders/{made[n]["id"]}"' in shown for n in (0, 2))
    drawn = unescape((await desk.get(f"/calendar?date={DAY}&branch={hair.branch_id}")).text)
    assert drawn.count('<em class="repeat-mark" title="every 2 weeks">') == 1

    cancel = f"/orders/{made[1]['id']}/series/cancel"
    page = unescape((await desk.get(cancel)).text)
    assert "2 of 3" in page
    assert "This and the one after it" in page
    assert "were paid" not in page
    assert "SAR \u206630.00\u2069 were paid" in (await desk.get(f"/orders/{made[0]['id']}/series/cancel")).text
    answer = await desk.post(cancel, {"what": "following", "version": str(made[1]["version"]), "note": "Moved away"})
    assert answer.headers["location"] == f"/orders/{made[1]['id']}"
    assert [order["status"] for order in await series_orders(hair)] == ["confirmed", "canceled", "canceled"]
    assert (await desk.post(f"/orders/{made[0]['id']}/series/cancel", {"what": "one"})).status_code == 303
    assert await broken_invariants(conn, own_shop.tenant_id) == []


async def test_a_time_that_was_taken_after_the_list_books_nothing(hair: BranchFixture, desk: DashboardClient) -> None:
    cut = await hair.add_service(duration=60)
    await hair.add_provider(cut)
    form = {"branch": str(hair.branch_id), "date": str(DAY), "time": "10:00", "service": str(cut), "every": "1"}
    later = {"id": str(uuid7()), "act": "book", **form, "every": "", "date": str(DAY + timedelta(weeks=1))}
    assert (await desk.post("/calendar/new", later)).status_code == 303
    starts = [f"{DAY + timedelta(weeks=n)}T10:00" for n in range(3)]
    until = {"ends": "until", "until": str(DAY + timedelta(weeks=2)), "start": starts}
    answer = await desk.post(PATH, {"id": str(uuid7()), "act": "book", **form, **until})
    assert answer.status_code == 422
    assert "One of these times was just taken" in answer.text
    assert await series_orders(hair) == []


async def test_a_series_has_an_end(hair: BranchFixture, desk: DashboardClient) -> None:
    cut = await hair.add_service()
    await hair.add_provider(cut)
    form = {"branch": str(hair.branch_id), "date": str(DAY), "time": "10:00", "service": str(cut), "act": "preview"}
    for wrong, error in (
        ({"every": "1", "times": "53"}, "Enter a number from 2 to 52."),
        ({"every": "1", "ends": "until", "until": str(DAY - timedelta(days=1))}, "not before the first"),
        ({"every": "1", "ends": "until", "until": str(DAY + timedelta(weeks=60))}, "at most 52 times"),
        ({"every": "12", "times": "20"}, "at most two years"),
    ):
        answer = await desk.post(PATH, {"id": str(uuid7()), **form, **wrong})
        assert (answer.status_code, error in answer.text) == (422, True), wrong


async def test_a_day_that_is_not_free_gets_another_time_and_a_year_of_weeks_fits(
    hair: BranchFixture, desk: DashboardClient
) -> None:
    cut = await hair.add_service(duration=60)
    dana = await hair.add_provider(cut)
    await hair.take_off(dana, local(WEEKS[1], "09:00"), local(WEEKS[1], "12:00"))
    form = {
        "branch": str(hair.branch_id),
        "date": str(DAY),
        "time": "10:00",
        "service": str(cut),
        "every": "2",
        "times": "12",
    }
    listed = unescape((await desk.post(PATH, form | {"id": str(uuid7()), "act": "preview"})).text)
    assert f'value="{WEEKS[1]}T10:00/{WEEKS[1]}T12:00"' in listed
    starts = [f"{DAY + timedelta(weeks=2 * n)}T10:00" for n in range(12) if n != 1]
    sent = form | {"id": str(uuid7()), "act": "book", "start": starts}
    answer = await desk.post(PATH, sent | {"instead": [f"{WEEKS[1]}T10:00/{WEEKS[1]}T12:00"]})
    assert answer.status_code == 303, answer.text
    made = await series_orders(hair)
    assert len(made) == 12
    assert made[1]["starts_at"] == local(WEEKS[1], "12:00")
    late = await desk.post(
        "/calendar/new", form | {"id": str(uuid7()), "act": "book", "every": "", "date": "2199-01-05"}
    )
    assert (late.status_code, "Choose a day within two years." in late.text) == (422, True)
    moved = await desk.post(f"/orders/{made[0]['id']}/move", {"date": "2199-01-05", "time": "10:00"})
    assert (moved.status_code, "Choose a day within two years." in moved.text) == (422, True)
