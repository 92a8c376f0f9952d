"""The documentation as people see it: nothing from elsewhere, nothing against its policy, and "try it" works."""

import re

import pytest
from playwright.async_api import Browser, expect

from frontdesk.docs_site.guide_files import guides
from frontdesk.docs_site.operations import operations
from tests.docs_site.samples import samples
from tests.support.pages.browser import BrowserPage, open_page
from tests.support.repetitions import share
from tests.support.service import Service
from tests.support.shop import Shop

LIGHT: dict[str, object] = {"color_scheme": "light"}
DARK_PHONE: dict[str, object] = {"color_scheme": "dark", "viewport": {"width": 390, "height": 800}}


async def test_a_search_fits_a_phone_in_both_languages(browser: Browser, service: Service) -> None:
    async with open_page(browser, service.origin, **DARK_PHONE) as page:
        for language in ("en", "ar"):
            await page.go(f"/docs/search?q=webhook&language={language}")
            await page.accept()
            await page.go(f"/docs/guides/webhooks{'-ar' if language == 'ar' else ''}")
            await page.accept()


@pytest.mark.torture
@pytest.mark.parametrize(("looks", "part"), [(LIGHT, 0), (DARK_PHONE, 1)], ids=["light", "dark-phone"])
async def test_every_guide_is_accessible(
    looks: dict[str, object], part: int, browser: Browser, service: Service
) -> None:
    reference = ["/docs/reference", *(operation.address for operation in operations() if operation.method == "POST")]
    addresses = ["/docs", "/changelog", "/docs/search?q=order", *(guide.address for guide in guides()), *reference]
    async with open_page(browser, service.origin, **looks) as page:
        for address in share(addresses, part, 6):
            await page.go(address)
            await page.accept()


async def test_a_sample_is_copied_with_the_keyboard(browser: Browser, service: Service) -> None:
    allowed = {"permissions": ["clipboard-read", "clipboard-write"]}
    async with open_page(browser, service.origin, **allowed) as page:
        await page.go("/docs/guides/quick-start")
        sample = page.page.locator(".code").nth(1)
        await sample.get_by_role("button", name="Copy", exact=True).focus()
        await page.page.keyboard.press("Enter")
        await expect(sample.get_by_role("button")).to_have_text("Copied")
        assert await page.page.evaluate("navigator.clipboard.readText()") == samples("quick-start")[1].code
        await page.page.keyboard.press("Tab")
        await expect(sample.get_by_role("button")).to_have_text("Copy")
        assert page.faults == []


async def test_a_browser_without_a_clipboard_shows_no_copy_button(browser: Browser, service: Service) -> None:
    async with open_page(browser, service.origin) as page:
        await page.page.add_init_script("delete Navigator.prototype.clipboard")
        await page.go("/docs/guides/quick-start")
        await expect(page.page.locator(".prose pre").first).to_be_visible()
        await expect(page.page.get_by_role("button", name="Copy")).to_have_count(0)
        assert page.faults == []


async def test_an_application_is_tried_with_its_own_credentials(browser: Browser, service: Service, shop: Shop) -> None:
    async with open_page(browser, service.origin) as page:
        await page.go("/docs/open-api")
        await page.page.click(".btn.authorize")
        await page.page.fill("#client_id_clientCredentials, #client_id", shop.sandbox.client_id)
        await page.page.fill("#client_secret_clientCredentials, #client_secret", shop.sandbox.client_secret)
        await page.page.click(".modal-ux .auth-btn-wrapper .authorize >> nth=0")
        await page.page.click(".modal-ux .btn-done >> nth=0")
        await _try_out(page, "#operations-Branches-list_branches", '"current_page": 1')


async def test_a_till_is_tried_with_its_key(browser: Browser, service: Service, shop: Shop) -> None:
    async with open_page(browser, service.origin) as page:
        await page.go("/docs/key-api")
        await page.page.click(".btn.authorize")
        await page.page.fill(".modal-ux input[type=text]", shop.sandbox.api_key)
        await page.page.click(".modal-ux .auth-btn-wrapper .authorize >> nth=0")
        await page.page.click(".modal-ux .btn-done >> nth=0")
        await _try_out(page, "#operations-Tags-list_tags", '"model": "customers"')


async def test_an_order_is_checked_and_saved_from_its_page(browser: Browser, service: Service) -> None:
    shop = await service.new_shop()
    async with open_page(browser, service.origin) as page:
        await page.go("/docs/reference/open-api/create_order")
        panel = page.page.locator("#try-it")
        await panel.get_by_label("Client id").fill(shop.sandbox.client_id)
        await panel.get_by_label("Client secret").fill(shop.sandbox.client_secret)
        await panel.get_by_role("button", name="Connect", exact=True).click()
        await panel.get_by_role("button", name="Use my records").click()
        body = panel.get_by_label("Body")
        await expect(body).not_to_have_value(re.compile("018f3c1e"))
        await body.press("Control+Enter")
        status = panel.locator("[data-status]")
        await expect(status).to_have_text("201 would be saved")
        await panel.get_by_label("Only check, save nothing").uncheck()
        await panel.get_by_role("button", name="Send").click()
        await expect(status).to_have_text("201 saved")
        await page.accept()
        await page.go("/docs/reference/open-api/list_branches")  # it stays connected
        await panel.get_by_role("button", name="Send").click()
        await expect(panel.locator("pre code")).to_contain_text('"current_page": 1')
        await panel.get_by_role("button", name="Disconnect").click()
        await expect(panel.get_by_label("Client id")).to_be_focused()
        assert page.faults == []


async def test_credentials_that_are_wrong_say_so_beside_the_button(browser: Browser, service: Service) -> None:
    async with open_page(browser, service.origin) as page:
        await page.go("/docs/reference/open-api/list_items")
        panel = page.page.locator("#try-it")
        await panel.get_by_label("Client id").fill("fdc_unknown")
        await panel.get_by_label("Client secret").fill("fds_wrong")
        await panel.get_by_role("button", name="Connect", exact=True).click()
        await expect(panel.get_by_role("alert")).to_have_text("The client id or client secret is wrong.")
        await expect(panel.get_by_role("button", name="Send")).to_be_hidden()


async def test_the_language_of_the_samples_is_remembered(browser: Browser, service: Service) -> None:
    async with open_page(browser, service.origin) as page:
        await page.go("/docs/reference/open-api/list_items")
        await page.page.locator(".tablist").get_by_text("TypeScript").click()
        await page.go("/docs/reference/open-api/list_staff")
        await expect(page.page.locator(".pane-3")).to_be_visible()
        assert page.faults == []


async def _try_out(page: BrowserPage, operation: str, expected: str) -> None:
    place = page.page.locator(operation)
    await place.locator(".opblock-summary-control").click()
    await place.locator(".try-out__btn").click()
    await place.locator(".execute").click()
    await expect(place.locator(".live-responses-table .response .response-col_status")).to_contain_text("200")
    await expect(place.locator(".live-responses-table .response .microlight").first).to_contain_text(expected)
    assert page.faults == []
