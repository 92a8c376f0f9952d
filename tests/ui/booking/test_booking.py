"""Booking by hand: the form as a receptionist fills it in, what is refused, and what two people at once see."""

import asyncio
import re
from collections.abc import AsyncIterator
from datetime import timedelta
from decimal import Decimal
from html import unescape
from typing import Any
from uuid import UUID

import httpx2
import pytest

from frontdesk.auth.types import Role
from frontdesk.postgres.pool import Connection
from frontdesk.values.ids import uuid7
from tests.factories.catalog import make_option
from tests.factories.changes import change_row
from tests.factories.people import make_customer
from tests.factories.users import make_user
from tests.support.branch import EVERY_DAY, BranchFixture, day, grid, local, method_of, open_branch
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.forms import form_fields
from tests.support.invariants import broken_invariants
from tests.support.shop import Shop

DAY = day(3)
PATH = "/calendar/new"
_TIMES = re.compile(r'<option value="(\d\d:\d\d)"( selected)?>\s*([^<]*?)\s*<')


@pytest.fixture
async def hair(own_shop: Shop) -> BranchFixture:
    return await open_branch(own_shop)


@pytest.fixture
async def desk(own_shop: Shop) -> AsyncIterator[DashboardClient]:
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.RECEPTIONIST)) as client:
        yield client


def filled(branch: BranchFixture, *services: UUID, **more: Any) -> dict[str, Any]:
    return {
        "id": str(uuid7()),
        "act": "book",
        "branch": str(branch.branch_id),
        "date": str(DAY),
        "time": "10:00",
        "service": [str(service) for service in services],
        **more,
    }


async def orders(branch: BranchFixture) -> list[dict[str, Any]]:
    rows = await branch.shop.sql(
        "SELECT * FROM orders WHERE tenant_id = $1 AND branch_id = $2 ORDER BY order_number", branch.branch_id
    )
    return [dict(row) for row in rows]


async def bookings(branch: BranchFixture) -> list[tuple[UUID, str, str]]:
    rows = await branch.shop.sql(
        "SELECT k.staff_id, lower(k.during) AS s, upper(k.during) AS e FROM bookings k JOIN orders o "
        "ON o.tenant_id = $1 AND o.id = k.order_id AND o.branch_id = $2 WHERE k.tenant_id = $1 ORDER BY s",
        branch.branch_id,
    )
    zone = local(DAY, "10:00").tzinfo
    return [(r["staff_id"], f"{r['s'].astimezone(zone):%H:%M}", f"{r['e'].astimezone(zone):%H:%M}") for r in rows]


def free_times(page: str) -> list[str]:
    return [time for time, _, label in _TIMES.findall(page) if time == label]


async def test_services_in_sequence_are_booked_with_their_providers(
    hair: BranchFixture, desk: DashboardClient, own_shop: Shop, conn: Connection
) -> None:
    cut, colour = await hair.add_service(price="80", duration=45), await hair.add_service(price="200", duration=60)
    dana, reem = await hair.add_provider(cut), await hair.add_provider(colour, price="250", duration=90)
    shown = await desk.get(PATH, params={"date": str(DAY), "time": "10:00", "staff": str(dana), "service": str(cut)})
    assert shown.status_code == 200
    assert free_times(shown.text) == grid("09:00", "16:15")
    form = filled(hair, cut, colour, provider=[str(dana), ""], customer=str(hair.customer_id), note="First visit")
    shown = await desk.post(PATH, form | {"act": "show"})
    assert free_times(shown.text) == grid("09:00", "14:45")  # 45 and 90 minutes, until five o'clock
    assert "330.00" in shown.text
    assert "Free until" in shown.text
    form |= {"deposit": "100", "method": await method_of(own_shop), "discount": "10", "discount_kind": "percentage"}
    answer = await desk.post(PATH, form)
    (order,) = await orders(hair)
    assert (answer.status_code, answer.headers["location"]) == (303, f"/calendar?date={DAY}&order={order['id']}")
    assert (order["total"], order["paid_amount"], order["note"]) == (Decimal(297), Decimal(100), "First visit")
    assert order["customer_id"] == hair.customer_id
    assert await bookings(hair) == [(dana, "10:00", "10:45"), (reem, "10:45", "12:15")]
    again = await desk.post(PATH, form)  # a double click
    assert again.headers["location"] == answer.headers["location"]
    assert len(await orders(hair)) == 1
    assert await broken_invariants(conn, own_shop.tenant_id) == []


