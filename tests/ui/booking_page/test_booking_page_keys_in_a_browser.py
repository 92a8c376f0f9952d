"""In a real browser, by keyboard alone: the days of a month that can be chosen, from right to left too."""

from playwright.async_api import Browser, expect

from tests.support.pages.browser import open_page
from tests.support.shop import Shop

DAYS = ".month a"


async def test_arrow_keys_go_among_the_days_of_a_month(browser: Browser, own_shop: Shop) -> None:
    (row,) = await own_shop.sql("SELECT slug FROM tenant_slugs WHERE tenant_id = $1 AND is_current")
    async with open_page(browser, own_shop.origin, locale="ar") as visit:
        page = visit.page
        await visit.go(f"/book/{row['slug']}")
        await page.locator(".menu-list a").nth(1).click()
        await page.locator(".people a").first.click()
        await page.locator('.segments a[href*="month="]').last.click()
        await expect(page.locator(".month")).to_be_visible()
        month = page.locator(".week-steps span")
        first = await month.inner_text()
        await page.get_by_label("الشهر التالي").click()
        await expect(month).not_to_have_text(first)
        await expect(page.get_by_role("grid").get_by_role("row")).not_to_have_count(0)
        await expect(page.locator(f"{DAYS}:not([tabindex='-1'])")).to_have_count(1)  # one stop of the Tab key
        await visit.accept()
        await page.locator(DAYS).first.focus()
        await page.keyboard.press("ArrowLeft")
        await expect(page.locator(DAYS).nth(1)).to_be_focused()
        await page.keyboard.press("Tab")
        await page.keyboard.press("Shift+Tab")
        await expect(page.locator(DAYS).nth(1)).to_be_focused()
        await page.keyboard.press("ArrowRight")
        await expect(page.locator(DAYS).first).to_be_focused()
        await page.keyboard.press("End")
        await expect(page.locator(DAYS).last).to_be_focused()
        await page.keyboard.press("Home")
        await page.keyboard.press("Enter")
        await expect(page.locator(DAYS).first).to_have_attribute("aria-current", "date")
        await expect(page.locator(DAYS).first).to_be_focused()
        await page.keyboard.press("PageUp")
        await expect(month).to_have_text(first)
