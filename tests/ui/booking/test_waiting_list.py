"""The waiting list: who fits into a free time and why the others do not, offers, changes, and who leaves it."""

from collections.abc import AsyncIterator
from datetime import timedelta
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

import httpx2
import pytest

from frontdesk.auth.types import Role
from frontdesk.values.ids import uuid7
from tests.factories.changes import change_rows, delete_rows
from tests.factories.people import make_customer
from tests.factories.users import make_user
from tests.support.branch import BranchFixture, day, local, open_branch
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.service import Service
from tests.support.shop import Shop

DAY = day(3)
PATH = "/waiting-list"
OFFERED = "SELECT id FROM messages WHERE tenant_id = $1 AND kind = 'waiting_list_offer'"


@pytest.fixture
async def hair(own_shop: Shop) -> BranchFixture:
    await delete_rows(own_shop, "waiting_list")
    return await open_branch(own_shop)


@pytest.fixture
async def desk(own_shop: Shop) -> AsyncIterator[DashboardClient]:
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.RECEPTIONIST)) as client:
        yield client


async def entries(shop: Shop) -> list[dict[str, Any]]:
    return [dict(row) for row in await shop.sql("SELECT * FROM waiting_list WHERE tenant_id = $1 ORDER BY created_at")]


async def add(desk: DashboardClient, service: UUID, customer: UUID, **more: str) -> None:
    sent = {
        "id": str(uuid7()),
        "act": "save",
        "customer": str(customer),
        "service": str(service),
        "first_day": str(DAY),
        **more,
    }
    answer = await desk.post(f"{PATH}/new", sent)
    assert (answer.status_code, answer.headers.get("location")) == (303, PATH), answer.text


def offers(page: str) -> list[dict[str, str]]:
    links = [part.split('"')[0] for part in unescape(page).split('href="')[1:]]
    found = [parse_qs(urlsplit(link).query) for link in links if "waiting=" in link]
    return [{name: values[0] for name, values in one.items()} for one in found]


async def test_a_freed_slot_is_offered_and_booking_it_takes_the_entry_off(
    hair: BranchFixture, desk: DashboardClient, own_shop: Shop
) -> None:
    cut = await hair.add_service(duration=60)
    dana = await hair.add_provider(cut)
    await add(desk, cut, hair.customer_id, provider=str(dana), part_of_day="afternoon", note="Calls back")
    (offer,) = offers((await desk.get(PATH)).text)
    assert (offer["date"], offer["time"], offer["staff"]) == (str(DAY), "12:00", str(dana))
    assert "since today" in (await desk.get(PATH)).text
    for email, is_offered in (("sara@people.example", True), (None, False)):
        await change_rows(own_shop, "customers", email=email)
        assert ("Offer by e-mail" in (await desk.get(PATH)).text) is is_offered
    await hair.take_off(dana, local(DAY, "09:00"), local(DAY, "17:00"))
    shown = (await desk.get(PATH)).text
    assert (offers(shown), "Nothing free: time off" in shown) == ([], True)
    await delete_rows(own_shop, "time_off", staff_id=dana)
    panel = await desk.get(f"{PATH}/panel", params={"date": str(DAY)})
    assert offers(panel.text) == [offer]
    assert offers((await desk.get(f"{PATH}/panel", params={"date": str(DAY + timedelta(days=1))})).text) == []
    elsewhere = await open_branch(own_shop)
    await desk.post("/branch", {"branch": str(elsewhere.branch_id), "back": "/calendar"})
    form = await desk.get("/calendar/new", params=offer)
    assert "Book 12:00 with" in form.text
    sent = {"id": str(uuid7()), "act": "book", "branch": str(hair.branch_id), **offer, "provider": str(dana)}
    assert (await desk.post("/calendar/new", sent)).status_code == 303
    assert await entries(own_shop) == []
    (recorded,) = await own_shop.sql(
        "SELECT count(*) FROM activity WHERE tenant_id = $1 AND action LIKE 'customer.waiting%' AND subject_id = $2",
        hair.customer_id,
    )
    assert recorded["count"] == 2


async def test_entries_are_found_changed_with_their_version_and_removed(
    hair: BranchFixture, desk: DashboardClient, own_shop: Shop
) -> None:
    cut, wash = await hair.add_service(), await hair.add_service()
    await hair.add_provider(cut)
    lama = await make_customer(own_shop, "Lamees", "Waits")
    found = await desk.post(f"{PATH}/new", {"id": str(uuid7()), "act": "show", "find": "lamees"})
    assert f'value="customer:{lama}"' in found.text
    refused = await desk.post(
        f"{PATH}/new", {"id": str(uuid7()), "act": "save", "service": str(wash), "first_day": str(DAY)}
    )
    assert refused.status_code == 422
    assert "Choose a customer." in refused.text
    assert "Choose a provider who performs this service." in refused.text
    await add(desk, cut, lama)
    (entry,) = await entries(own_shop)
    change = {"service": str(cut), "first_day": str(DAY), "last_day": str(DAY + timedelta(days=2)), "version": "1"}
    path = f"{PATH}/{entry['id']}"
    assert (await desk.get(path)).status_code == 200
    wrong = await desk.post(path, change | {"last_day": str(DAY - timedelta(days=1))})
    assert (wrong.status_code, "not before the first" in wrong.text) == (422, True)
    assert (await desk.post(path, change)).status_code == 303
    outdated = await desk.post(path, change | {"note": "Late"})
    assert outdated.status_code == 422
    assert (await entries(own_shop))[0]["last_day"] == DAY + timedelta(days=2)
    assert "Lamees" in (await desk.get(f"{path}/remove")).text
    assert (await desk.post(f"{path}/remove")).status_code == 303
    assert await entries(own_shop) == []