async def test_each_button_changes_the_form_and_keeps_what_was_typed(
    hair: BranchFixture, desk: DashboardClient
) -> None:
    cut, wash = await hair.add_service(price="80"), await hair.add_service(price="40")
    await hair.add_provider(cut, wash)
    form = filled(hair, cut, note="Kept", discount="x", act="show", add_service=str(wash))
    shown = await desk.post(PATH, form)
    assert re.findall(r'name="service" value="([^"]+)"', shown.text) == [str(cut), str(wash)]
    assert "Enter an amount such as 12.50." in shown.text
    assert 'value="x"' in shown.text
    assert ">Kept</textarea>" in shown.text
    moved = await desk.post(PATH, filled(hair, cut, wash, act="down:0"))
    assert re.findall(r'name="service" value="([^"]+)"', moved.text) == [str(wash), str(cut)]
    removed = await desk.post(PATH, filled(hair, cut, wash, act="remove:0"))
    assert re.findall(r'name="service" value="([^"]+)"', removed.text) == [str(wash)]
    for typed in ("0002-01-01", "9999-12-31"):  # typed on the way to a year
        shown = await desk.post(PATH, filled(hair, cut, date=typed, act="show"))
        assert (shown.status_code, f'value="{typed}"' in shown.text) == (200, True)
    refused = await desk.post(PATH, filled(hair, time="1\N{ARABIC-INDIC DIGIT ZERO}:00", date="0002-01-01"))
    assert refused.status_code == 422
    assert [text in refused.text for text in ("Choose a day.", "Choose a time.", "Choose a service.")] == [True] * 3


async def test_a_customer_is_found_by_digits_or_made_and_a_known_phone_offers_its_owner(
    hair: BranchFixture, desk: DashboardClient, own_shop: Shop, conn: Connection
) -> None:
    cut = await hair.add_service()
    await hair.add_provider(cut)
    known = await make_customer(own_shop, "Hessa", "Dosari", phone="+966507719035")
    rude = await make_customer(own_shop, "Tahani", "Bakr", phone="+966550771942", blocked=True)
    found = await desk.post(PATH, filled(hair, cut, act="show", find="50 7719"))
    assert f'value="customer:{known}"' in found.text
    assert "<mark>" in found.text
    found = await desk.post(PATH, filled(hair, cut, act="show", find="7719"))
    assert "Blocked" in found.text
    new = await desk.post(PATH, filled(hair, cut, act="new", find="Lama 0507719035"))
    assert 'value="Lama"' in new.text
    assert "Hessa Dosari already has this number." in unescape(new.text)
    form = filled(hair, cut, who="new", first_name="Lama", phone="0507719035")
    refused = await desk.post(PATH, form)
    assert (refused.status_code, len(await orders(hair))) == (422, 0)
    assert f'value="customer:{known}"' in refused.text
    refused = await desk.post(PATH, filled(hair, cut, customer=str(rude)))
    assert refused.status_code == 422
    assert "This customer is blocked" in refused.text
    answer = await desk.post(PATH, filled(hair, cut, who="new", first_name="Lama", phone="0501112223"))
    assert answer.status_code == 303
    (order,) = await orders(hair)
    (made,) = await own_shop.sql("SELECT * FROM customers WHERE tenant_id = $1 AND id = $2", order["customer_id"])
    assert (made["first_name"], made["phone"]) == ("Lama", "+966501112223")
    assert await broken_invariants(conn, own_shop.tenant_id) == []


