"""A new owner opens a business in a browser, and a program books with it: the way that the guide "Set up" describes.

With GUIDE_PICTURES=on the walk writes the pictures of the guide.
"""

from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser, Page

from frontdesk.auth.credentials import tenant_of_key
from frontdesk.demo_data.create import Sandbox
from frontdesk.values.ids import uuid7
from tests.contract.api import Api
from tests.contract.calls import send_as_documented
from tests.contract.endpoints import ENDPOINTS, KEY_ENDPOINTS, Shape
from tests.contract.kinds import Array, Record, faults
from tests.contract.views import OPEN_VIEWS, VIEWS
from tests.factories.used_up import forget_attempts
from tests.support.pages.browser import BrowserPage, open_page
from tests.support.pages.guide_pictures import ARE_WANTED, save_picture
from tests.support.service import Service, running_service
from tests.support.shop import Shop

WIDE = {"viewport": {"width": 1280, "height": 800}, "locale": "en"}
PASSWORD = "quiet-lantern-meadow-71"


@pytest.fixture
async def open_service(service: Service) -> AsyncIterator[Service]:
    await forget_attempts(service.dsn)
    async with running_service(service.dsn, sign_up=True, rate_limit=60 if ARE_WANTED else 10_000) as running:
        yield running


async def picture(desk: BrowserPage, name: str) -> None:
    """Of the page in both languages, as the guide shows it."""
    await desk.check_layout()
    if not ARE_WANTED:
        return
    here = desk.page.url
    for language in ("en", "ar"):
        if await desk.page.get_attribute("html", "lang") != language:
            await desk.page.click(f"button[lang={language}]")
            await desk.page.goto(here)
        await save_picture(desk.page, name)
    await desk.page.click("button[lang=en]")
    await desk.page.goto(here)


async def save(page: Page, text: str = "Save") -> None:
    await page.locator(f"main button.button-primary:has-text('{text}')").click()
    await page.wait_for_load_state()


async def sign_up(page: Page, email: str) -> None:
    await page.get_by_label("Business name").fill("Layan Studio")
    await page.get_by_label("Country").select_option("SA")
    await page.get_by_label("Your name").fill("Huda Mansour")
    await page.get_by_label("E-mail").fill(email)
    await page.get_by_label("Password").fill(PASSWORD)
    await page.click("text=Open the business")
    await page.wait_for_url("**/setup/business")


async def open_every_day(desk: BrowserPage) -> None:
    page = desk.page
    await desk.go("/settings/hours")
    await page.click("main a.button-primary")
    for day in range(7):
        fields = page.locator(f"[data-day='{day}']")
        await fields.locator("[name=opens]").first.fill("09:00")
        await fields.locator("[name=closes]").first.fill("22:00")
    await save(page)
    await desk.go("/settings/hours")
    await picture(desk, "hours")


async def add_item(desk: BrowserPage, kind: str, names: tuple[str, str], price: str, **more: str) -> None:
    page = desk.page
    await desk.go(f"/catalogue/new?type={kind}")
    await page.fill("[name=name_en]", names[0])
    await page.fill("[name=name_ar]", names[1])
    await page.fill("[name=price]", price)
    for name, value in more.items():
        await page.fill(f"[name={name}]", value)
    await save(page)


async def add_category_and_package(desk: BrowserPage) -> None:
    page = desk.page
    await desk.go("/catalogue/categories/new")
    await page.fill("[name=name_en]", "Hair")
    await save(page)
    await desk.go("/catalogue/new?type=package")
    await page.fill("[name=name_en]", "Cut and oil")
    await page.fill("[name=price]", "160")
    await page.locator("[name=part]").first.select_option(index=1)
    await save(page)


async def add_staff(desk: BrowserPage, name: str) -> None:
    page = desk.page
    await desk.go("/staff/new")
    await page.get_by_label("Name", exact=True).fill(name)
    for box in await page.locator("[name=performs]").all():
        await box.check()
    await save(page)


async def credentials(desk: BrowserPage) -> tuple[str, str, str]:
    page = desk.page
    await desk.go("/settings/api/clients/new?preset=bookings")
    await picture(desk, "client")
    await page.fill("[name=name]", "Website")
    await page.click("main a:text-is('Everything')")
    assert await page.input_value("[name=name]") == "Website"  # chosen in place: what was typed stays
    await page.click("text=Create client")
    client = await desk.text("#client-id"), await desk.text("#client-secret")
    await desk.go("/settings/api/keys/new")
    await page.fill("[name=name]", "Till")
    await save(page, "Create key")
    return (*client, await desk.text("#api-key"))


async def test_a_new_owner_sets_up_a_business_and_a_program_books_with_it(
    browser: Browser, open_service: Service
) -> None:
    email = "huda@layan.example" if ARE_WANTED else f"{uuid7().hex}@people.example"
    async with open_page(browser, open_service.origin, **WIDE) as desk:
        page = desk.page
        await desk.go("/sign-up")
        for language in ("ar", "en"):
            await page.click(f"button[lang={language}]")
            await page.wait_for_selector(f"html[lang={language}]")
            await desk.accept()
        await sign_up(page, email)
        await desk.accept()
        await picture(desk, "start")
        await desk.go("/setup")
        await picture(desk, "setup")
        await open_every_day(desk)
        await add_item(desk, "service", ("Haircut", "قص شعر"), "120", duration="45")
        await desk.go("/catalogue")
        await page.click("main a.rowlink")
        await picture(desk, "item")
        await add_item(desk, "product", ("Argan oil", "زيت الأرغان"), "60.50", stock="500")
        await add_category_and_package(desk)
        for name in ("Noura Al-Harbi", "Reem Al-Qahtani"):
            await add_staff(desk, name)
        await desk.go("/staff")
        await picture(desk, "staff")
        await desk.go("/settings/payment-methods")
        await picture(desk, "payment-methods")
        await desk.go("/import")
        await picture(desk, "import")
        client_id, secret, key = await credentials(desk)
        await desk.go("/setup")
        assert "0 of" not in await desk.text("main")
    if not ARE_WANTED:  # the pictures show the usual rate limit, which is too low for all endpoints
        await book_as_documented(open_service, email, client_id, secret, key)


async def book_as_documented(service: Service, email: str, client_id: str, secret: str, key: str) -> None:
    """The endpoints and fields of the contract, against a business that no program has filled."""
    tenant_id = tenant_of_key(key)
    assert tenant_id is not None
    made = Sandbox(tenant_id, "Asia/Riyadh", "SAR", client_id, secret, key, email, PASSWORD)
    api = Api(service, Shop(service.origin, service.dsn, made, service.http))
    # It is no sandbox, and this service writes no exports.
    elsewhere = ("/sandbox/", "/exports")
    rows = [row for row in (*ENDPOINTS, *KEY_ENDPOINTS) if not row.path.startswith(elsewhere)]
    for endpoint in sorted(rows, key=lambda row: (row.method != "POST", row.has_id)):  # what is read is made first
        answer = await send_as_documented(api, endpoint, await api.token(*endpoint.scopes))
        assert answer.status_code < 300, (endpoint.id, answer.text)
        assert endpoint.shape is not Shape.PAGE or "data" in answer.json(), endpoint.id
        if endpoint.view:
            data, complete = answer.json()["data"], endpoint.view not in OPEN_VIEWS
            shown = Record(VIEWS[endpoint.view].fields, complete=complete)
            assert not list(faults(Array(shown) if isinstance(data, list) else shown, data, endpoint.id))
