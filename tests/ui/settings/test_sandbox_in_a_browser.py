"""The page of a sandbox in a real browser: the clock is moved, a fault is set, and the reset asks in a dialog."""

from typing import Any

import pytest
from playwright.async_api import Browser

from tests.support.dashboard import DashboardClient
from tests.support.pages.browser import open_page
from tests.support.repetitions import share
from tests.support.shop import Shop
from tests.ui.settings.test_sandbox_page import DAY, HERE, ahead, listed
from tests.ui.test_every_page_in_a_browser import PHONE, WIDE


@pytest.mark.parametrize("looks", share((pytest.param(WIDE, id="wide"), pytest.param(PHONE, id="phone")), 0, 1))
async def test_the_clock_is_moved_a_fault_is_set_and_the_sandbox_is_reset(
    browser: Browser, own_shop: Shop, owner: DashboardClient, looks: dict[str, Any]
) -> None:
    await owner.post("/language", {"language": looks["locale"]})
    async with open_page(browser, own_shop.origin, **looks) as desk:
        page = desk.page
        await desk.use_session_of(owner)
        await desk.go(HERE)
        await page.click(f"button[name=ahead][value='{DAY}']")
        await page.wait_for_selector("#sandbox-ahead")
        await page.select_option("#f-kind", "slow")
        await page.select_option("#f-route", "GET /customers")
        await page.fill("#f-times", "3")
        await page.click("form[action='/settings/sandbox/faults'] .button-primary")
        await page.wait_for_selector("table.fold tbody tr")
        await page.fill("#f-name", "Before the refunds")
        await page.click("form[action='/settings/sandbox/snapshots'] button")
        await page.wait_for_selector("form[action='/settings/sandbox/snapshots/restore']")
        await desk.accept()
        await desk.check_layout(1024, 768, 320)
        assert [fault["remaining"] for fault in await listed(own_shop, "faults")] == [3]
        await desk.go("/calendar")
        await desk.accept()
        await page.click("#sandbox-ahead a")
        await page.wait_for_url(f"{own_shop.origin}{HERE}#reset")
        await page.click("#reset button")
        assert await ahead(own_shop) == DAY
        await page.click("dialog [value=yes]")
        await page.wait_for_selector("#sandbox-ahead", state="detached")
        assert await ahead(own_shop) == 0
        await desk.check_layout()
