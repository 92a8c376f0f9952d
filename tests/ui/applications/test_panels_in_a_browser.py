"""The panel of an application in a real browser: its page loads in a closed frame, and says how tall it is."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from playwright.async_api import Browser, Page, Route

from tests.applications.test_panels import SCOPES, with_panels
from tests.factories.orders import make_order
from tests.support.applications import install, new_developer, new_operator
from tests.support.dashboard import DashboardClient
from tests.support.repetitions import share
from tests.support.servers.receiver import receiving, respond_with
from tests.support.service import Service
from tests.support.shop import Shop
from tests.support.waiting import PATIENCE_SECONDS, eventually
from tests.ui.test_every_page_in_a_browser import PHONE, WIDE

PAGE = b"""<!doctype html><html lang="en"><title>Books</title><p id="entry">Entry JV-20418</p><script>
parent.postMessage({type: "frontdesk:height", height: 321}, "*")
</script></html>"""
HELD = 500  # milliseconds; a shorter time only finds less


def hold_until_painted(page: Page) -> Callable[[Route], Awaitable[None]]:
    """On a slow connection the script of the page comes after what a frame in it could have loaded."""

    async def hold(route: Route) -> None:
        await page.locator(".application-panel footer").wait_for()
        await page.wait_for_timeout(HELD)
        await route.continue_()

    return hold


@pytest.mark.parametrize("looks", share((pytest.param(WIDE, id="wide"), pytest.param(PHONE, id="phone")), 0, 1))
async def test_a_panel_shows_the_page_of_the_application(
    browser: Browser, service: Service, own_shop: Shop, owner: DashboardClient, looks: dict[str, Any]
) -> None:
    order_id = await make_order(own_shop, 1)
    developer = await new_developer(service)
    async with (
        await new_operator(own_shop) as operator,
        receiving(respond_with(200, PAGE, content_type="text/html")) as receiver,
        # Not `open_page`, which lets a page ask nothing elsewhere.
        await browser.new_context(**looks) as context,
    ):
        address = f"http://localhost:{receiver.port}/panel"  # another site than the dashboard
        application_id, _ = await with_panels(developer, operator, link_order_panel=address)
        await install(owner, own_shop, application_id, *SCOPES)
        context.set_default_timeout(PATIENCE_SECONDS * 1000)
        cookie = owner.http.cookies["frontdesk_session"]
        await context.add_cookies([{"name": "frontdesk_session", "value": cookie, "url": own_shop.origin}])
        page = await context.new_page()
        await page.route("**/application-panels*", hold_until_painted(page))
        await page.goto(f"{own_shop.origin}/orders/{order_id}", wait_until="commit")
        await page.locator("iframe.application-frame").scroll_into_view_if_needed()
        await page.frame_locator("iframe.application-frame").locator("#entry").wait_for()

        async def is_as_tall_as_asked() -> bool:
            return bool(await page.evaluate("document.querySelector('iframe').style.blockSize === '321px'"))

        await eventually(is_as_tall_as_asked)
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        (request,) = [found for found in receiver.received if found.head.startswith("GET /panel?")]
        assert "cookie" not in request.headers
        assert "referer" not in request.headers
    await developer.desk.http.aclose()
