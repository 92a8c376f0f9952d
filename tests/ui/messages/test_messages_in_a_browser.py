"""In a real browser: the messages of a business and one of them, in both languages and on a phone."""

from typing import Any

import pytest
from playwright.async_api import Browser, expect

from tests.factories.changes import change_row
from tests.factories.people import make_customer
from tests.messages.test_sending import book
from tests.support.branch import open_branch
from tests.support.dashboard import DashboardClient
from tests.support.pages.browser import open_page
from tests.support.repetitions import share
from tests.support.shop import Shop
from tests.ui.customers.test_customers_in_a_browser import LONG, LOOKS

PATH = "/settings/notices"


@pytest.mark.torture
@pytest.mark.parametrize(("language", "looks"), share(LOOKS, 0, 2))
async def test_words_are_written_with_a_preview_and_a_message_is_read(
    browser: Browser, own_shop: Shop, owner: DashboardClient, language: str, looks: dict[str, Any]
) -> None:
    await owner.post("/language", {"language": language})
    hair = await open_branch(own_shop)
    cut = await hair.add_service(duration=30, name=LONG)
    await hair.add_provider(cut)
    customer = await make_customer(own_shop, LONG, "شهيرة")
    await change_row(own_shop, "customers", customer, email="j@example.com")
    await book(owner, hair, customer, cut)
    async with open_page(browser, own_shop.origin, **looks) as desk:
        page = desk.page
        await desk.use_session_of(owner)
        await desk.go(f"{PATH}?kind=reminder")
        await desk.accept()
        await expect(page.locator("textarea[name^=words_]").first).to_have_attribute("lang", language)
        await expect(page.locator("article.mail-preview").first).to_have_attribute("lang", language)
        await page.fill("[name=words_en]", "Bring {service}.")
        await page.locator("button[value=preview]").click()
        await expect(page.locator("main")).to_contain_text("Bring ")
        await desk.accept()
        await page.fill("[name=words_en]", "Bring {nothing}.")
        await page.locator("button[value=save]").click()
        await expect(page.locator("[name=words_en][aria-invalid=true]")).to_be_visible()
        await desk.accept()
        await desk.go(PATH)
        await page.locator(f"a[href^='{PATH}/messages/']").first.click()
        await expect(page.locator("h1")).to_be_visible()
        await desk.accept()