async def test_who_was_erased_waits_no_more_and_who_was_merged_waits_on(
    hair: BranchFixture, desk: DashboardClient, owner: DashboardClient, own_shop: Shop
) -> None:
    cut = await hair.add_service()
    await hair.add_provider(cut)
    kept, other, erased = [await make_customer(own_shop) for _ in range(3)]
    await add(desk, cut, other)
    await add(desk, cut, erased)
    versions = {"version": "1", "other_version": "1"}
    merged = await owner.post(f"/customers/{kept}/merge/{other}", versions)
    assert merged.status_code == 303, merged.text
    assert (await owner.post(f"/customers/{erased}/erase", {"version": "1"})).status_code == 303
    assert [entry["customer_id"] for entry in await entries(own_shop)] == [kept]


async def test_several_services_wait_together_and_nobody_waits_twice(
    hair: BranchFixture, desk: DashboardClient
) -> None:
    cut, dye = await hair.add_service(duration=60), await hair.add_service(duration=30)
    dana, noor = await hair.add_provider(cut), await hair.add_provider(dye)
    await hair.take_off(noor, local(DAY, "09:00"), local(DAY, "15:00"))
    await add(desk, cut, hair.customer_id, second_service=str(dye))
    (offer,) = offers((await desk.get(PATH)).text)
    assert (offer["time"], offer["staff"], offer["service"], offer["more"]) == ("14:00", str(dana), str(cut), str(dye))
    assert '<a href="/calendar" aria-current="page"' in (await desk.get(PATH)).text
    booking = await desk.get("/calendar/new", params=offer)
    assert booking.text.count('name="service"') == 2
    twice = {"id": str(uuid7()), "act": "save", "customer": str(hair.customer_id), "service": str(cut)}
    twice |= {"second_service": str(dye), "first_day": str(DAY), "last_day": str(DAY + timedelta(days=3))}
    refused = await desk.post(f"{PATH}/new", twice)
    assert (refused.status_code, "already waits for this service" in refused.text) == (422, True)
    late = await desk.post(f"{PATH}/new", twice | {"first_day": "2199-01-01", "last_day": ""})
    assert (late.status_code, "Choose a day within two years." in late.text) == (422, True)


async def test_only_a_time_of_somebody_who_performs_the_service_is_offered(
    hair: BranchFixture, desk: DashboardClient, own_shop: Shop, service: Service
) -> None:
    cut, wash = await hair.add_service(), await hair.add_service()
    dana, washer = await hair.add_provider(cut), await hair.add_provider(wash)
    stranger = await open_branch(await service.new_shop())
    elsewhere = await stranger.add_provider(await stranger.add_service())
    await change_rows(own_shop, "customers", email="waits@people.example")
    await add(desk, cut, hair.customer_id)
    (entry,) = await entries(own_shop)

    async def offer(staff: UUID, day: object = DAY) -> httpx2.Response:
        times = {"starts_at": f"{day}T10:00:00+03:00", "ends_at": f"{day}T10:30:00+03:00", "staff": str(staff)}
        return await desk.post(f"{PATH}/{entry['id']}/offer", times, follow_redirects=True)

    for staff in (uuid7(), elsewhere, washer):
        assert "Choose a provider who performs this service." in (await offer(staff)).text
    assert "Choose a day within two years." in (await offer(dana, "9999-12-31")).text
    assert "This time is past." in (await offer(dana, "2001-01-01")).text
    local_time = {"starts_at": f"{DAY}T10:00:00", "ends_at": f"{DAY}T10:30:00", "staff": str(dana)}
    assert (await desk.post(f"{PATH}/{entry['id']}/offer", local_time)).status_code == 422
    assert await own_shop.sql(OFFERED) == []
    assert "The offer is on its way." in (await offer(dana)).text
    assert len(await own_shop.sql(OFFERED)) == 1


async def test_an_offer_without_a_provider_that_was_stored_once_is_shown(
    hair: BranchFixture, desk: DashboardClient, own_shop: Shop
) -> None:
    data = """{"starts_at": "2026-01-01T10:00:00Z", "ends_at": "2026-01-01T11:00:00Z", "branch": null, "choice": null,
        "services": [{"names": {"en": "Cut"}, "provider": null}]}"""
    stored = """SELECT queue_message($1, jsonb_build_object('kind', 'waiting_list_offer', 'customer_id', $2::uuid,
        'email', 'sara@people.example', 'name', 'Sara', 'language', 'en', 'data', $3::jsonb)) AS id"""
    (message,) = await own_shop.sql(stored, hair.customer_id, data)
    assert (await desk.get(f"/settings/notices/messages/{message['id']}")).status_code == 200
