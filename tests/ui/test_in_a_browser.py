"""In a real browser: the way of a newcomer, by keyboard too, and every page in both languages, as axe sees it."""

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from typing import Any
from uuid import UUID

import pytest
from playwright.async_api import Browser

from frontdesk.auth.types import Role
from frontdesk.ui.app import dashboard
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.routing import Page
from tests.factories.users import give_second_factor, make_user, owner_of
from tests.support.browser import BrowserPage, open_page
from tests.support.dashboard import DashboardClient, dashboard_of, eventually
from tests.support.page_fixtures import ids_of
from tests.support.repetitions import LONG_SECONDS, share
from tests.support.shop import Shop

LARGEST_PAGE = 64_000  # the settings list all time zones
WIDE: dict[str, Any] = {"viewport": {"width": 1180, "height": 760}, "color_scheme": "light", "locale": "en"}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "color_scheme": "dark",
    "locale": "ar",
    "has_touch": True,
}
# A picture is no page: around it the browser puts a frame of its own, and asks for an icon that we do not have.
# Neither are the event stream and the parts that scripts put into pages. A letter is in the language of its customer.
NOT_READ = (
    *("/invitation", "/applications/pictures/{picture_id}", "/settings/notices/messages/{message_id}/mail"),
    *("/live", "/calendar/blocks", "/waiting-list/panel"),
)
FILES = (".csv", ".svg", ".xlsx", ".zip")
# axe costs most of a visit. These areas and pages have tests of their own in which it reads them; in `make torture`
# it reads them here too, in every role and in both languages.
AREAS_READ_ELSEWHERE = (
    *("/catalogue", "/customers", "/day-close", "/developer", "/drawer", "/import", "/setup", "/staff", "/till"),
    *("/settings/applications", "/settings/branches", "/settings/business", "/settings/hours"),
    *("/settings/payment-methods", "/operator/applications"),
)
READ_ELSEWHERE = (
    *("/calendar", "/calendar/new", "/orders", "/waiting-list", "/waiting-list/new"),
    *("/reports", "/reports/sales", "/reports/items", "/reports/payments", "/reports/occupancy", "/reports/customers"),
    *("/reports/cancellations", "/reports/stock", "/reports/commissions", "/reports/commissions/rates"),
    *("/reports/commissions/rates/new", "/reports/commissions/rates/{rate_id}"),
    *("/operator/health", "/operator/tenants", "/operator/tenants/{tenant_id}"),
    *("/operator/users", "/operator/users/{user_id}"),
)
# Pages for customers have tests of their own too.
PAGES = [page for page in dashboard().pages if page.context is PageContext]
READ = [page for page in PAGES if page.method == "GET" and page.path not in NOT_READ and not page.path.endswith(FILES)]


async def test_a_newcomer_signs_in_makes_a_client_and_uses_it(browser: Browser, salon: Shop) -> None:
    async with open_page(browser, salon.origin, permissions=["clipboard-read", "clipboard-write"], **WIDE) as desk:
        page = desk.page
        await desk.go("/")
        await page.keyboard.press("Tab")
        for typed in (salon.sandbox.email, salon.sandbox.password):
            await page.keyboard.type(typed)
            await page.keyboard.press("Tab")
        await page.keyboard.press("Tab")
        await page.keyboard.press("Enter")
        await page.wait_for_url(f"{salon.origin}/calendar")
        await desk.go("/")
        await desk.accept()
        await page.click("text=Create an API client")
        await page.click("text=Create client")  # the browser itself asks for the name
        await page.fill("#f-name", "Website booking")
        await page.click("text=Create client")
        assert "Select at least one." in await desk.text("main")
        await desk.accept()
        await page.check("[value='orders:read']")
        await page.click("text=Create client")
        await use_the_client(desk, salon)


async def use_the_client(desk: BrowserPage, salon: Shop) -> None:
    page = desk.page
    await desk.accept()
    secret, name = await desk.text("#client-secret"), await desk.text("#client-id")
    await page.click("[data-copy=client-secret]")
    await page.wait_for_selector("[data-copy=client-secret] >> text=Copied")
    assert await page.evaluate("navigator.clipboard.readText()") == secret
    answer = await salon.ask_for_token(client_id=name, client_secret=secret)
    token = answer.json()["access_token"]
    assert (await salon.get("/orders", token=token)).status_code == 200
    assert (await salon.get("/items", token=token)).status_code == 403
    await page.click("text=I have stored it")
    assert secret not in await page.content()
    assert "/settings/api/clients/" in page.url

    async def shows_it() -> bool:
        await page.reload()
        return "insufficient_scope" in await desk.text("main")

    await eventually(shows_it)
    assert "1 use," in await desk.text("main")
    await desk.accept()
    await page.go_back()  # to the form, not to its answer
    assert page.url.endswith("/settings/api/clients/new")
    assert secret not in await page.content()


