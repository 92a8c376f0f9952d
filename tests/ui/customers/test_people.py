"""Birthday, allergies and favorite provider: entered, shown where they matter, imported, merged, erased and private."""

import csv
import io
from typing import Any
from uuid import UUID

import pytest

from frontdesk.auth.types import Role
from frontdesk.values.ids import uuid7
from tests.factories.changes import ago, change_row
from tests.factories.customers import make_note
from tests.factories.orders import change_order
from tests.factories.people import make_customer, make_staff
from tests.factories.users import link_to_staff, make_user
from tests.support.branch import BranchFixture, day, line, open_branch, start
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.forms import form_fields
from tests.support.shop import Shop
from tests.ui.imports.test_import import checked, run

ALLERGY = "Ammonia and latex gloves"


@pytest.fixture
async def hair(own_shop: Shop) -> BranchFixture:
    return await open_branch(own_shop)


async def stored(shop: Shop, customer_id: UUID) -> Any:
    (row,) = await shop.sql("SELECT * FROM customers WHERE tenant_id = $1 AND id = $2", customer_id)
    return row


async def save(desk: DashboardClient, customer_id: UUID, **fields: Any) -> Any:
    page = f"/customers/{customer_id}/edit"
    return await desk.post(page, {**form_fields((await desk.get(page)).text, page), **fields})


async def test_birthday_allergies_and_favorite_are_entered_and_kept_by_other_changes(
    own_shop: Shop, owner: DashboardClient
) -> None:
    sara = await make_customer(own_shop, phone="+966557770147")  # the form checks it
    lama = await make_staff(own_shop, "Lama")
    answer = await save(
        owner, sara, birth_day="29", birth_month="2", birth_year="", allergies=ALLERGY, favorite=str(lama)
    )
    assert answer.status_code == 303, answer.text
    row = await stored(own_shop, sara)
    assert (row["birthday"], row["allergies"], row["favorite_staff_id"]) == ("--02-29", ALLERGY, lama)
    page = (await owner.get(f"/customers/{sara}")).text
    for text in ("29 February", ALLERGY, "Favourite provider"):
        assert text in page, text
    assert (await save(owner, sara, birth_year="1990")).status_code == 422  # there was none in 1990
    assert (await save(owner, sara, birth_day="32")).status_code == 422
    assert (await save(owner, sara, favorite=str(uuid7()))).status_code == 422
    assert (await save(owner, sara, birth_year="2000", city="Jeddah")).status_code == 303
    assert (await stored(own_shop, sara))["birthday"] == "2000-02-29"
    # An application changes what it knows, and neither sees nor loses the rest.
    changed = await own_shop.request("PATCH", f"/customers/{sara}", json={"city": "Riyadh"})
    assert changed.status_code == 200, changed.text
    assert not {"birthday", "allergies", "favorite_staff_id"} & changed.json()["data"].keys()
    row = await stored(own_shop, sara)
    assert (row["city"], row["birthday"], row["allergies"]) == ("Riyadh", "2000-02-29", ALLERGY)
    events = await own_shop.sql("SELECT data::text FROM events WHERE tenant_id = $1")
    assert [event for event in events if ALLERGY in event["data"]] == []


async def test_coming_birthdays_are_listed_by_day_for_those_who_may_see_customers(
    own_shop: Shop, neighbour: Shop, owner: DashboardClient
) -> None:
    for name, ahead in (("Later Girl", 5), ("Sooner Girl", 1), ("Far Girl", 60)):
        customer = await make_customer(own_shop, *name.split())
        await change_row(own_shop, "customers", customer, birthday=f"--{day(ahead):%m-%d}")
    other = await make_customer(neighbour, "Strange", "Girl")
    await change_row(neighbour, "customers", other, birthday=f"--{day(1):%m-%d}")
    page = (await owner.get("/customers/birthdays")).text
    assert 0 < page.index("Sooner Girl") < page.index("Later Girl")
    assert "Far Girl" not in page
    assert "Strange Girl" not in page
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.PROVIDER)) as provider:
        assert (await provider.get("/customers/birthdays")).status_code == 403


async def test_allergies_and_notes_show_where_a_customer_is_booked_and_served(
    hair: BranchFixture, owner: DashboardClient
) -> None:
    shop, sara = hair.shop, hair.customer_id
    await change_row(shop, "customers", sara, allergies=ALLERGY)
    await make_note(shop, sara, "Takes tea without sugar")
    cut = await hair.add_service(duration=30)
    lama, hind = await hair.add_provider(cut), await hair.add_provider(cut)
    order = await hair.place(line(cut, staff_id=lama), start=start(day(3), "10:00"))
    for path in (
        f"/calendar/new?customer={sara}",
        f"/till?customer={sara}",
        f"/orders/{order['id']}",
        f"/calendar?date={day(3)}&order={order['id']}",
        f"/customers/{sara}",
    ):
        page = (await owner.get(path)).text
        assert ALLERGY in page, path
        assert "Takes tea without sugar" in page, path
    for staff_id, status in ((lama, 200), (hind, 404)):
        user_id = await make_user(shop, Role.PROVIDER)
        await link_to_staff(shop, user_id, staff_id)
        async with await dashboard_of(shop, user_id) as provider:
            for path in (f"/customers/{sara}", f"/calendar/bookings/{order['id']}"):
                answer = await provider.get(path)
                assert answer.status_code == status, path
                assert (ALLERGY in answer.text) is (status == 200), path


