"""In a real browser: a branch, its hours and a provider, in both languages, wide and on a phone."""

from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from tests.factories.users import owner_of
from tests.support.branch import day, line, open_branch, start
from tests.support.dashboard import dashboard_of
from tests.support.pages.browser import open_page
from tests.support.repetitions import share
from tests.support.service import Service
from tests.support.shop import Shop

WIDE: dict[str, Any] = {"viewport": {"width": 1024, "height": 760}, "color_scheme": "light"}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark", "has_touch": True}
LONG = "Abdulrahman bin Muhammad Al-Qahtani Al-Zahrani of the northern Olaya and Sulaimaniyah !"

LOOKS = (pytest.param("en", WIDE, id="wide-en-light"), pytest.param("ar", PHONE, id="phone-ar-dark"))


async def change_a_day_in_its_row(page: Page) -> None:
    tuesday = page.locator("#d2")
    await tuesday.locator("[data-edit]").focus()
    await page.keyboard.press("Space")
    await expect(tuesday.locator(".input").nth(0)).to_be_focused()
    await tuesday.locator("[data-remove]").nth(1).click()
    await expect(tuesday.locator(".hours-bar")).to_have_count(1)
    await expect(tuesday.locator(".input").nth(0)).to_be_focused()
    await page.keyboard.type("13")
    await page.keyboard.press("Tab")
    await expect(tuesday.locator(".tagged:visible")).to_have_count(1)  # ends on the next day
    await tuesday.locator(".input").nth(1).fill("25")
    await page.keyboard.press("Tab")
    await expect(tuesday.locator(".error")).to_be_visible()
    await expect(tuesday.locator(".input").nth(1)).to_have_attribute("aria-invalid", "true")
    await tuesday.locator(".input").nth(0).fill("10")
    await tuesday.locator(".input").nth(1).fill("18.30")
    await page.keyboard.press("Tab")
    await expect(tuesday.locator(".error")).to_have_count(0)
    await expect(tuesday.locator(".hours-text time")).to_have_text("10:00–18:30")
    await page.keyboard.press("Escape")
    await expect(tuesday.locator(".input").nth(0)).to_be_hidden()
    await expect(tuesday.locator("[data-edit]")).to_be_focused()


async def test_the_times_of_a_day_can_be_read_at_every_width(browser: Browser, own_shop: Shop) -> None:
    """In the bars where there is room for them, else below."""
    await open_branch(own_shop)
    async with (
        await dashboard_of(own_shop, await owner_of(own_shop)) as owner,
        open_page(browser, own_shop.origin, **WIDE) as desk,
    ):
        await desk.use_session_of(owner)
        await desk.go("/settings/hours")
        for width in (1440, 1024, 820, 768, 700, 640, 390):
            await desk.page.set_viewport_size({"width": width, "height": 900})
            await expect(desk.page.locator(".week li time.ltr:visible"), f"{width}").to_have_count(7)


@pytest.mark.torture
@pytest.mark.parametrize(("language", "looks"), share(LOOKS, 1, 2))
async def test_a_provider_from_the_first_hour_to_the_last_booking(
    browser: Browser, service: Service, other_shop: Shop, language: str, looks: dict[str, Any]
) -> None:
    branch = await open_branch(await service.new_shop())
    item = await branch.add_service(duration=60)
    leaving, _ = await branch.add_provider(item), await branch.add_provider(item)
    await branch.place(line(item, staff_id=leaving), start=start(day(3), "10:00"))
    async with (
        await dashboard_of(branch.shop, await owner_of(branch.shop)) as owner,
        open_page(browser, branch.shop.origin, **looks) as desk,
    ):
        page = desk.page
        await owner.post("/language", {"language": language})
        await desk.use_session_of(owner)
        await desk.go("/staff/new")
        await desk.accept()
        await page.fill("#f-name", LONG)
        await page.select_option("#f-branch_id", str(branch.branch_id))
        await page.click("main form .button-primary")
        await page.wait_for_url("**/services")
        card = page.url.removeprefix(branch.shop.origin).removesuffix("/services")
        await desk.go(card)
        await expect(page.locator("h1")).to_have_text(LONG)
        await desk.go(f"{card}/hours")
        await page.check("[value=own]")
        sunday = page.locator("[data-day='0']")
        await sunday.locator(".input").nth(0).fill("9")
        await sunday.locator(".input").nth(1).fill("12:00")
        await sunday.locator("[data-add]").click()
        await sunday.locator(".input").nth(2).fill("20:00")
        await sunday.locator(".input").nth(3).fill("01:30")
        await expect(sunday.locator(".tagged:visible")).to_have_count(0)
        await sunday.locator("[data-spread]").click()
        await expect(page.locator(".week .hours-bar")).to_have_count(14)  # drawn, not saved
        await desk.accept()
        await page.click("main form .button-primary")
        await page.wait_for_url(f"**{card}")
        await expect(page.locator(".week .hours-bar")).to_have_count(14)
        widths = await page.eval_on_selector_all(".week .track", "all => all.map((track) => track.clientWidth)")
        assert len(set(widths)) == 1, widths  # the hours above the bars have the same scale
        await change_a_day_in_its_row(page)
        await desk.accept()
        await page.click("[data-unsaved-hours] .button-primary")
        await page.wait_for_url(f"**{card}")
        await expect(page.locator(".week .hours-bar")).to_have_count(13)
        await expect(page.locator("#d2 .hours-text time")).to_have_text("10:00–18:30")
        await desk.go(f"/staff/{leaving}/time-off/new")
        await desk.accept()
        await page.fill("#f-first_day", str(day(3)))
        await page.click("main form .button-primary")
        await expect(page.locator("main table tbody tr")).to_have_count(1)  # what it would strand
        await desk.accept()
        for path in (
            *("/staff", f"/staff/{leaving}/leave", f"{card}/edit", f"/staff/{leaving}/services"),
            *(f"{card}/exceptions/new", "/settings/branches", "/settings/branches/new"),
            *(f"/settings/branches/{branch.branch_id}", f"/settings/branches/{branch.branch_id}/deactivate"),
            *(f"/settings/hours?branch={branch.branch_id}", f"/settings/hours/{branch.branch_id}"),
        ):
            await desk.go(path)
            await desk.accept()
