"""Orders that wait are chosen and paid together by keyboard alone, on a phone and from right to left."""

from playwright.async_api import Browser, expect

from tests.factories.orders import make_order
from tests.support.dashboard import DashboardClient
from tests.support.pages.browser import open_page
from tests.support.shop import Shop

PHONE = {"width": 390, "height": 844}


async def test_orders_are_ticked_and_paid_by_keyboard(browser: Browser, own_shop: Shop, owner: DashboardClient) -> None:
    orders = [await make_order(own_shop, 1, price=price) for price in ("100", "70")]
    async with open_page(browser, own_shop.origin, locale="ar", viewport=PHONE) as visit:
        page = visit.page
        await visit.use_session_of(owner)
        await visit.go("/till/waiting")
        together = page.locator("#together button")
        await expect(together).to_be_hidden()
        for order_id in orders:
            await page.locator(f'[name="order"][value="{order_id}"]').focus()
            await page.keyboard.press("Space")
        await together.focus()
        await page.keyboard.press("Enter")
        await expect(page.locator("[name=amount]")).to_have_value("170.00")
        await visit.accept()
        await page.locator("[name=given]").fill("200")
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("status")).to_contain_text("30.00")
        await expect(page.locator(".receipt")).to_have_count(2)
        await visit.accept()
