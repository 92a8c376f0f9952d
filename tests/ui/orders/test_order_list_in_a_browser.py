"""In a real browser: an order is edited, several are changed at once, and a view is saved."""

from typing import Any

import pytest
from playwright.async_api import Browser, expect

from tests.factories.orders import make_order
from tests.support.dashboard import DashboardClient
from tests.support.pages.browser import open_page
from tests.support.repetitions import share
from tests.support.shop import Shop

WIDE: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}, "color_scheme": "light"}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark", "has_touch": True}
LOOKS = (pytest.param("en", WIDE, id="wide-en-light"), pytest.param("ar", PHONE, id="phone-ar-dark"))


@pytest.mark.torture
@pytest.mark.parametrize(("language", "looks"), share(LOOKS, 1, 2))
async def test_orders_are_edited_changed_together_and_found_by_a_view(
    browser: Browser, own_shop: Shop, owner: DashboardClient, language: str, looks: dict[str, Any]
) -> None:
    first, second = await make_order(own_shop, 1, price="45"), await make_order(own_shop, 1, price="45")
    await owner.post("/language", {"language": language})
    async with open_page(browser, own_shop.origin, **looks) as desk:
        page = desk.page
        await desk.use_session_of(owner)
        await desk.go(f"/orders/{first}/edit")
        quantity = page.locator("input[name=quantity]").first
        await quantity.fill("4")
        await page.keyboard.press("Tab")
        await expect(page.locator("main")).to_contain_text("180")
        await quantity.fill("3")
        await page.locator("button[value=save]").hover()
        async with page.expect_response("**/edit"):
            await page.mouse.down()  # leaves the field; what follows arrives before the button is released
        async with page.expect_navigation():
            await page.mouse.up()  # the click counts: the page asks to check the new total first
        await page.locator("button[value=save]").click()
        await page.wait_for_url(f"**/orders/{first}")
        await desk.go("/orders")
        await expect(page.locator("#bulk")).to_be_hidden()
        for order in (first, second):
            await page.locator(f".select-cell input[value='{order}']").check()
        await expect(page.locator("#bulk")).to_be_visible()
        await desk.accept()
        await page.locator("#bulk select").select_option("complete")
        await page.locator("#bulk button").click()
        await desk.accept()
        await page.locator("main button.button-primary").click()
        await desk.go("/orders?status=completed")
        await page.locator(".head .menu summary").first.click()
        await page.locator("a[href^='/orders/views/new']").click()
        await page.locator("#f-name").fill("Done")
        await page.locator("main button.button-primary").click()
        await expect(page.locator("a[href='/orders?status=completed'][aria-current] bdi")).to_have_text("Done")
    rows = await own_shop.sql(
        "SELECT status, total::integer FROM orders WHERE tenant_id = $1 AND id = ANY ($2) ORDER BY order_number",
        [first, second],
    )
    assert [tuple(row) for row in rows] == [("completed", 135), ("completed", 45)]
