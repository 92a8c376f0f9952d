"""In a real browser: the keys from a search to a payment, and a session that ends while a form is filled in."""

from typing import Any
from uuid import UUID

from playwright.async_api import Browser, expect

from tests.factories.changes import ago
from tests.factories.orders import make_order
from tests.factories.people import make_customer
from tests.factories.users import change_sessions, owner_of
from tests.support.dashboard import DashboardClient
from tests.support.pages.browser import open_page
from tests.support.shop import Shop

WIDE: dict[str, Any] = {"viewport": {"width": 1024, "height": 760}, "color_scheme": "light", "locale": "en"}


async def paid(own_shop: Shop, order_id: UUID) -> list[int]:
    rows = await own_shop.sql("SELECT amount FROM transactions WHERE tenant_id = $1 AND order_id = $2", order_id)
    return [row["amount"] for row in rows]


async def test_a_search_leads_to_a_payment_in_five_keys_and_back_takes_no_second_one(
    browser: Browser, own_shop: Shop, owner: DashboardClient
) -> None:
    order_id = await make_order(own_shop, 3, price="45")
    (order,) = await own_shop.sql("SELECT order_number FROM orders WHERE tenant_id = $1 AND id = $2", order_id)
    await make_customer(own_shop, phone=f"+96650{order['order_number']:07}")  # the same digits
    async with open_page(browser, own_shop.origin, **WIDE) as desk:
        page, key = desk.page, desk.page.keyboard
        await desk.use_session_of(owner)
        await desk.go("/")
        await key.press("?")
        for name in ("/", "N", "F2", "P"):
            await expect(page.locator("dialog#keys kbd").get_by_text(name, exact=True)).to_be_visible()
        await key.press("Escape")
        await key.press("/")
        await expect(page.locator("[type=search]:focus")).to_have_count(1)
        await key.type(str(order["order_number"]))
        await key.press("Enter")
        await expect(page.locator(f"a[href='/orders/{order_id}']")).to_be_focused()
        await key.press("Enter")
        await page.wait_for_url(f"{own_shop.origin}/orders/{order_id}")
        await key.press("p")
        await page.wait_for_url(f"{own_shop.origin}/orders/{order_id}/pay")
        await expect(page.locator("#f-amount")).to_be_focused()
        await page.fill("#f-amount", "45")
        await key.press("Enter")
        await page.wait_for_url(f"{own_shop.origin}/orders/{order_id}")
        assert await paid(own_shop, order_id) == [45]
        for amount in ("45", "50"):  # as it was sent, and changed
            await page.go_back()
            await page.wait_for_url("**/pay")
            await page.fill("#f-amount", amount)
            async with page.expect_navigation():
                await page.click("text=Record the payment")
            assert await paid(own_shop, order_id) == [45]
        await expect(page.locator(".note.bad")).to_contain_text("This form was already submitted with other values.")
        await page.click("text=Record the payment")
        await page.wait_for_url(f"{own_shop.origin}/orders/{order_id}")
        assert await paid(own_shop, order_id) == [45, 50]


async def test_a_session_that_ends_while_a_form_is_filled_in_loses_nothing(
    browser: Browser, own_shop: Shop, owner: DashboardClient
) -> None:
    async with open_page(browser, own_shop.origin, **WIDE) as desk:
        page = desk.page
        await page.add_init_script("delete Navigator.prototype.clipboard")
        await desk.use_session_of(owner)
        await desk.go("/settings/booking-page")
        await expect(page.locator("[data-copy]").first).to_be_hidden()  # there is nothing to copy to
        await desk.go("/customers/new")
        await page.fill("[name=first_name]", "Jawaher")
        await page.fill("[name=phone]", "055 318 2047")
        await change_sessions(own_shop, await owner_of(own_shop), expires_at=ago(seconds=1))
        await page.locator("main form .button-primary").click()
        await expect(page.locator(".note")).to_contain_text("Your session has ended.")
        await page.fill("[name=email]", own_shop.sandbox.email)
        await page.fill("[name=password]", own_shop.sandbox.password)
        await page.keyboard.press("Enter")
        await page.wait_for_url(f"{own_shop.origin}/customers/new")
        await expect(page.locator("[name=first_name]")).to_have_value("Jawaher")
        await page.locator("main form .button-primary").click()
        await expect(page.locator("h1")).to_contain_text("Jawaher")
        (made,) = await own_shop.sql("SELECT phone FROM customers WHERE tenant_id = $1 AND first_name = 'Jawaher'")
        assert made["phone"] == "+966553182047"
