"""In a real browser: every kind of report, with a long name, without a flaw of access."""

from typing import Any

import pytest
from playwright.async_api import Browser

from frontdesk.ui.reports.pages import REPORTS
from tests.factories.reports import make_commission_rate
from tests.support.dashboard import DashboardClient
from tests.support.pages.browser import open_page
from tests.support.repetitions import share
from tests.support.shop import Shop

LONG_NAME = "Noura Al-Harbi of the long and winding name that nobody has room for on any page, 87"
WIDE = {"viewport": {"width": 1440, "height": 900}, "color_scheme": "light"}
PHONE = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark", "has_touch": True}
LOOKS = (pytest.param("en", WIDE, id="wide-en-light"), pytest.param("ar", PHONE, id="phone-ar-dark"))
RATES = "/reports/commissions/rates"


@pytest.mark.torture
@pytest.mark.parametrize(("language", "looks"), share(LOOKS, 1, 2))
async def test_reports_are_read_on_any_screen(
    browser: Browser, own_shop: Shop, owner: DashboardClient, language: str, looks: dict[str, Any]
) -> None:
    await owner.post("/language", {"language": language})
    await own_shop.sql("UPDATE staff SET name = $2 WHERE tenant_id = $1 AND name LIKE 'M%'", LONG_NAME)
    names = [name for name in REPORTS if name not in ("categories", "providers", "applications", "tax", "tips")]
    forms = [RATES, f"{RATES}/new", f"{RATES}/{await make_commission_rate(own_shop)}"]
    async with open_page(browser, own_shop.origin, locale=language, **looks) as desk:
        await desk.use_session_of(owner)
        for path in ("/reports", *(f"/reports/{name}" for name in names), *forms):
            await desk.go(path)
            await desk.accept()
        await desk.go("/reports")
        await desk.page.emulate_media(media="print")
        assert await desk.page.locator("rect.chart-bar").first.is_visible(), "the plots are printed"
        assert not await desk.page.locator(".filters").is_visible()
