"""In a real browser: a booking in the sheet of the calendar by keyboard, a clash, a series, and the waiting list."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.async_api import Browser, Route, expect

from frontdesk.values.ids import uuid7
from tests.factories.people import make_customer
from tests.support.branch import day, open_branch
from tests.support.dashboard import DashboardClient
from tests.support.pages.browser import open_page
from tests.support.repetitions import share
from tests.support.shop import Shop

WIDE: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}, "color_scheme": "light"}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark", "has_touch": True}
LONG = "Her Highness Princess Jawaher bint Abdullah bin Abdulaziz Al-Mutairi of the Northern Lands"
DAY = day(3)
AFTER_TYPING = 200  # milliseconds
LOOKS = (pytest.param("en", WIDE, id="wide-en-light"), pytest.param("ar", PHONE, id="phone-ar-dark"))


@pytest.mark.torture
@pytest.mark.parametrize(("language", "looks"), share(LOOKS, 0, 2))
async def test_a_booking_is_made_in_the_sheet_while_another_user_books(
    browser: Browser, own_shop: Shop, owner: DashboardClient, language: str, looks: dict[str, Any]
) -> None:
    await owner.post("/language", {"language": language})
    hair = await open_branch(own_shop)
    cut = await hair.add_service(duration=60)
    dana = await hair.add_provider(cut)
    customer = await make_customer(own_shop, LONG, "Zz")
    waiting = {"id": str(uuid7()), "act": "save", "customer": str(customer), "service": str(cut), "first_day": str(DAY)}
    await owner.post("/waiting-list/new", waiting)
    async with open_page(browser, own_shop.origin, **looks) as desk:
        page = desk.page
        await desk.use_session_of(owner)
        await desk.go(f"/calendar?date={DAY}&branch={hair.branch_id}")
        await expect(page.locator(".pickup.waits")).to_have_count(1)
        sheet = page.locator("dialog.sheet")
        free = page.locator(f".calendar-column[data-staff='{dana}'] > .free")
        await free.hover(position={"x": 40, "y": 300}, force=True)
        await free.click(position={"x": 40, "y": 300}, force=True)  # the time under the pointer
        await expect(sheet.locator("#f-time")).not_to_have_value("")
        await page.keyboard.press("Escape")
        await expect(sheet).to_have_count(0)
        await page.keyboard.press("n")
        await expect(sheet.locator("#f-find")).to_be_focused()
        await page.keyboard.type("jawaher", delay=1)
        await expect(sheet.locator(".found button")).to_have_count(2)
        await desk.accept()
        await page.keyboard.press("ArrowDown")
        await page.keyboard.press("Enter")
        await expect(sheet.locator("input[name=customer]")).to_have_value(str(customer))
        await sheet.locator("#f-add_service").select_option(str(cut))
        await sheet.locator("select#f-time").select_option("10:00")
        await expect(page.locator(".booking.mine.new")).to_have_count(1)
        await sheet.locator("#f-note").fill("Kept")
        other = {"id": str(uuid7()), "act": "book", "branch": str(hair.branch_id), "date": str(DAY), "time": "10:00"}
        await owner.post("/calendar/new", other | {"service": str(cut), "provider": str(dana)})
        await sheet.locator("footer .times .button").first.wait_for()  # the page has received the event
        await page.locator(".calendar a.booking").first.dispatch_event("click")
        await expect(page.locator("#booking")).to_have_count(1)  # selected behind the sheet
        await expect(sheet.locator("#f-note")).to_have_value("Kept")
        await desk.accept()
        await sheet.locator("footer .times .button").first.click()
        await sheet.locator("footer .fit").wait_for()
        async with page.expect_event("load"):
            await sheet.locator("footer .button-primary").click()
        await expect(page.locator("#booking")).to_contain_text("Jawaher")
        for path in ("/calendar/new", "/waiting-list", "/waiting-list/new"):
            await desk.go(path)
            await desk.accept()
        await desk.go(f"/calendar/new?date={DAY}&branch={hair.branch_id}&service={cut}&time=15:00")
        await page.locator("details:has(#f-every) summary").click()
        await page.locator("#f-every").select_option("2")
        await page.locator("footer [value=preview]").wait_for()
        await page.locator("#f-times").fill("3")
        await page.locator("footer [value=preview]").click()
        await expect(page.locator("input[name=start]")).to_have_count(3)
        await desk.accept()


async def test_what_is_pressed_and_changed_before_an_answer_counts(
    browser: Browser, own_shop: Shop, owner: DashboardClient
) -> None:
    hair = await open_branch(own_shop)
    cut = await hair.add_service(duration=60)
    await hair.add_provider(cut)
    customer = await make_customer(own_shop, "Jawaher", "Zz")
    is_answered = asyncio.Event()

    async def answer_late(route: Route) -> None:
        if "act=customer" in (route.request.post_data or ""):
            await is_answered.wait()
        await route.continue_()

    async with open_page(browser, own_shop.origin, **WIDE) as desk:
        page = desk.page
        await desk.use_session_of(owner)
        await desk.go(f"/calendar/new?date={DAY}&branch={hair.branch_id}&time=15:00")
        await page.route("**/calendar/new", answer_late)
        await page.locator("#f-find").fill("jawaher")
        await page.locator(".found button[value^='customer:']").click()
        await page.locator("#f-add_service").select_option(str(cut))
        await page.locator("button[value=book]").click()
        is_answered.set()
        await page.wait_for_url("**/calendar?**order=**")
        await expect(page.locator("#booking")).to_contain_text("Jawaher")
    [order] = await own_shop.sql("SELECT customer_id FROM orders WHERE tenant_id = $1 AND customer_id = $2", customer)
    assert order["customer_id"] == customer


async def test_an_answer_takes_neither_the_focus_nor_what_is_typed_meanwhile(
    browser: Browser, own_shop: Shop, owner: DashboardClient
) -> None:
    hair = await open_branch(own_shop)
    cut = await hair.add_service(duration=60)
    await hair.add_provider(cut)
    await make_customer(own_shop, "Jawaher", "Zz")
    await make_customer(own_shop, "Jamila", "Zz")
    held: asyncio.Queue[Route] = asyncio.Queue()

    async def answer() -> None:
        await (await held.get()).continue_()

    async with open_page(browser, own_shop.origin, **WIDE) as desk:
        page = desk.page
        await desk.use_session_of(owner)
        await page.clock.install()
        await desk.go(f"/calendar/new?date={DAY}&branch={hair.branch_id}&service={cut}")
        await page.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))
        await page.route("**/calendar/new", held.put)
        find, said = page.locator("#f-find"), page.locator("#new-customer")
        await find.fill("ja")
        await page.clock.run_for(AFTER_TYPING)
        await find.fill("jaw")  # not sent yet when the answer is here
        await answer()
        await expect(said).to_contain_text("with ja")
        await page.clock.run_for(AFTER_TYPING)
        await answer()
        await expect(said).to_contain_text("with jaw")

        await find.fill("jam")
        await find.press("Enter")  # the one who is shown is not meant
        await answer()
        await expect(said).to_contain_text("with jam")
        await find.press("Enter")
        await answer()
        await expect(page.locator("#new-booking .person")).to_contain_text("Jamila")

        await page.locator("select#f-time").select_option("10:00")
        await page.locator("#f-note").fill("Rings twice")
        await page.locator("button[value=book]").focus()
        await answer()
        await expect(page.locator("#new-booking .fit")).to_be_visible()
        await expect(page.locator("button[value=book]")).to_be_focused()
        await expect(page.locator("#f-note")).to_have_value("Rings twice")
