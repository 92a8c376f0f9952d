"""Why a time is not offered, in a real browser: it is read, and another time is asked about by keyboard."""

from typing import Any

import pytest
from playwright.async_api import Browser, expect

from tests.support.branch import day, line, local, open_branch, start
from tests.support.dashboard import DashboardClient
from tests.support.pages.browser import open_page
from tests.support.repetitions import share
from tests.support.shop import Shop

WIDE: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}, "color_scheme": "light"}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark", "has_touch": True}
DAY = day(3)
LOOKS = (pytest.param("ar", PHONE, id="phone-ar-dark"), pytest.param("en", WIDE, id="wide-en-light"))


@pytest.mark.parametrize(("language", "looks"), share(LOOKS, 0, 2))
async def test_the_reasons_are_read_and_another_time_is_asked_about(
    browser: Browser, own_shop: Shop, owner: DashboardClient, language: str, looks: dict[str, Any]
) -> None:
    await owner.post("/language", {"language": language})
    hair = await open_branch(own_shop)
    cut = await hair.add_service(duration=60)
    booked, away = await hair.add_provider(cut), await hair.add_provider(cut)
    await hair.add_provider()
    await hair.place(line(cut, staff_id=booked), start=start(DAY, "15:00"))
    await hair.take_off(away, local(DAY, "14:00"), local(DAY, "18:00"))
    async with open_page(browser, own_shop.origin, **looks) as desk:
        page = desk.page
        await desk.use_session_of(owner)
        await desk.go(f"/calendar/why?date={DAY}&time=15:00&service={cut}&branch={hair.branch_id}")
        await expect(page.locator(".checks li")).to_have_count(2)
        await desk.accept()
        await page.locator("#f-time").fill("10:00")
        await page.keyboard.press("Enter")
        await expect(page.locator(".checks li.ok")).to_have_count(2)
