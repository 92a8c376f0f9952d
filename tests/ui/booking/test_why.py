"""Why a time is not offered, as the front desk reads it."""

import re
from html import unescape
from typing import Any
from uuid import UUID

import pytest

from frontdesk.auth.types import Role
from tests.factories.changes import change_tenant
from tests.factories.people import make_staff
from tests.factories.users import make_user
from tests.support.branch import BranchFixture, day, line, local, open_branch, start
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.shop import Shop

DAY = day(3)


@pytest.fixture
async def hair(own_shop: Shop) -> BranchFixture:
    return await open_branch(own_shop)


async def asked(desk: DashboardClient, branch: BranchFixture, service: UUID, time: str, **more: Any) -> str:
    query = {"date": str(DAY), "time": time, "service": str(service), "branch": str(branch.branch_id), **more}
    page = await desk.get("/calendar/why?" + "&".join(f"{name}={value}" for name, value in query.items()))
    assert page.status_code == 200
    text = re.sub(r"<[^>]*>", " ", page.text[page.text.index("<main") :])
    return re.sub(r"\s+", " ", unescape(text)).replace("\u2066", "").replace("\u2069", "")


async def test_every_provider_has_their_reason_and_a_way_on(hair: BranchFixture, owner: DashboardClient) -> None:
    service = await hair.add_service(duration=60)
    booked, away = await hair.add_provider(service), await hair.add_provider(service)
    await make_staff(hair.shop, "Somebody else", branch_id=hair.branch_id)
    placed = await hair.place(line(service, staff_id=booked), start=start(DAY, "15:00"))
    await hair.take_off(away, local(DAY, "14:00"), local(DAY, "18:00"))
    text = await asked(owner, hair, service, "15:00")
    assert "Why is 15:00 not offered?" in text
    assert "Booked 15:00 to 16:00" in text
    assert "Time off 14:00 to 18:00" in text
    assert "1 other does not perform it" in text
    assert "Somebody else" in text
    page = (await owner.get(f"/calendar/why?date={DAY}&time=15:00&service={service}&branch={hair.branch_id}")).text
    assert f'href="/orders/{placed["id"]}"' in page
    assert f'href="/staff/{away}"' in page
    assert re.findall(r'href="/calendar/new\?[^"]*time=(\d\d)%3A(\d\d)', page) == [
        ("13", "45"),
        ("14", "00"),
        ("16", "00"),
    ]
    assert "14:00 is offered" in await asked(owner, hair, service, "14:00")
    late = await asked(owner, hair, service, "16:30")
    assert "Works until 17:00; 60 minutes are needed" in late
    assert "Outside the opening hours: 09:00–17:00" in await asked(owner, hair, service, "08:00")


async def test_the_form_of_a_booking_leads_to_the_reasons(hair: BranchFixture, owner: DashboardClient) -> None:
    service = await hair.add_service()
    provider = await hair.add_provider(service)
    await hair.place(line(service), start=start(DAY, "15:00"))
    path = f"/calendar/new?date={DAY}&time=15:00&service={service}&staff={provider}"
    found = re.search(r'href="(/calendar/why[^"]*)"[^>]*>([^<]*)<', (await owner.get(path)).text)
    assert found
    assert found[2] == "Why is 15:00 not offered?"
    page = await owner.get(unescape(found[1]))
    assert page.status_code == 200
    assert "Booked" in page.text


async def test_the_rules_of_the_booking_page_are_named(hair: BranchFixture, owner: DashboardClient) -> None:
    service = await hair.add_service()
    await hair.add_provider(service)
    await change_tenant(hair.shop, notice_hours=200)
    assert "10:00 is offered" in await asked(owner, hair, service, "10:00")
    assert "Too soon to book online" in await asked(owner, hair, service, "10:00", online="yes")
    await change_tenant(hair.shop, notice_hours=0, horizon_days=1)
    assert "Too far ahead to book online" in await asked(owner, hair, service, "10:00", online="yes")


async def test_a_receptionist_finds_the_reasons_without_links_to_what_they_may_not_change(hair: BranchFixture) -> None:
    service = await hair.add_service()
    away = await hair.add_provider(service)
    await hair.take_off(away, local(DAY, "14:00"), local(DAY, "18:00"))
    async with await dashboard_of(hair.shop, await make_user(hair.shop, Role.RECEPTIONIST, name="Huda")) as desk:
        page = await desk.get(f"/calendar/why?date={DAY}&time=15:00&service={service}&branch={hair.branch_id}")
        assert "Time off" in page.text
        assert f'href="/staff/{away}"' not in page.text
        assert (await desk.get(f"/calendar/why?date={DAY}&service={away}&time=15:00")).status_code == 200
        assert (await desk.get("/calendar/why")).status_code == 200