async def test_of_two_who_want_one_slot_one_is_refused_and_offered_the_nearest(
    hair: BranchFixture, desk: DashboardClient, own_shop: Shop, conn: Connection
) -> None:
    cut = await hair.add_service(duration=60)
    dana = await hair.add_provider(cut)
    names = ("Lamees", "Sareen")
    forms = [
        filled(hair, cut, provider=[str(dana)], who="new", first_name=name, phone=f"05011122{n}{n}", note="Mine")
        for n, name in enumerate(names)
    ]
    answers: list[httpx2.Response] = await asyncio.gather(*(desk.post(PATH, form) for form in forms))
    assert sorted(answer.status_code for answer in answers) == [303, 422]
    refused = next(answer for answer in answers if answer.status_code == 422)
    text = unescape(refused.text)
    assert "10:00 was just taken" in text
    assert [f'value="time:{DAY}T{time}"' in text for time in ("09:00", "11:00", "11:15")] == [True] * 3
    assert ">Mine</textarea>" in text
    assert len(await bookings(hair)) == 1
    (count,) = await own_shop.sql(
        "SELECT count(*) FROM customers WHERE tenant_id = $1 AND first_name = ANY ($2)", list(names)
    )
    assert count["count"] == 1  # the customer of the refused booking was not made
    moved = await desk.post(PATH, forms[0] | {"act": f"time:{DAY}T11:15"})
    assert "Book 11:15 with" in moved.text
    assert await broken_invariants(conn, own_shop.tenant_id) == []


async def test_a_time_that_was_taken_while_the_booking_form_was_open_is_named(
    hair: BranchFixture, desk: DashboardClient
) -> None:
    """The open form is shown again after the booking of another person."""
    cut = await hair.add_service(duration=60)
    dana, huda = await hair.add_provider(cut), await hair.add_provider(cut)
    free = form_fields((await desk.post(PATH, filled(hair, cut, act="show", provider=[str(dana)]))).text, PATH)
    assert (await desk.post(PATH, filled(hair, cut, provider=[str(dana)]))).status_code == 303
    shown = (await desk.post(PATH, free | {"act": "show"})).text
    assert "10:00 was just taken" in shown
    assert "10:00 was just taken" in (await desk.post(PATH, form_fields(shown, PATH) | {"act": "show"})).text
    assert "Book 10:00 with" in (await desk.post(PATH, free | {"act": "show", "provider": str(huda)})).text
    other = form_fields((await desk.post(PATH, free | {"act": "show", "time": "12:00"})).text, PATH)
    assert "10:00 is taken" in (await desk.post(PATH, other | {"act": "show", "time": "10:00"})).text


async def test_every_shown_time_books_and_no_other(hair: BranchFixture, desk: DashboardClient, own_shop: Shop) -> None:
    cut, wash = await hair.add_service(duration=30), await hair.add_service(duration=45)
    dana, reem = await hair.add_provider(cut, wash), await hair.add_provider(wash)
    await hair.take_off(reem, local(DAY, "09:00"), local(DAY, "13:00"))
    await desk.post(PATH, filled(hair, cut, provider=[str(dana)], time="11:00"))
    chain = {"service": [str(cut), str(wash)], "provider": [str(dana), ""]}
    times = free_times((await desk.post(PATH, filled(hair, act="show", **chain))).text)
    assert 0 < len(times) < len(grid("09:00", "15:45"))
    for time in grid("08:45", "16:45", 30):
        before = len(await orders(hair))
        answer = await desk.post(PATH, filled(hair, time=time, **chain))
        shown = time in times
        assert (answer.status_code, len(await orders(hair)) - before) == ((303, 1) if shown else (422, 0)), time
        if shown:
            last = (await orders(hair))[-1]["id"]
            await own_shop.sql("SELECT set_bookings_active($1, $2, false)", last)
            await change_row(own_shop, "orders", last, status="canceled")


