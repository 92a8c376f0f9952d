"""In a real browser: the calendar by keyboard, in both languages, wide and on a phone."""

from typing import Any

import pytest
from playwright.async_api import Browser, expect

from tests.factories.changes import ago, change_rows
from tests.factories.people import make_customer
from tests.support.branch import EVERY_DAY, day, line, open_branch, start
from tests.support.dashboard import DashboardClient
from tests.support.pages.browser import open_page
from tests.support.repetitions import share
from tests.support.shop import Shop

WIDE: dict[str, Any] = {"viewport": {"width": 1024, "height": 760}, "color_scheme": "light"}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark", "has_touch": True}
LONG = "Her Highness Princess Jawaher bint Abdullah bin Abdulaziz Al-Mutairi of the Northern Lands"
LOOKS = (pytest.param("en", WIDE, id="wide-en-light"), pytest.param("ar", PHONE, id="phone-ar-dark"))


@pytest.mark.torture
@pytest.mark.parametrize(("language", "looks"), share(LOOKS, 0, 2))
async def test_a_booking_is_opened_and_checked_in_by_keyboard(
    browser: Browser, own_shop: Shop, owner: DashboardClient, language: str, looks: dict[str, Any]
) -> None:
    await owner.post("/language", {"language": language})
    shop, on = await open_branch(own_shop), day(3)
    shop.customer_id = await make_customer(own_shop, LONG)
    cut = await shop.add_service(duration=60)
    first, second = await shop.add_provider(cut), await shop.add_provider(cut)
    placed = await shop.place(line(cut, staff_id=first), start=start(on, "10:00"))
    other = await shop.place(line(cut, staff_id=second), start=start(on, "10:00"))
    shown = f"/calendar?date={on}&branch={shop.branch_id}"
    async with open_page(browser, own_shop.origin, **looks) as desk:
        page = desk.page
        await desk.use_session_of(owner)
        await desk.go(shown)
        await desk.accept()
        blocks = [page.locator(f'#cal .booking[data-order="{order["id"]}"]') for order in (placed, other)]
        await page.locator("#cal").focus()
        await page.keyboard.press("ArrowDown")
        before = 0 if await blocks[0].evaluate("block => block === document.activeElement") else 1
        await page.keyboard.press("ArrowRight" if language == "en" else "ArrowLeft")
        await expect(blocks[1 - before]).to_be_focused()
        await page.keyboard.press("Enter")
        await expect(page.locator("#booking h2")).to_contain_text("Jawaher")
        await expect(blocks[1 - before]).to_have_attribute("aria-current", "true")
        await desk.accept()
        await change_rows(own_shop, "orders", {"branch_id": shop.branch_id}, starts_at=ago())
        await page.reload()
        await page.keyboard.press("s")  # to the side
        await expect(page.locator("#booking button[value=arrived]")).to_be_focused()
        await page.keyboard.press("Enter")
        await expect(page.locator("#booking .fit")).to_be_visible()
        for view in ("week", f"week&staff={first}", "month"):
            await desk.go(f"{shown}&view={view}")
            await desk.accept()
        await page.keyboard.press("t")
        await page.wait_for_url(lambda url: "date=" not in url)


async def test_the_day_opens_at_the_present_hour_and_a_day_is_typed_to_its_end(
    browser: Browser, own_shop: Shop, owner: DashboardClient
) -> None:
    shop = await open_branch(own_shop)
    await shop.set_hours({n: [("00:00", "00:00")] for n in EVERY_DAY})
    cut = await shop.add_service()
    await shop.add_provider(cut)
    late = await shop.add_provider(cut)
    await shop.set_hours({n: [("16:00", "03:00")] for n in EVERY_DAY}, staff_id=late)
    async with open_page(browser, own_shop.origin, viewport={"width": 390, "height": 420}) as desk:
        page = desk.page
        await desk.use_session_of(owner)
        await desk.go(f"/calendar?branch={shop.branch_id}")
        await expect(page.locator("#cal i.now").first).to_be_in_viewport()
        await desk.go(f"/calendar?branch={shop.branch_id}&date={day(3)}")
        free = page.locator(f'#cal .calendar-column[data-staff="{late}"] > a.free')
        await free.click(position={"x": 20, "y": (await free.evaluate("link => link.clientHeight")) - 20})
        await expect(page.locator("#f-date")).to_have_value(str(day(4)))  # after midnight
        await page.evaluate(
            """() => {
                const field = document.querySelector(".head input[name=date]");
                for (const typed of ["0002-01-05", "0020-01-05", "0203-01-05", "2030-01-05"]) {
                    field.value = typed;
                    field.dispatchEvent(new Event("change"));
                }
            }"""
        )
        await page.wait_for_url("**date=2030-01-05**")
        await expect(page.locator("#cal")).to_be_visible()
        assert desk.faults == []


async def test_dragging_over_free_time_and_a_key_block_it(
    browser: Browser, own_shop: Shop, owner: DashboardClient
) -> None:
    shop, on = await open_branch(own_shop), day(3)
    cut = await shop.add_service(duration=60)
    provider = await shop.add_provider(cut)
    order = await shop.place(line(cut, staff_id=provider), start=start(on, "10:00"))
    async with open_page(browser, own_shop.origin, viewport={"width": 1024, "height": 900}) as desk:
        page = desk.page
        await desk.use_session_of(owner)
        await desk.go(f"/calendar?date={on}&branch={shop.branch_id}")
        free = page.locator(f'#cal .calendar-column[data-staff="{provider}"] > .free')
        box = await free.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        await page.mouse.move(x, y)
        await page.mouse.down()
        await page.mouse.move(x, y + 60, steps=4)
        await expect(page.locator("#cal .pickup.blocking")).to_be_visible()
        await page.mouse.up()
        await page.wait_for_url(f"**/staff/{provider}/block?date={on}&start=*&end=*")
        await page.locator("#f-note").fill("Meeting")
        await page.locator("main .button-primary").click()
        await expect(page.locator("#cal .closed-time", has_text="Meeting")).to_be_visible()
        await page.locator(f'#cal .booking[data-order="{order["id"]}"]').focus()
        await page.keyboard.press("b")
        await page.wait_for_url(f"**/staff/{provider}/block?date={on}&start=11%3A00")
