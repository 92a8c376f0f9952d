"""In a real browser on a phone: from the menu to the ticket, with script and without, in both languages; its weight."""

import json
import re
from datetime import timedelta
from typing import Any

import httpx2
import pytest
from playwright.async_api import Browser, expect

from frontdesk.ui.booking_page import details
from tests.factories.changes import change_tenant
from tests.support.branch import day
from tests.support.pages.browser import open_page
from tests.support.repetitions import share
from tests.support.shop import NO_CERTIFICATES, Shop

SMALL: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
LOOKS = (
    pytest.param("en", {**SMALL, "color_scheme": "light"}, id="phone-en-light"),
    pytest.param("ar", {**SMALL, "color_scheme": "dark", "java_script_enabled": False}, id="no-script-ar-dark"),
)
LOADED = re.compile(r'(?:href|src)="([^"]+\.(?:css|js)\?[^"]*)"')
LONG = "The Very Long Name of the Studio of Her Highness for Hair, Face, Nails and Make-up, Riyadh"


async def slug_of(shop: Shop) -> str:
    await change_tenant(shop, name=LONG, accent="#17594f", deposit_percent=20)
    (row,) = await shop.sql("SELECT slug FROM tenant_slugs WHERE tenant_id = $1 AND is_current")
    return str(row["slug"])


@pytest.mark.torture
@pytest.mark.parametrize(("language", "looks"), share(LOOKS, 0, 2))
async def test_a_customer_books_on_a_phone(
    browser: Browser, own_shop: Shop, language: str, looks: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(details, "MIN_SECONDS", 0.0)  # a test is faster than people
    has_script = looks.get("java_script_enabled", True)
    path = f"/book/{await slug_of(own_shop)}"
    async with open_page(browser, own_shop.origin, locale=language, **looks) as visit:
        page = visit.page
        await visit.go(path)
        if has_script:
            await visit.accept()
        await page.locator(".menu-list a").nth(1).click()
        await page.locator(".people a").first.click()
        await page.locator(".days a").nth(2).click()
        await expect(page.locator(".days a").nth(2)).to_have_attribute("aria-current", "date")
        if has_script:
            await visit.accept()
        chosen = page.locator(".times button").nth(3)
        clock = await chosen.locator("time").inner_text()
        await chosen.click()
        await expect(page.locator("#held")).to_be_visible()
        await expect(page.locator("#bag .button-primary")).to_contain_text(clock)
        if has_script:
            await expect(page.locator("#question")).to_be_focused()
            await visit.accept()
        await page.fill("[name=name]", "Sara Alotaibi")
        await page.fill("[name=phone]", "0553182047")
        if has_script:  # back and forth, nothing typed is lost
            await page.go_back()
            await page.locator(".times button").nth(3).click()
            await expect(page.locator("[name=name]")).to_have_value("Sara Alotaibi")
            await page.locator("#know-me input").check()
        await page.locator("#bag .button-primary").click()
        await page.wait_for_url(re.compile(r"/book/[^/]+/[0-9A-Z]{16}\?"))
        assert clock in await visit.text(".ticket")
        if has_script:
            await visit.accept()
            kept = await page.evaluate("localStorage.getItem('known customer')")
            assert json.loads(kept)["name"] == "Sara Alotaibi"  # as they wished, on their device
        assert await page.context.cookies() == []


async def test_a_language_and_a_reload_take_no_time_from_their_own_customer(browser: Browser, own_shop: Shop) -> None:
    path = f"/book/{await slug_of(own_shop)}?lang=en"
    async with open_page(browser, own_shop.origin, locale="en", **SMALL) as visit:
        page = visit.page
        await visit.go(path)
        await page.locator(".menu-list a").nth(1).click()
        await page.locator(".people a").first.click()
        await page.locator(".days a").nth(2).click()
        await expect(page.locator(".days a").nth(2)).to_have_attribute("aria-current", "date")
        start = str(await page.locator(".times button").nth(3).get_attribute("value"))
        await page.locator(".times button").nth(3).click()
        await expect(page.locator("#held")).to_be_visible()
        await page.fill("[name=name]", "Sara Alotaibi")
        await page.locator("#languages button.button").click()
        await expect(page.locator("html[lang=ar]")).to_be_attached()
        await expect(page.locator("#held")).to_be_visible()  # it is held again, for the same form
        await expect(page.locator("[name=name]")).to_have_value("Sara Alotaibi")
        await expect(page.locator("[name=start]")).to_have_value(start)
        assert "token" not in page.url
        await page.goto(page.url)
        await expect(page.locator(f"[name=start][value='{start}']")).to_be_attached()


async def test_the_booking_page_loads_few_bytes(own_shop: Shop) -> None:
    """As they are sent, compressed: what draws each question, and all of it with the scripts. Pictures come later."""
    path = f"/book/{await slug_of(own_shop)}"
    await change_tenant(own_shop, horizon_days=90)
    month = day(0).replace(day=1) + timedelta(days=32)  # the next one: all of its days can be booked
    async with httpx2.AsyncClient(base_url=own_shop.origin, timeout=120, verify=NO_CERTIFICATES) as http:
        menu = await http.get(path)
        service = re.search(r"services=[0-9a-f-]+", menu.text)
        assert service is not None
        asked = [await http.get(f"{path}?{service[0]}{more}") for more in ("", "&step=when", f"&month={month:%Y-%m}")]
        assert '<table class="month"' in asked[-1].text
        links = {link for page in (menu, *asked) for link in LOADED.findall(page.text)}
        files = {link: await http.get(link) for link in sorted(links)}
    assert len([link for link in files if ".css" in link]) == 3
    for page in (menu, *asked):
        loaded = [(link, _sent(files[link])) for link in LOADED.findall(page.text)]
        drawn = _sent(page) + sum(size for link, size in loaded if ".css" in link)
        assert drawn < 15_000, (page.url, _sent(page), loaded)
        assert _sent(page) + sum(size for _, size in loaded) < 20_000, (page.url, _sent(page), loaded)


def _sent(answer: httpx2.Response) -> int:
    assert answer.status_code == 200
    return int(answer.headers["content-length"])
