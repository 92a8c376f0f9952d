"""In a real browser: a table from its upload to its undo, in both languages, wide and on a phone."""

from typing import Any

import pytest
from playwright.async_api import Browser, expect

from tests.support.dashboard import DashboardClient
from tests.support.pages.browser import open_page
from tests.support.repetitions import share
from tests.support.shop import Shop

WIDE: dict[str, Any] = {"viewport": {"width": 1024, "height": 760}, "color_scheme": "light"}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark", "has_touch": True}
TABLE = """الاسم,رقم الجوال,City,Other
Nouf Al-Subaie bint Abdulrahman bin Mohammed bin Abdullah Al-Saud the Eighty-Seventh Letter,0504382719,Jeddah,1
سارة العتيبي,٠٥٠٤٣٨٢٧٢٠,جدة,2
Um Khalid,055 31,,3
"""

LOOKS = (pytest.param("en", WIDE, id="wide-en-light"), pytest.param("ar", PHONE, id="phone-ar-dark"))


@pytest.mark.torture
@pytest.mark.parametrize(("language", "looks"), share(LOOKS, 0, 2))
async def test_a_table_is_imported_and_undone(
    browser: Browser, own_shop: Shop, owner: DashboardClient, language: str, looks: dict[str, Any]
) -> None:
    await owner.post("/language", {"language": language})
    async with open_page(browser, own_shop.origin, **looks) as desk:
        page = desk.page
        await desk.use_session_of(owner)
        await desk.go("/import")
        await desk.accept()
        file: Any = {"name": "people.csv", "mimeType": "text/csv", "buffer": TABLE.encode()}
        await page.set_input_files("input[type=file]", files=[file])
        await page.locator("main form .button-primary").click()
        await expect(page.locator("form.action-bar .button-primary")).to_be_visible()
        await expect(page.locator("main .danger-text")).to_have_count(1)
        await desk.accept()
        await page.locator("form.action-bar .button-primary").click()
        undo = page.locator("form[action$='/undo'] button")
        await expect(undo).to_be_visible()
        await desk.accept()
        await undo.click()
        await expect(page.locator("main .note.ok")).to_be_visible()
        await expect(undo).to_have_count(0)
        await desk.accept()
        await desk.go("/export")
        await desk.accept()
