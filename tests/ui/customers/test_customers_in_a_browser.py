"""In a real browser: customers from the search to the merge, in both languages, by keyboard and on a phone."""

import re
from typing import Any

import pytest
from playwright.async_api import Browser, expect

from frontdesk.values.ids import uuid7
from tests.factories.people import make_customer
from tests.support.dashboard import DashboardClient
from tests.support.pages.browser import open_page
from tests.support.repetitions import share
from tests.support.shop import Shop

WIDE: dict[str, Any] = {"viewport": {"width": 1024, "height": 760}, "color_scheme": "light"}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark", "has_touch": True}
LONG = "Her Highness Princess Jawaher bint Abdullah bin Abdulaziz Al-Mutairi of the Northern Lands"

LOOKS = (pytest.param("en", WIDE, id="wide-en-light"), pytest.param("ar", PHONE, id="phone-ar-dark"))


@pytest.mark.torture
@pytest.mark.parametrize(("language", "looks"), share(LOOKS, 1, 2))
async def test_customers_are_found_while_typing_and_merged(
    browser: Browser, own_shop: Shop, owner: DashboardClient, language: str, looks: dict[str, Any]
) -> None:
    await owner.post("/language", {"language": language})
    kept, other = await make_customer(own_shop, LONG, "شهيرة"), await make_customer(own_shop, LONG, "شهيره")
    await owner.post(f"/customers/{kept}/notes", {"id": str(uuid7()), "text": "Allergic", "is_warning": "yes"})
    await owner.post(f"/customers/{kept}/tags", {"tag": "Loyal"})
    async with open_page(browser, own_shop.origin, **looks) as desk:
        page = desk.page
        await desk.use_session_of(owner)
        await desk.go("/customers")
        await page.keyboard.press("/")
        await page.keyboard.type("شهيره jawaher", delay=1)
        await expect(page.locator("#found tbody tr")).to_have_count(2)
        await expect(page.locator("#found mark").first).to_be_visible()
        await expect(page).to_have_url(re.compile("search=.+jawaher"))  # what is drawn has all that was typed
        await desk.accept()
        await page.fill("main [type=search]", "Nobody Here")
        await expect(page.locator("#found .empty")).to_be_visible()
        await desk.accept()
        await desk.go(f"/customers/{kept}")
        await desk.accept()
        await page.locator(f"a[href='/customers/{kept}/merge/{other}']").click()
        await desk.accept()
        await page.locator("main form .button-primary").click()
        await page.wait_for_url(f"{own_shop.origin}/customers/{kept}")
        await desk.go(f"/customers/{other}")
        assert page.url == f"{own_shop.origin}/customers/{kept}"
        for path in ("edit", "block", "erase", "merge"):
            await desk.go(f"/customers/{kept}/{path}")
            await desk.accept()
        await desk.go("/customers")
        await page.keyboard.press("n")
        await page.wait_for_url(f"{own_shop.origin}/customers/new")
        await desk.accept()
