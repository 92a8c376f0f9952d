"""The whole story of an application in a real browser, and its pages as axe sees them in both languages."""

import struct
import zlib
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import pytest
from playwright.async_api import Browser, FilePayload, Page, expect

from tests.factories.used_up import forget_attempts
from tests.factories.users import owner_of
from tests.support.applications import Developer, install, new_developer, new_operator
from tests.support.branch import line, open_branch
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.pages.browser import BrowserPage, open_page
from tests.support.repetitions import share
from tests.support.service import Service
from tests.support.shop import Shop
from tests.ui.test_every_page_in_a_browser import PHONE, WIDE

METHODS = {"name_en": ["Pay later", "", ""], "name_ar": ["ادفع لاحقًا", "", ""]}
HOOK = {"url": "https://hooks.example.com/books", "events": ["order.created", "app.installed"]}


def picture(side: int = 64) -> FilePayload:
    """A square in one colour."""
    rows = zlib.compress(b"".join(b"\0" + b"\x8a\x2b\x5e" * side for _ in range(side)))
    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    parts = b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in ((b"IHDR", head), (b"IDAT", rows), (b"IEND", b""))
    )
    return {"name": "mark.png", "mimeType": "image/png", "buffer": b"\x89PNG\r\n\x1a\n" + parts}


@pytest.fixture
async def operator(own_shop: Shop) -> AsyncIterator[DashboardClient]:
    async with await new_operator(own_shop) as desk:
        yield desk


async def test_an_application_is_built_reviewed_installed_widened_and_disconnected(
    browser: Browser, own_shop: Shop, owner: DashboardClient, operator: DashboardClient
) -> None:
    name = f"Books {own_shop.tenant_id.hex[-6:]}"
    async with open_page(browser, own_shop.origin, **WIDE) as developing:
        await sign_up(developing, own_shop)
        application_id = await build(developing, name)
    async with open_page(browser, own_shop.origin, **WIDE) as reviewing:
        await reviewing.use_session_of(operator)
        await approve(reviewing, name)
    async with open_page(browser, own_shop.origin, **WIDE) as deciding:
        await deciding.use_session_of(owner)
        names = await let_in(deciding, application_id, name)
        token = (await own_shop.ask_for_token(**names)).json()["access_token"]
        assert (await own_shop.get("/orders", token=token)).status_code == 200
        assert (await own_shop.get("/items", token=token)).status_code == 403
        await widen(deciding)
        assert (await own_shop.get("/items", token=token)).status_code == 200
        assert (await pay(own_shop, await method_of(own_shop, name))).status_code == 201
        await send_away(deciding, name)
    assert (await own_shop.get("/orders", token=token)).status_code == 401
    refused = await pay(own_shop, await method_of(own_shop, name))
    assert (refused.status_code, refused.json()["error"]) == (422, "payment_method_unavailable")


async def sign_up(desk: BrowserPage, own_shop: Shop) -> None:
    page = desk.page
    await forget_attempts(own_shop.dsn)
    await desk.go("/developers/sign-up")
    await desk.accept()
    await page.fill("#f-name", "Dina Developer")
    await page.fill("#f-company", "Qabas Software")
    await page.fill("#f-email", f"dev-{own_shop.tenant_id.hex}@people.example")
    await page.fill("#f-password", "a long password")
    await page.click("main .button-primary")
    await page.wait_for_selector("#client-secret")
    await desk.accept()
    sandbox = {"client_id": await desk.text("#client-id"), "client_secret": await desk.text("#client-secret")}
    assert (await own_shop.ask_for_token(**sandbox)).status_code == 200
    await page.click("text=I have saved it")


async def build(desk: BrowserPage, name: str) -> str:
    page = desk.page
    await page.click("text=New application >> nth=0")
    await page.fill("#f-name", name)
    await page.click("main .button-primary")
    await page.wait_for_selector("text=Before you can submit it")
    here = page.url
    await page.click("text=Submit for review")
    await page.wait_for_selector("[role=alert]")
    await expect(desk.page.locator("main")).to_contain_text("It requests no scope.")
    await desk.accept()
    await page.click("[aria-label='Edit the description']")
    await page.fill("#f-description_en", "Keeps your books and lets customers pay later.")
    await page.fill("#f-link_support", "https://books.example/help")
    await page.fill("#f-link_privacy", "https://books.example/privacy")
    await save(page, here)
    await page.click("text=Change the scopes")
    await ask(page, "orders:read", "required", "To know what is booked")
    await page.select_option("[aria-label='Need of items:read']", "optional")
    await page.click("main .button-primary")
    await expect(desk.page.locator("main")).to_contain_text("Fill in this field.")
    await ask(page, "items:read", "optional", "To name what was sold")
    await save(page, here)
    await page.click("text=Change the payment methods")
    await page.fill("#f-en-0", f"{name} later")
    await save(page, here)
    await page.click("text=Change the pictures")
    await page.set_input_files("#f-icon", picture())
    await page.fill("#a-icon", "A red square")
    await page.click("text=Add the picture >> nth=0")
    await page.wait_for_selector("img[alt='A red square']")
    await page.wait_for_function("document.querySelector('img.app-icon')?.naturalWidth === 64")
    await desk.accept()
    await page.click("text=Back to the application")
    await page.click("text=Submit for review")
    await page.wait_for_selector("text=It is waiting for review.")
    await desk.accept()
    return here.rpartition("/")[2]


async def ask(page: Page, scope: str, need: str, reason: str) -> None:
    await page.select_option(f"[aria-label='Need of {scope}']", need)
    await page.fill(f"[aria-label='Why {scope} is needed']", reason)


