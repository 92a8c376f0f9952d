"""In a real browser on a phone: a booking is seen, moved and canceled without script; sites that may frame the page."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from playwright.async_api import Browser, expect

from tests.factories.settings import change_booking_page
from tests.support.branch import day
from tests.support.pages.browser import open_page
from tests.support.repetitions import share
from tests.support.shop import Shop
from tests.support.waiting import PATIENCE_SECONDS
from tests.ui.booking_page.test_customer_booking import booked, slug_of

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
LOOKS = (
    pytest.param("en", "light", id="en-light"),
    pytest.param("ar", "dark", id="ar-dark"),
)


@pytest.mark.torture
@pytest.mark.parametrize(("language", "scheme"), share(LOOKS, 1, 2))
async def test_a_booking_is_seen_moved_and_canceled_without_script(
    browser: Browser, own_shop: Shop, language: str, scheme: Any
) -> None:
    look = {**PHONE, "color_scheme": scheme, "locale": language}
    async with (
        await booked(own_shop) as customer,
        open_page(browser, own_shop.origin, **look) as checked,
        open_page(browser, own_shop.origin, java_script_enabled=False, **look) as plain,
    ):
        page = plain.page

        async def check(path: str) -> None:
            await checked.go(path)
            await checked.accept()

        await page.goto(f"{own_shop.origin}{customer.path}")
        await check(customer.path)
        await page.locator(".ticket-actions a.button-primary").click()
        await check(f"{customer.path}/move")
        await checked.page.locator(".times label").first.click()
        await expect(checked.page.locator("#new-time time")).to_be_visible()
        await page.locator(f".days a[href*='date={day(6)}']").click()
        await page.locator(f"label:has([value='{day(6)}T14:00'])").click()
        await page.locator(".submit-bar button").click()
        await expect(page.locator(".ticket .ticket-time")).to_have_text("14:00–15:00")
        await page.locator(".cancel summary").click()
        await page.locator(".cancel .button-danger").click()
        await expect(page.locator(".ticket.gone")).to_be_visible()
        await check(customer.path)
        assert (await customer.order())["status"] == "canceled"
        await check(f"{customer.path[:-17]}/mine")
        await check(customer.path[:-17])


@asynccontextmanager
async def site_with_frame(address: str) -> AsyncIterator[str]:
    """A site on another origin that shows the page in a frame."""
    body = f'<!doctype html><title>Site</title><iframe src="{address}" width="400" height="700"></iframe>'.encode()
    head = f"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n"

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(head.encode() + body)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


@pytest.mark.torture
async def test_a_named_site_shows_the_page_in_a_frame_and_another_does_not(browser: Browser, own_shop: Shop) -> None:
    async with await booked(own_shop) as customer:
        address = f"{own_shop.origin}{customer.path[:-17]}"
        async with site_with_frame(address) as named, site_with_frame(address) as other:
            await change_booking_page(own_shop, embedding_origins=[named])
            context = await browser.new_context(ignore_https_errors=True)
            context.set_default_timeout(PATIENCE_SECONDS * 1000)
            page = await context.new_page()
            await page.goto(named)
            await expect(page.frame_locator("iframe").locator(".hello h1")).to_be_visible()
            refused = await context.new_page()
            await refused.goto(other)
            assert [frame.url for frame in refused.frames if frame.parent_frame] == ["chrome-error://chromewebdata/"]
            await context.close()


async def test_a_transparent_logo_is_on_white(browser: Browser, own_shop: Shop) -> None:
    """On the colour of the business a logo of the same colour would not be seen."""
    async with open_page(browser, own_shop.origin) as desk:
        await desk.go(f"/book/{await slug_of(own_shop)}")
        logo = await desk.page.evaluate_handle("document.createElement('img')")
        await logo.evaluate("logo => { logo.className = 'logo'; document.querySelector('main').append(logo) }")
        ground = "logo => getComputedStyle(logo).backgroundColor"
        assert await logo.evaluate(ground) == "rgb(255, 255, 255)"