@asynccontextmanager
async def operating(salon: Shop) -> AsyncIterator[None]:
    """For a while the people of this business are operators too, so that every page opens to them."""
    members = "id IN (SELECT user_id FROM memberships WHERE tenant_id = $1)"
    await salon.sql(f"UPDATE users SET is_operator = true WHERE {members}")
    found = await salon.sql(f"SELECT id FROM users WHERE {members}")
    for row in found:
        await give_second_factor(salon, row["id"])
    yield
    await salon.sql(
        "DELETE FROM second_factors WHERE user_id = ANY ($2) AND $1::uuid IS NOT NULL", [r["id"] for r in found]
    )
    await salon.sql(f"UPDATE users SET is_operator = false WHERE {members}")


@pytest.mark.torture
@pytest.mark.parametrize(
    ("language", "looks", "part"), [("en", WIDE, 0), ("ar", PHONE, 1)], ids=["wide-en-light", "phone-ar-dark"]
)
async def test_every_page_is_accessible_and_fits_the_screen(
    browser: Browser, salon: Shop, language: str, looks: dict[str, Any], part: int
) -> None:
    """Each page in one of the two looks and in one role that may open it; in `make torture` in all."""
    async with AsyncExitStack() as stack:
        people = {role: await stack.enter_async_context(await person(salon, role, language)) for role in Role}
        ids = await ids_of(salon)
        await stack.enter_async_context(operating(salon))
        desk = await stack.enter_async_context(open_page(browser, salon.origin, **looks))
        await desk.go("/sign-in?ended=yes")
        await desk.accept()
        await desk.use_session_of(people[Role.CASHIER])
        for path, status in share((("/nothing", 404), ("/activity", 403)), part, 2):
            answer = await desk.page.goto(salon.origin + path)
            assert (answer and answer.status, await desk.page.locator("nav.rail").count()) == (status, 1)
            await desk.accept()
        for place, page in enumerate(share(READ, part, 2)):
            roles = roles_of(page)
            for role in share(roles, place % len(roles), len(roles)):
                await desk.use_session_of(people[role])
                await visit(desk, page, ids, language)


async def person(salon: Shop, role: Role, language: str) -> DashboardClient:
    desk = await dashboard_of(salon, await make_user(salon, role))
    await desk.post("/language", {"language": language})
    return desk


def roles_of(page: Page) -> list[Role]:
    """Those who may open the page. A provider sees no order, customer or colleague of the rows that are made here."""
    admitted = page.access.roles if page.access.roles is not None else Role
    others = [role for role in Role if role in admitted and not (page.params and role is Role.PROVIDER)]
    return others or list(admitted)


async def visit(desk: BrowserPage, page: Page, ids: dict[str, UUID], language: str) -> None:
    if not await desk.go(page.path.format(**ids)):
        desk.faults.clear()  # the browser's own frame around a picture has styles that we forbid
        return
    with named(page):
        is_read = not LONG_SECONDS and (page.path in READ_ELSEWHERE or page.path.startswith(AREAS_READ_ELSEWHERE))
        await (desk.check_layout() if is_read else desk.accept())
        assert len((await desk.page.content()).encode()) < LARGEST_PAGE
        assert await desk.page.get_attribute("html", "lang") == language


async def test_an_invitation_is_taken_up_in_arabic_on_a_phone(
    browser: Browser, salon: Shop, owner: DashboardClient
) -> None:
    async with open_page(browser, salon.origin, **WIDE) as inviting:
        await inviting.use_session_of(owner)
        await inviting.go("/settings/members/invite")
        await inviting.page.fill("#f-email", f"{salon.tenant_id.hex}@people.example")
        await inviting.page.check("[value=cashier]")
        await inviting.page.click("text=Create link")
        await inviting.accept()
        link = await inviting.text("#invitation-link")
    async with open_page(browser, salon.origin, **PHONE) as joining:
        await joining.go(link.removeprefix(salon.origin))
        await joining.accept()
        await joining.page.fill("#f-name", "سارة الغامدي")
        await joining.page.fill("#f-password", "كلمة مرور طويلة")
        await joining.page.click("main .pri")
        await joining.page.wait_for_url(f"{salon.origin}/")
        assert await joining.page.get_attribute("html", "dir") == "rtl"
        assert await joining.page.locator("nav.rail a:visible").count() > 1
        await joining.accept()


async def test_the_menu_opens_and_closes_by_keyboard_and_changes_the_colours(browser: Browser, salon: Shop) -> None:
    async with (
        await dashboard_of(salon, await owner_of(salon)) as desk,
        open_page(browser, salon.origin, **WIDE) as watched,
    ):
        await watched.use_session_of(desk)
        await watched.go("/settings/account")
        page = watched.page
        await page.focus("details.menu summary")
        await page.keyboard.press("Enter")
        await page.wait_for_selector("details.menu[open]")
        await watched.accept()
        await page.keyboard.press("Escape")
        assert await page.locator("details.menu[open]").count() == 0
        light = await page.evaluate("getComputedStyle(document.body.parentElement).backgroundColor")
        await page.keyboard.press("Enter")
        await page.click("text=Dark")
        await page.wait_for_selector("html[data-theme=dark]")
        assert page.url == f"{salon.origin}/settings/account"
        assert await page.evaluate("getComputedStyle(document.body.parentElement).backgroundColor") != light


@contextmanager
def named(page: Page) -> Iterator[None]:
    try:
        yield
    except AssertionError as failure:
        failure.add_note(page.path)
        raise
