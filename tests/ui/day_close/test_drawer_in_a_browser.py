"""In a real browser: a day from opening the drawer to the close, the overview, and the day of a provider."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from playwright.async_api import Browser, expect

from frontdesk.auth.types import Role
from frontdesk.values.ids import uuid7
from tests.factories.changes import change_row
from tests.factories.orders import make_order, move_booking
from tests.factories.users import link_to_staff, make_user
from tests.support.branch import RIYADH, day, line, open_branch
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.pages.browser import open_page
from tests.support.repetitions import share
from tests.support.shop import Shop

WIDE: dict[str, Any] = {"viewport": {"width": 1024, "height": 760}, "color_scheme": "light"}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark", "has_touch": True}
LOOKS = (pytest.param("en", WIDE, id="wide-en-light"), pytest.param("ar", PHONE, id="phone-ar-dark"))
LONG = "Her Highness Princess Jawaher bint Abdullah bin Abdulaziz Al-Mutairi of the Northern Lands"


async def add_own_day(shop: Shop, owner: DashboardClient) -> UUID:
    """A provider with a booking that has begun, of a customer with a warning, and one tomorrow."""
    room = await open_branch(shop)
    service = await room.add_service(duration=30)
    provider = await room.add_provider(service)
    await change_row(shop, "customers", room.customer_id, first_name=LONG)
    noon = datetime.combine(day(1), datetime.min.time(), RIYADH).replace(hour=12)
    for hours in (0, 1):
        booked = line(service, staff_id=str(provider))
        placed = await room.place(booked, start=(noon + timedelta(hours=hours)).isoformat())
    now = datetime.now(RIYADH).replace(second=0, microsecond=0)
    await move_booking(shop, placed["id"], now)
    warning = {"id": str(uuid7()), "text": "Reacted to ammonia", "is_warning": "yes"}
    await owner.post(f"/customers/{room.customer_id}/notes", warning)
    user_id = await make_user(shop, Role.PROVIDER)
    await link_to_staff(shop, user_id, provider)
    return user_id


# As the fields of payment methods other than cash are named; an input with this name hides the form's own property.
ADD_FIELD = "form => form.append(Object.assign(document.createElement('output'), { name: 'method' }))"


@pytest.mark.torture
@pytest.mark.parametrize(("language", "looks"), share(LOOKS, 1, 2))
async def test_a_day_from_the_float_to_the_close(
    browser: Browser, own_shop: Shop, owner: DashboardClient, language: str, looks: dict[str, Any]
) -> None:
    await owner.post("/language", {"language": language})
    done = await make_order(own_shop, 2, paid="5")
    await owner.post(f"/orders/{done}/status", {"status": "completed"})
    user_id = await add_own_day(own_shop, owner)
    async with open_page(browser, own_shop.origin, **looks) as desk:
        page = desk.page
        await desk.use_session_of(owner)
        await desk.go("/")
        await expect(
            page.locator(f".needs a[href='/till?order={done}'], .needs a[href*='payment=unpaid']")
        ).to_be_visible()
        await desk.accept()
        await desk.go("/drawer")
        await desk.accept()
        await page.fill("[name=float]", "500")
        await page.keyboard.press("Enter")
        await expect(page.locator("[name=amount]")).to_be_visible()
        await page.fill("[name=amount]", "120")
        await page.fill("[name=reason]", "Flowers for the desk")
        await page.keyboard.press("Enter")
        await expect(page.locator("tbody tr")).to_have_count(2)
        await desk.accept()
        await desk.go("/day-close")
        pieces = page.locator("[name=pieces]")
        await page.locator("form.closing").evaluate(ADD_FIELD)
        await pieces.nth(4).fill("x")
        await page.locator("form.closing .button-primary").click()
        await expect(page.locator("[name=pieces][aria-invalid]")).to_have_value("x")
        await page.locator("form.closing").evaluate(ADD_FIELD)
        await pieces.nth(4).fill("0")
        await page.locator("form.closing .button-primary").click()
        await expect(page.locator("#f-note-e")).to_be_visible()
        await expect(pieces.nth(4)).to_have_value("0")  # not what was refused before
        await pieces.nth(2).fill("3")
        await pieces.nth(3).fill("1")
        await expect(page.locator("[data-sum=difference]")).to_have_text("\N{MINUS SIGN}30.00")
        await pieces.nth(3).press("Enter")  # keeps the count and closes nothing
        await expect(page.locator("[data-cash] .status")).to_contain_text("30.00")
        await desk.accept()
        await page.locator("form.closing .button-primary").click()
        await expect(page.locator("#f-note-e")).to_be_visible()
        await page.fill("[name=note]", "Taxi, slip missing")
        await page.fill("[name=left]", "300")
        await page.locator("form.closing .button-primary").click()
        await expect(page.locator(".paper-only.sign")).to_be_attached()
        await expect(page.locator("form.closing")).to_have_count(0)
        await desk.accept()
        await desk.go("/day-close/earlier")
        await expect(page.locator("tbody tr")).to_have_count(1)
        await desk.accept()
        async with await dashboard_of(own_shop, user_id) as provider:
            await desk.use_session_of(provider)
            await desk.go("/")
            await expect(page.locator("main")).to_contain_text("Reacted to ammonia")
            await desk.accept()
