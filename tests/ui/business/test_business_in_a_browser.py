"""In a real browser: the settings of a business, wide in English and on a phone in Arabic, without a flaw of access."""

from typing import Any

import pytest
from playwright.async_api import Browser, expect

from tests.factories.catalog import make_cashier, make_payment_method, make_tax_class
from tests.factories.changes import change_tenant
from tests.support.dashboard import DashboardClient
from tests.support.pages.browser import open_page
from tests.support.repetitions import share
from tests.support.shop import Shop

LONG_NAME = "Layan Studio for hair, nails, lashes and everything that a wedding party could need, 87"
SHAPES: dict[str, dict[str, Any]] = {
    "wide": {"viewport": {"width": 1440, "height": 900}, "color_scheme": "light", "locale": "en"},
    "phone": {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark", "locale": "ar", "has_touch": True},
}


@pytest.mark.torture
@pytest.mark.parametrize(("shape", "part"), [("wide", 0), ("phone", 1)])
async def test_the_settings_are_usable_in_every_shape(
    browser: Browser, own_shop: Shop, owner: DashboardClient, shape: str, part: int
) -> None:
    """Each page in one of the two shapes; in `make torture` in both."""
    settings = SHAPES[shape]
    await change_tenant(own_shop, name=LONG_NAME, setup_hidden_at=None, country=None)
    method, tax_class = (
        await make_payment_method(own_shop, name=LONG_NAME, kind="voucher"),
        await make_tax_class(own_shop, "5"),
    )
    cashier = await make_cashier(own_shop)
    language = settings["locale"]
    await own_shop.sql(
        "UPDATE users SET language = $2 WHERE id IN (SELECT user_id FROM memberships WHERE tenant_id = $1)", language
    )
    paths = (
        "/setup",
        "/settings/business",
        f"/settings/business/tax-classes/{tax_class}",
        "/settings/business/tax-classes/new",
        f"/settings/business/tax-classes/{tax_class}/delete",
        "/settings/payment-methods",
        "/settings/payment-methods/new",
        f"/settings/payment-methods/{method}",
        f"/settings/payment-methods/{method}/delete",
        f"/settings/payment-methods/cashiers/{cashier}",
    )
    async with open_page(browser, own_shop.origin, **settings) as desk:
        await desk.use_session_of(owner)
        for path in share(paths, part, 2):
            await desk.go(path)
            await desk.accept()
        await desk.go("/settings/payment-methods")
        switch = desk.page.get_by_role("switch", name=LONG_NAME)
        await switch.click()
        await expect(desk.page.get_by_role("switch", name=LONG_NAME)).not_to_be_checked()


async def test_what_was_refused_comes_back_with_reload_and_not_with_a_link(
    browser: Browser, own_shop: Shop, owner: DashboardClient
) -> None:
    async with open_page(browser, own_shop.origin) as desk:
        await desk.use_session_of(owner)
        await desk.go("/settings/business")
        hours = desk.page.locator("[name=notice_hours]")
        stored = await hours.input_value()
        await hours.fill("soon")
        await hours.press("Enter")
        await expect(hours).to_have_attribute("aria-invalid", "true")
        await desk.page.reload()
        await expect(hours).to_have_value("soon")
        async with desk.page.expect_response(lambda response: response.request.method == "POST"):
            await hours.press("Enter")  # the field is marked already, so only the response says that it was refused
        await expect(hours).to_have_attribute("aria-invalid", "true")
        await desk.page.locator("nav a[href='/settings/business']").first.click()
        await expect(hours).not_to_have_attribute("aria-invalid", "true")
        await expect(hours).to_have_value(stored)
