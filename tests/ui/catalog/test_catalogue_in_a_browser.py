"""In a real browser: a service from its name to its place in the list, in both languages, light and dark."""

from io import BytesIO
from typing import Any

from PIL import Image
from playwright.async_api import Browser, FilePayload, expect

from tests.factories.catalog import make_product
from tests.factories.changes import change_rows
from tests.support.dashboard import DashboardClient
from tests.support.pages.browser import open_page
from tests.support.shop import Shop

WIDE: dict[str, Any] = {"viewport": {"width": 1280, "height": 860}, "color_scheme": "light", "locale": "en"}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark", "has_touch": True}
_EDGES = "fields => fields.map(field => field.getBoundingClientRect().top)"
_MIDDLES = "parts => parts.map(part => part.getBoundingClientRect()).map(box => Math.round(box.top + box.height / 2))"
LONG = "Brazilian blow-out with bond repair, a scalp massage, aromatic oils and a glass of tea"

TOO_LARGE = bytes(5_300_000)


def jpeg() -> bytes:
    content = BytesIO()
    Image.new("RGB", (40, 30), "purple").save(content, "JPEG")
    return content.getvalue()


async def test_a_service_is_entered_moved_and_taken_off_sale(
    browser: Browser, own_shop: Shop, owner: DashboardClient
) -> None:
    async with open_page(browser, own_shop.origin, **WIDE) as desk:
        await desk.use_session_of(owner)
        page = desk.page
        await desk.go("/catalogue")
        await desk.accept()
        await page.get_by_text("New item").click()
        await page.get_by_role("link", name="New service").click()
        await page.get_by_label("Name", exact=True).fill(LONG)
        await page.get_by_label("Price, SAR", exact=True).fill("612,50")
        await page.get_by_role("button", name="Save").click()
        await expect(page.locator(".error")).to_contain_text("Enter a number of minutes.")
        await desk.accept()
        await page.get_by_label("Duration, min").fill("45")
        await page.get_by_label("Category").select_option(label="Hair")
        await page.get_by_role("button", name="Add", exact=True).click()
        for n, name in enumerate(("Short", "Long")):
            row = page.locator("[data-rows] tbody tr").nth(n)
            await row.locator("[name=option_name_en]").fill(name)
            await row.locator("[name=option_price]").fill(f"{n + 5}00")
        await page.keyboard.press("Control+s")
        await expect(page.locator("h1")).to_have_text(LONG)
        await expect(page.locator("[name=option_name_en]")).to_have_count(3)
        photo = FilePayload(name="photo.jpg", mimeType="image/jpeg", buffer=TOO_LARGE)
        await page.set_input_files("#f-picture", photo)
        await expect(page.locator("[data-too-large] + .error")).to_be_visible()
        await page.set_input_files("#f-picture", {**photo, "buffer": jpeg() + TOO_LARGE})  # is made smaller
        await page.keyboard.press("Control+s")
        await expect(page.locator(".drop img.shown")).to_be_visible()
        await desk.accept()
        await desk.go("/catalogue")
        row = page.locator("tr", has_text=LONG)
        await row.locator(".order summary").press("ArrowUp")
        await expect(page.locator("#main tbody").first.locator("a.rowlink").nth(3)).to_have_text(LONG)
        await page.wait_for_load_state("load")
        await expect(row.locator(".order summary")).to_be_focused()
        await page.keyboard.press("ArrowUp")  # again, without looking for the place
        await expect(page.locator("#main tbody").first.locator("a.rowlink").nth(2)).to_have_text(LONG)
        await row.get_by_role("switch").click()
        await expect(row.get_by_role("switch")).to_have_attribute("aria-checked", "false")
        await row.locator(".order summary").drag_to(page.locator("tr", has_text="Haircut"))
        await expect(page.locator("#main tbody").first.locator("a.rowlink").first).to_have_text(LONG)
        await desk.accept()


async def test_every_page_of_the_catalogue_fits_a_phone_in_arabic(
    browser: Browser, own_shop: Shop, owner: DashboardClient
) -> None:
    product = await make_product(own_shop, {"en": LONG, "ar": "شامبو"}, stock=3)
    (package,) = await own_shop.sql("SELECT id FROM packages WHERE tenant_id = $1 LIMIT 1")
    (category,) = await own_shop.sql("SELECT id FROM categories WHERE tenant_id = $1 LIMIT 1")
    await change_rows(own_shop, "staff", name="Abc" * 29)
    person, *_ = await own_shop.sql("SELECT id FROM staff WHERE tenant_id = $1")
    await owner.post("/language", {"language": "ar"})
    async with open_page(browser, own_shop.origin, **PHONE) as phone:
        await phone.use_session_of(owner)
        for path in (
            "/catalogue",
            f"/catalogue/{product}",
            f"/catalogue/{product}/stock",
            f"/catalogue/{product}/delete",
            f"/catalogue/{package['id']}",
            f"/catalogue/categories/{category['id']}",
            "/catalogue/new?type=service",
            f"/staff/{person['id']}/leave",
        ):
            await phone.go(path)
            await phone.accept()
        await phone.go("/catalogue")
        await phone.page.locator("tr[id] .order summary").nth(1).tap()
        moved = phone.page.locator(".order[open] button[value=up]")
        second = await phone.page.locator("tr[id]:has(.order[open])").get_attribute("id")
        await moved.tap()
        await expect(phone.page.locator("tr[id]").first).to_have_attribute("id", second or "")
        await phone.go("/catalogue/new?type=service")  # labels of one line and of two
        fields = phone.page.locator("#f-buffer_before, #f-duration, #f-buffer_after")
        assert len(set(await fields.evaluate_all(_EDGES))) == 1
        await phone.go(f"/staff/{person['id']}")  # a long name stands beside its picture, and is cut in the way here
        assert await phone.page.locator(".crumb > a").evaluate("link => link.scrollWidth <= link.clientWidth")
        assert len(set(await phone.page.locator(".head > .avatar, .head > h1").evaluate_all(_MIDDLES))) == 1