async def test_only_owners_and_managers_enter_a_price(
    hair: BranchFixture, desk: DashboardClient, owner: DashboardClient
) -> None:
    cut = await hair.add_service(price="80")
    await hair.add_provider(cut)
    form = filled(hair, cut, price=["50"])
    assert (await desk.post(PATH, form)).status_code == 403
    assert 'name="price"' not in (await desk.get(PATH, params={"service": str(cut)})).text
    shown = await owner.post(PATH, form | {"act": "show"})
    assert "50.00" in shown.text
    assert 'placeholder="80.00"' in shown.text
    assert (await owner.post(PATH, form | {"date": str(DAY + timedelta(days=1))})).status_code == 303


async def test_the_list_of_services_counts_the_price_without_an_option(
    hair: BranchFixture, desk: DashboardClient, own_shop: Shop
) -> None:
    cut = await hair.add_service(price="120.50", duration=45)
    await hair.add_provider(cut)
    await make_option(own_shop, cut, "180", duration=60)
    assert "(from 45 min, from 120.50)" in (await desk.get(PATH)).text


async def test_two_series_of_the_same_providers_do_not_deadlock(
    hair: BranchFixture, desk: DashboardClient, own_shop: Shop, conn: Connection
) -> None:
    """Series and single bookings with new customers at once, for the same providers in any order."""
    cut, wash = await hair.add_service(duration=30), await hair.add_service(duration=30)
    dana, reem = await hair.add_provider(cut, wash), await hair.add_provider(cut, wash)
    token = await desk.form_token()

    async def send(number: int) -> int:
        pair = [str(dana), str(reem)] if number % 2 else [str(reem), str(dana)]
        form = filled(hair, cut, wash, provider=pair, time=f"{10 + number % 3}:00", form_token=token)
        form |= {"who": "new", "first_name": "Walaa", "phone": f"05022233{number:02}"}
        path = PATH
        if number % 2:
            starts = [f"{DAY + timedelta(weeks=n)}T{form['time']}" for n in range(3)]
            form |= {"every": "1", "times": "3", "start": starts}
            path = f"{PATH}/series"
        return (await desk.http.post(path, data=form, headers={"origin": desk.origin})).status_code

    statuses = await asyncio.gather(*(send(number) for number in range(8)))
    assert set(statuses) <= {303, 422}
    assert statuses.count(303) >= 3
    assert await broken_invariants(conn, own_shop.tenant_id) == []


async def test_a_customer_who_was_typed_and_not_chosen_is_asked_about(
    hair: BranchFixture, desk: DashboardClient
) -> None:
    cut = await hair.add_service()
    await hair.add_provider(cut)
    for path in (PATH, f"{PATH}/series"):
        asked = await desk.post(path, filled(hair, cut, find="Sara", every="1", times="2"))
        assert asked.status_code == 422
        assert "Choose the customer that you typed, or go on without one." in asked.text
        assert 'name="find" value="Sara"' in asked.text
    assert await orders(hair) == []
    without = await desk.post(PATH, filled(hair, cut, find="Sara", act="walk_in"))
    assert without.status_code == 303
    (order,) = await orders(hair)
    assert order["customer_id"] is None


async def test_the_hours_after_midnight_are_offered_with_the_day_on_which_they_began(
    hair: BranchFixture, desk: DashboardClient
) -> None:
    cut = await hair.add_service(duration=60)
    provider = await hair.add_provider(cut)
    form = filled(hair, cut, act="show", time="")
    assert 'value="24:' not in (await desk.post(PATH, form)).text
    await hair.set_hours({n: [("16:00", "02:00")] for n in EVERY_DAY})
    offered = re.findall(r'<option value="(2[4-9]:\d\d)"', (await desk.post(PATH, form)).text)
    assert offered == ["24:00", "24:15", "24:30", "24:45", "25:00"]
    answer = await desk.post(PATH, form | {"act": "book", "time": "24:30"})
    assert answer.headers["location"].startswith(f"/calendar?date={DAY + timedelta(days=1)}&")
    assert await bookings(hair) == [(provider, "00:30", "01:30")]