async def test_the_favorite_provider_is_chosen_first_unless_busy(hair: BranchFixture, owner: DashboardClient) -> None:
    shop, sara = hair.shop, hair.customer_id
    cut, other = await hair.add_service(duration=30), await hair.add_service(duration=30)
    lama, hind = await hair.add_provider(cut), await hair.add_provider(cut, other)
    booking = f"/calendar/new?date={day(3)}&customer={sara}&service={cut}"

    async def provider(path: str) -> str:
        (found,) = form_fields((await owner.get(path)).text, "/calendar/new")["provider"]
        return found

    assert await provider(booking) == ""
    for number in range(2):
        order = await hair.place(line(cut, staff_id=hind), start=start(day(5), f"1{number}:00"))
        await change_order(shop, order["id"], starts_at=ago(days=20 + number), status="completed")
    assert await provider(booking) == str(hind)  # seen from the visits
    assert "usually with" in (await owner.get(booking)).text
    await change_row(shop, "customers", sara, favorite_staff_id=lama)
    assert await provider(booking) == str(lama)
    assert (
        await provider(f"/calendar/new?date={day(3)}&customer={sara}&service={other}") == ""
    )  # she does not perform it
    assert await provider(f"{booking}&staff={hind}") == str(hind)  # chosen in the calendar
    await hair.place(line(cut, staff_id=lama), start=start(day(3), "10:00"))
    assert await provider(f"{booking}&time=10:00") == ""
    assert await provider(f"{booking}&time=11:00") == str(lama)
    chosen = form_fields((await owner.get(booking)).text, "/calendar/new")
    anyone = await owner.post("/calendar/new", {**chosen, "provider": "", "act": "show"})
    assert form_fields(anyone.text, "/calendar/new")["provider"] == [""]  # a choice of anyone stays
    await change_row(shop, "staff", lama, active=False)
    assert await provider(booking) == str(hind)


async def test_they_are_imported_and_exported(own_shop: Shop, owner: DashboardClient) -> None:
    lama = await make_staff(own_shop, "Lama Import")
    known = await make_customer(own_shop, "Noura", "Known", phone="+966502207791")
    await change_row(own_shop, "customers", known, birthday="1985-05-05", allergies="Nuts")
    table = (
        "Name,Mobile,Date of birth,Allergies,Favourite provider\n"
        "Huda Import,0502207790,21/03,Latex,lama import\n"
        "Noura Known,0502207791,,Nuts and milk,\n"
        "Reem Import,0502207792,31/02/1990,,\n"
        "Dana Import,0502207793,,,Nobody Here\n"
    )
    path = await checked(owner, table)
    page = (await owner.get(path)).text
    assert "&#39;31/02/1990&#39; is not a birthday" in page
    assert "Nobody who works here is called &#39;Nobody Here&#39;." in page
    assert "1 new, 1 changed, 2 refused" in await run(owner, path)
    (huda,) = await own_shop.sql("SELECT * FROM customers WHERE tenant_id = $1 AND phone = '+966502207790'")
    assert (huda["birthday"], huda["allergies"], huda["favorite_staff_id"]) == ("--03-21", "Latex", lama)
    noura = await stored(own_shop, known)
    assert (noura["birthday"], noura["allergies"]) == ("1985-05-05", "Nuts and milk")  # an empty cell changes nothing
    exported = list(csv.DictReader(io.StringIO((await owner.get("/export/customers.csv")).content.decode("utf-8-sig"))))
    row = next(row for row in exported if row["Phone"].endswith("502207790"))
    assert (row["Birthday"], row["Allergies"], row["Favourite provider"]) == ("'--03-21", "Latex", "Lama Import")


async def test_a_merge_keeps_them_and_erasing_removes_them(own_shop: Shop, owner: DashboardClient) -> None:
    lama = await make_staff(own_shop, "Lama")
    kept, gone = await make_customer(own_shop), await make_customer(own_shop)
    await change_row(own_shop, "customers", kept, allergies="Nuts")
    await change_row(own_shop, "customers", gone, allergies=ALLERGY, birthday="1990-03-21", favorite_staff_id=lama)
    page = f"/customers/{kept}/merge/{gone}"
    fields = form_fields((await owner.get(page)).text, page)
    assert (fields["birthday"], fields["favorite"]) == (["other"], ["other"])
    assert (await owner.post(page, fields)).status_code == 303
    row = await stored(own_shop, kept)
    assert (row["birthday"], row["favorite_staff_id"], row["allergies"]) == ("1990-03-21", lama, f"Nuts\n{ALLERGY}")
    erased = await owner.post(f"/customers/{kept}/erase", {"version": str(row["version"])})
    assert erased.status_code == 303
    row = await stored(own_shop, kept)
    assert (row["birthday"], row["allergies"], row["favorite_staff_id"]) == (None, None, None)
    entries = await own_shop.sql("SELECT before::text, after::text FROM activity WHERE tenant_id = $1")
    assert [entry for entry in entries if ALLERGY in f"{entry['before']}{entry['after']}"] == []
