"""In a real browser: an order from its place in the list to its refund, and a plan that the operator takes away."""

from typing import Any
from uuid import UUID

import pytest
from playwright.async_api import Browser, expect

from frontdesk.values.ids import uuid7
from tests.factories.changes import change_tenant
from tests.factories.orders import make_order
from tests.factories.users import make_user
from tests.factories.webhooks import insert_attempt, insert_delivery, insert_event, insert_webhook
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.pages.browser import BrowserPage, open_page
from tests.support.pages.page_fixtures import ids_of
from tests.support.repetitions import share
from tests.support.shop import Shop

WIDE: dict[str, Any] = {"viewport": {"width": 1280, "height": 860}, "color_scheme": "light", "locale": "en"}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "color_scheme": "dark",
    "locale": "ar",
    "has_touch": True,
}
CONSOLE = (
    "/operator/health",
    "/operator/tenants",
    "/operator/tenants/new",
    "/operator/tenants/{tenant_id}",
    "/operator/users",
    "/operator/users/{user_id}",
)

LOOKS = (pytest.param("en", WIDE, id="wide-en-light"), pytest.param("ar", PHONE, id="phone-ar-dark"))


async def test_an_order_is_paid_invoiced_and_refunded_in_a_browser(
    browser: Browser, own_shop: Shop, owner: DashboardClient
) -> None:
    order_id = await make_order(own_shop, 2, 1, price="45")
    async with open_page(browser, own_shop.origin, **WIDE) as desk, open_page(browser, own_shop.origin, **WIDE) as late:
        for watched in (desk, late):
            await watched.use_session_of(owner)
        await late.go(f"/orders/{order_id}/cancel")
        await late.accept()
        await desk.go("/orders")
        await desk.page.locator(f'a[href="/orders/{order_id}"]').click()
        await expect(desk.page.locator(".head")).to_contain_text("Unpaid")
        await desk.accept()
        await pay_it(desk, own_shop, order_id)
        await invoice_it(desk)
        await late.page.click("button.button-danger")
        await expect(late.page.get_by_role("alert")).to_contain_text("changed this")
        await expect(late.page.locator("main")).to_contain_text("A credit note of")
        await late.accept()
        await refund_a_line(desk)
        await desk.page.click("summary:has-text('Change status')")
        await expect(desk.page.locator(f'a[href="/orders/{order_id}/cancel"]')).to_be_visible()
        await desk.accept()
        await desk.page.fill("#f-note", "All done")
        await desk.page.keyboard.press("Enter")
        await expect(desk.page.locator("details.menu[open]")).to_be_visible()  # nothing was chosen by that
        await desk.page.click("button[value=completed]")
        await expect(desk.page.locator(".head")).to_contain_text("Completed")
        await expect(desk.page.locator(".timeline")).to_contain_text("“All done”")


async def pay_it(desk: BrowserPage, own_shop: Shop, order_id: UUID) -> None:
    await desk.page.click("text=Take payment")
    await expect(desk.page.locator("#f-amount")).to_have_value("135.00")
    await desk.page.fill("#f-amount", "135.01")
    await desk.page.click("text=Record the payment")
    await expect(desk.page.locator("#f-amount-e")).to_have_text("Only 135.00 is left to pay.")
    await desk.accept()
    await desk.page.fill("#f-amount", "135.00")
    await desk.page.dblclick("text=Record the payment")
    await expect(desk.page.locator(".head")).to_contain_text("Paid")
    await expect(desk.page.locator(".toasts")).to_contain_text("Payment recorded. Print receipt")
    await desk.accept()
    rows = await own_shop.sql("SELECT amount FROM transactions WHERE tenant_id = $1 AND order_id = $2", order_id)
    assert [row["amount"] for row in rows] == [135]


async def invoice_it(desk: BrowserPage) -> None:
    await desk.page.click("text=Issue invoice")
    await desk.accept()
    await desk.page.click("button:has-text('Issue the invoice')")
    await expect(desk.page.locator(".toasts")).to_contain_text("Invoice issued.")
    await desk.accept()
    for language, direction in (("English", "ltr"), ("العربية", "rtl")):
        async with desk.page.context.expect_page() as opening:
            await desk.page.click(f"[aria-label='Invoice as a page, {language}']")
        opened = await opening.value
        await opened.wait_for_load_state()
        assert await opened.get_attribute("html", "dir") == direction
        await opened.close()


async def refund_a_line(desk: BrowserPage) -> None:
    await desk.page.click("a.button:has-text('Refund')")
    await desk.page.locator("[name=quantity]").first.fill("1")
    await desk.page.check("[name=restock]")
    await desk.page.fill("#f-reason", "Returned unopened")
    await desk.accept()
    await desk.page.click("text=Refund the chosen lines")
    await expect(desk.page.locator(".head")).to_contain_text("Partially refunded")
    await expect(desk.page.locator("main")).to_contain_text("Returned unopened")
    await desk.accept()