async def save(page: Page, here: str) -> None:
    await page.click("main .button-primary")
    await page.wait_for_url(here)


async def approve(desk: BrowserPage, name: str) -> None:
    page = desk.page
    await desk.go("/operator/applications")
    await desk.accept()
    await page.click(f"[aria-label='Review {name}']")
    await expect(desk.page.locator("main")).to_contain_text("Never used")
    await desk.accept()
    await page.click("button:has-text('Reject')")
    await page.wait_for_selector("#f-reason-e")
    await expect(desk.page.locator("main")).to_contain_text("Fill in this field.")
    await page.click("main .button-primary")
    await page.wait_for_selector("text=Approved. Businesses can install it.")


async def let_in(desk: BrowserPage, application_id: str, name: str) -> dict[str, str]:
    page = desk.page
    await desk.go("/settings/applications/directory")
    await page.fill("#f-text", name)
    await page.click("button:has-text('Search')")
    await desk.accept()
    await page.click(f".shelf a:has-text('{name}')")
    await page.wait_for_url(f"**{application_id}")
    await expect(page.locator("[name=scopes]:checked")).to_have_count(0)
    await page.click("main .button-primary")
    await expect(desk.page.locator("main")).to_contain_text("The application requires this scope")
    await desk.accept()
    await page.check("[value='orders:read']")
    await page.click("main .button-primary")
    await page.wait_for_selector("#client-secret")
    await desk.accept()
    names = {"client_id": await desk.text("#client-id"), "client_secret": await desk.text("#client-secret")}
    await page.click("text=I have saved it")
    await expect(page.locator("#client-secret")).to_have_count(0)
    assert names["client_secret"] not in await page.content()
    return names


async def widen(desk: BrowserPage) -> None:
    await desk.accept()
    await desk.page.check("[value='items:read']")
    await desk.page.click("text=Save scopes")
    await desk.page.wait_for_selector("text=They apply from the next request.")


async def send_away(desk: BrowserPage, name: str) -> None:
    page = desk.page
    await page.click("main .head .button-danger")
    await expect(desk.page.locator("main")).to_contain_text(f"{name} later")
    await desk.accept()
    await page.click("main form .button-danger")
    await page.wait_for_selector("text=Its requests are rejected.")
    await desk.accept()


async def method_of(own_shop: Shop, name: str) -> str:
    rows = await own_shop.sql(
        "SELECT id FROM payment_methods WHERE tenant_id = $1 AND name ->> 'en' = $2", f"{name} later"
    )
    return str(rows[0]["id"])


async def pay(own_shop: Shop, method_id: str) -> Any:
    made = await open_branch(own_shop)
    body = made.order(line(await made.add_product(), "product"))
    return await own_shop.post("/orders", {**body, "payment": {"amount": 1, "payment_method_id": method_id}})


@pytest.mark.torture
@pytest.mark.parametrize(
    ("language", "looks", "part"), [("en", WIDE, 0), ("ar", PHONE, 1)], ids=["wide-en-light", "phone-ar-dark"]
)
async def test_pages_about_applications_are_accessible(
    browser: Browser, service: Service, operator: DashboardClient, language: str, looks: dict[str, Any], part: int
) -> None:
    developer = await new_developer(service)
    application_id = await complete(developer)
    app = await install(developer.desk, developer.sandbox, application_id, "orders:read")
    for desk in (developer.desk, operator):
        await desk.post("/language", {"language": language})
    here = f"/developer/applications/{application_id}"
    parts = ("", "/about", "/scopes", "/webhooks", "/payment-methods", "/pictures", "/redirects", "/secret")
    installed = f"/settings/applications/installed/{app.id}"
    own = [
        *("/developer", "/developer/applications/new", *(here + part for part in parts)),
        *("/settings/applications", "/settings/applications/directory"),
        f"/settings/applications/directory/{application_id}",
        *(installed, f"{installed}/secret", f"{installed}/disconnect"),
    ]
    async with open_page(browser, service.origin, **looks) as stranger:
        await stranger.go("/developers/sign-up")
        await stranger.accept()
    queue = ["/operator/applications?status=draft", f"/operator/applications/{application_id}"]
    for desk, paths in ((developer.desk, own), (operator, queue)):
        async with open_page(browser, service.origin, **looks) as watched:
            await watched.use_session_of(desk)
            for path in paths:
                answer = await watched.page.goto(service.origin + path)
                assert answer, path
                assert answer.status == 200, path
                await (watched.accept() if path in share(paths, part, 2) else watched.check_layout())
                assert await watched.page.get_attribute("html", "lang") == language
                assert await watched.page.locator("h1").count() == 1
    await developer.desk.http.aclose()


async def complete(developer: Developer) -> UUID:
    """A draft with something in every part."""
    application_id = await developer.draft("Mizan Accounting")
    here = f"/developer/applications/{application_id}"
    await developer.send(f"{here}/webhooks", HOOK)
    await developer.send(f"{here}/secret", status=200)
    await developer.send(f"{here}/payment-methods", METHODS)
    return application_id


async def test_a_newcomer_who_can_sign_in_already_becomes_a_developer(own_shop: Shop) -> None:
    async with await dashboard_of(own_shop, await owner_of(own_shop)) as desk:
        await forget_attempts(own_shop.dsn)
        assert "Create my sandbox" in (await desk.get("/developer")).text
        ready = await desk.post("/developer/join", {"company": "Qabas"})
        assert ready.status_code == 200
        assert "client-secret" in ready.text
        assert "New application" in (await desk.get("/developer")).text
        assert (await desk.post("/developer/join", {"company": "Qabas"})).status_code == 422