@pytest.mark.torture
@pytest.mark.parametrize(("language", "looks"), share(LOOKS, 0, 2))
async def test_orders_with_refunds_and_invoices_are_accessible(
    browser: Browser, own_shop: Shop, owner: DashboardClient, language: str, looks: dict[str, Any]
) -> None:
    await owner.post("/language", {"language": language})
    order_id = await make_order(own_shop, 3, 1, paid="40")
    await owner.post(
        f"/orders/{order_id}/refund", {"id": str(uuid7()), "what": "whole", "reason": "broken", "sure": "yes"}
    )
    await owner.post(f"/orders/{order_id}/invoice", {"id": str(uuid7())})
    (child,) = await own_shop.sql("SELECT id FROM orders WHERE tenant_id = $1 AND parent_id = $2", order_id)
    async with open_page(browser, own_shop.origin, **looks) as desk:
        await desk.use_session_of(owner)
        for path in (f"/orders/{order_id}", f"/orders/{child['id']}", "/orders?search=nobody", "/orders?payment=paid"):
            await desk.go(path)
            await desk.accept()
        await desk.go(f"/orders/{order_id}")
        await desk.page.click("main details.menu summary")
        await expect(desk.page.locator("main details.menu > div")).to_be_in_viewport(ratio=1)
        if looks is PHONE:
            await desk.go("/orders")
            await expect(desk.page.locator("[name=payment]")).to_be_hidden()
            await desk.page.click("label[for=more]")
            await expect(desk.page.locator("[name=payment]")).to_be_visible()
            await desk.accept()


@pytest.mark.parametrize(("language", "looks"), LOOKS)
async def test_the_operator_console_is_accessible(
    browser: Browser, own_shop: Shop, language: str, looks: dict[str, Any]
) -> None:
    ids = await ids_of(own_shop)
    await _fail_delivery(own_shop)
    await change_tenant(own_shop, name="Layan Studio " * 8)
    operator = await dashboard_of(own_shop, await make_user(own_shop, None, operator=True))
    async with operator, open_page(browser, own_shop.origin, **looks) as desk:
        await operator.post("/language", {"language": language})
        await desk.use_session_of(operator)
        for path in CONSOLE:
            await desk.go(path.format(**ids))
            await desk.accept()
            assert await desk.page.get_attribute("html", "lang") == language


async def _fail_delivery(shop: Shop) -> None:
    """With the longest error that the console shows."""
    (client,) = await shop.sql("SELECT id FROM api_clients WHERE tenant_id = $1 AND install_id IS NULL LIMIT 1")
    webhook_id = await insert_webhook(shop, client["id"], f"https://hooks.example/{'x' * 80}")
    delivery_id = await insert_delivery(shop, webhook_id, await insert_event(shop))
    await insert_attempt(shop, delivery_id, error=f"could not be sent because of {'long reasons, ' * 5}")


async def test_a_plan_taken_away_in_the_console_closes_the_open_api(browser: Browser, own_shop: Shop) -> None:
    operator = await dashboard_of(own_shop, await make_user(own_shop, None, operator=True))
    assert (await own_shop.get("/branches")).status_code == 200
    async with operator, open_page(browser, own_shop.origin, **WIDE) as desk:
        await desk.use_session_of(operator)
        await desk.go("/operator/tenants")
        await desk.page.keyboard.press("/")
        await expect(desk.page.locator("[type=search]")).to_be_focused()
        await desk.page.keyboard.type(f"{own_shop.tenant_id}")
        await desk.page.keyboard.press("Enter")
        await desk.page.click("table .rowlink")
        await desk.page.check("[value=starter]")
        await desk.page.click("text=Change the plan")
        await expect(desk.page.locator(".toasts")).to_contain_text("Plan changed.")
        refused = await own_shop.get("/branches")
        assert (refused.status_code, refused.json()["error"]) == (403, "feature_disabled")
        await desk.page.check("[value=professional]")
        await desk.page.click("text=Change the plan")
        await expect(desk.page.locator(".toasts")).to_contain_text("Plan changed.")
        assert (await own_shop.get("/branches")).status_code == 200
        await desk.accept()


async def test_the_refund_of_an_appointment_can_be_read_in_both_languages(
    browser: Browser, own_shop: Shop, owner: DashboardClient
) -> None:
    """With a deposit, products to restock and an appointment to give up: everything that the form can hold."""
    (coming, *_) = await own_shop.sql(
        """
        SELECT b.order_id AS id FROM bookings b JOIN orders o ON (o.tenant_id, o.id) = (b.tenant_id, b.order_id)
        WHERE b.tenant_id = $1 AND b.is_active AND o.paid_amount = 0 AND o.status = 'confirmed' AND o.total > 10
        GROUP BY b.order_id HAVING min(lower(b.during)) > now() + interval '1 hour'
        """
    )
    cash = (await own_shop.sql("SELECT id FROM payment_methods WHERE tenant_id = $1 AND type = 'cash'"))[0]["id"]
    payment = {"id": str(uuid7()), "method": str(cash), "amount": "10"}
    assert (await owner.post(f"/orders/{coming['id']}/pay", payment)).status_code == 303
    for looks, label in ((WIDE, "Original payment method"), (PHONE, "الطريقة التي دُفع بها")):
        await owner.post("/language", {"language": looks["locale"]})
        async with open_page(browser, own_shop.origin, **looks) as desk:
            await desk.use_session_of(owner)
            await desk.go(f"/orders/{coming['id']}/refund")
            await expect(desk.page.locator("[name=cancel_order]")).to_be_visible()
            await expect(desk.page.locator("#f-method")).to_contain_text(label)
            await desk.accept()
