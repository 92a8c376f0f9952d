"""In a real browser: the way of a newcomer, by keyboard too, and every page in both languages, as axe sees it."""

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import pytest
from playwright.async_api import Browser, expect

from frontdesk.auth.types import Role
from frontdesk.ui.shell.routing import Page
from tests.factories.users import give_second_factor, make_user, owner_of
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.pages.browser import BrowserPage, open_page
from tests.support.pages.opened_pages import (
    IN_EVERY_ROLE,
    OPENED_PAGES,
    READ_ELSEWHERE,
    REDIRECTED,
    REFUSED,
    add_rows_of_opened_pages,
    addresses_of,
    is_redirected,
    roles_of,
)
from tests.support.repetitions import LONG_SECONDS, share
from tests.support.shop import Shop
from tests.support.waiting import eventually

LARGEST_PAGE = 70_000  # the settings list all time zones, the catalogue a hundred items
WIDE: dict[str, Any] = {"viewport": {"width": 1180, "height": 760}, "color_scheme": "light", "locale": "en"}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "color_scheme": "dark",
    "locale": "ar",
    "has_touch": True,
}


async def test_a_newcomer_signs_in_makes_a_client_and_uses_it(browser: Browser, own_shop: Shop) -> None:
    async with open_page(browser, own_shop.origin, permissions=["clipboard-read", "clipboard-write"], **WIDE) as desk:
        page = desk.page
        await desk.go("/")
        await expect(page.locator("[name=email]")).to_be_focused()
        for typed in (own_shop.sandbox.email, own_shop.sandbox.password):
            await page.keyboard.type(typed)
            await page.keyboard.press("Tab")
        await page.keyboard.press("Tab")
        await page.keyboard.press("Enter")
        await page.wait_for_url(f"{own_shop.origin}/calendar")
        await desk.go("/")
        await desk.accept()
        await page.click("text=Create an API client")
        await page.click("text=Create client")  # the browser itself asks for the name
        await page.fill("#f-name", "Website booking")
        await page.click("text=Create client")
        await expect(page.locator("main")).to_contain_text("Select at least one.")
        await desk.accept()
        await page.check("[value='orders:read']")
        await page.click("text=Create client")
        await use_the_client(desk, own_shop)


async def use_the_client(desk: BrowserPage, own_shop: Shop) -> None:
    page = desk.page
    await desk.accept()
    secret, name = await desk.text("#client-secret"), await desk.text("#client-id")
    await page.click("[data-copy=client-secret]")
    await page.wait_for_selector("[data-copy=client-secret] >> text=Copied")
    assert await page.evaluate("navigator.clipboard.readText()") == secret
    answer = await own_shop.ask_for_token(client_id=name, client_secret=secret)
    token = answer.json()["access_token"]
    assert (await own_shop.get("/orders", token=token)).status_code == 200
    assert (await own_shop.get("/items", token=token)).status_code == 403
    await page.click("text=I have saved it")
    await page.wait_for_url(re.compile(r"/settings/api/clients/[0-9a-f-]{36}$"))
    assert secret not in await page.content()

    async def shows_it() -> bool:
        await page.reload()
        text = await desk.text("main")
        return "insufficient_scope" in text and "1 use," in text  # both are written in the background

    await eventually(shows_it)
    await desk.accept()
    await page.go_back()  # to the form, not to its answer
    assert page.url.endswith("/settings/api/clients/new")
    assert secret not in await page.content()


@asynccontextmanager
async def operating(own_shop: Shop) -> AsyncIterator[None]:
    """For a while the people of this business are operators too, so that every page opens to them."""
    members = "id IN (SELECT user_id FROM memberships WHERE tenant_id = $1)"
    await own_shop.sql(f"UPDATE users SET is_operator = true WHERE {members}")
    found = await own_shop.sql(f"SELECT id FROM users WHERE {members}")
    for row in found:
        await give_second_factor(own_shop, row["id"])
    yield
    await own_shop.sql(
        "DELETE FROM second_factors WHERE user_id = ANY ($2) AND $1::uuid IS NOT NULL", [r["id"] for r in found]
    )
    await own_shop.sql(f"UPDATE users SET is_operator = false WHERE {members}")


@pytest.mark.torture
@pytest.mark.timeout(1200)  # in `make torture` a role opens up to 170 pages
@pytest.mark.parametrize("walkers", [[role] for role in Role] if LONG_SECONDS else [list(Role)], ids=" ".join)
@pytest.mark.parametrize(
    ("looks", "widths", "part"),
    [(WIDE, (1180, 1024, 768), 0), (PHONE, (390, 320), 1)],
    ids=["wide-en-light", "phone-ar-dark"],
)
async def test_every_page_is_accessible_and_fits_the_screen(
    browser: Browser, own_shop: Shop, looks: dict[str, Any], widths: tuple[int, ...], part: int, walkers: list[Role]
) -> None:
    """The pages of the set-up in all roles that may open them, every second role in each look; the others in one role.

    In `make torture` each page in all roles and both looks. A role that gets the same document as one before it does
    not open it again.
    """
    language = looks["locale"]
    async with AsyncExitStack() as stack:
        users = {role: await make_user(own_shop, role) for role in Role}
        people = {role: await stack.enter_async_context(await person(own_shop, users[role], language)) for role in Role}
        ids = await add_rows_of_opened_pages(own_shop, people[Role.OWNER], users)
        await stack.enter_async_context(operating(own_shop))
        desk = await stack.enter_async_context(open_page(browser, own_shop.origin, **looks))
        await desk.go("/sign-in?ended=yes")
        await desk.accept()
        await desk.use_session_of(people[Role.CASHIER])
        for path, status in (("/nothing", 404), ("/activity", 403)):
            await desk.go(path)
            assert (desk.status, await desk.page.locator("nav.rail").count()) == (status, 1)
            await desk.accept()
        walk = Walk(desk, people, language, widths)
        once = {page.path: place for place, page in enumerate(share(OPENED_PAGES, part, 2))}
        for page in OPENED_PAGES:
            roles = roles_of(page)
            if page.path in IN_EVERY_ROLE:
                opening = set(share(roles, part, 2))
            elif page.path in once:
                opening = set(share(roles, once[page.path] % len(roles), len(roles)))
            else:
                continue
            for role in [role for role in walkers if role in opening]:
                for address in addresses_of(page, role, language, ids[role]):
                    with named(f"{role.value}: {page.path}"):
                        await walk.visit(page, role, address)


async def person(own_shop: Shop, user_id: UUID, language: str) -> DashboardClient:
    desk = await dashboard_of(own_shop, user_id)
    await desk.post("/language", {"language": language})
    return desk


# What differs between two documents that are the same page: tokens, ids, and the address of the person.
_OWN = re.compile(r'name="form_token" value="[0-9a-f]+"|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}|[0-9a-f]{32}(?=@)')


class Walk:
    """Pages that are opened one after the other, each at the widths of the screen, which are walked to and fro."""

    def __init__(
        self, desk: BrowserPage, people: dict[Role, DashboardClient], language: str, widths: tuple[int, ...]
    ) -> None:
        self._desk = desk
        self._people = people
        self._language = language
        self._widths = widths
        self._opened: set[str] = set()

    async def visit(self, page: Page, role: Role, address: str) -> None:
        if page.path in IN_EVERY_ROLE and not LONG_SECONDS and await self._is_opened(role, address):
            return
        desk = self._desk
        await desk.use_session_of(self._people[role])
        await desk.go(address)
        assert desk.status == REFUSED.get(page.path, 200)
        is_elsewhere = urlsplit(desk.page.url).path != urlsplit(address).path
        assert is_elsewhere == is_redirected(page, role), desk.page.url
        is_read = page.path in READ_ELSEWHERE and page.path not in IN_EVERY_ROLE and not LONG_SECONDS
        if not (is_elsewhere or page.path in REFUSED or is_read):
            await desk.accept()
        await desk.check_size(self._language, LARGEST_PAGE, *self._widths)
        self._widths = self._widths[::-1]

    async def _is_opened(self, role: Role, address: str) -> bool:
        """Whether another role has got the same document at this address."""
        answer = await self._people[role].get(address)
        document = f"{urlsplit(address).path} {answer.status_code} {_OWN.sub('', answer.text)}"
        is_opened = document in self._opened
        self._opened.add(document)
        return is_opened and answer.status_code == 200


def test_pages_that_are_treated_specially_exist() -> None:
    assert IN_EVERY_ROLE | READ_ELSEWHERE | REDIRECTED | set(REFUSED) <= {page.path for page in OPENED_PAGES}


async def test_an_invitation_is_taken_up_in_arabic_on_a_phone(
    browser: Browser, own_shop: Shop, owner: DashboardClient
) -> None:
    async with open_page(browser, own_shop.origin, **WIDE) as inviting:
        await inviting.use_session_of(owner)
        await inviting.go("/settings/members/invite")
        await inviting.page.fill("#f-email", f"{own_shop.tenant_id.hex}@people.example")
        await inviting.page.check("[value=cashier]")
        await inviting.page.click("text=Create link")
        await inviting.page.wait_for_selector("#invitation-link")
        await inviting.accept()
        link = await inviting.text("#invitation-link")
    async with open_page(browser, own_shop.origin, **PHONE) as joining:
        await joining.go(link.removeprefix(own_shop.origin))
        await joining.accept()
        await joining.page.fill("#f-name", "سارة الغامدي")
        await joining.page.fill("#f-password", "كلمة مرور طويلة")
        await joining.page.click("main .button-primary")
        await joining.page.wait_for_url(f"{own_shop.origin}/")
        assert await joining.page.get_attribute("html", "dir") == "rtl"
        assert await joining.page.locator("nav.rail a:visible").count() > 1
        await joining.accept()


async def test_the_menu_opens_and_closes_by_keyboard_and_changes_the_colours(browser: Browser, own_shop: Shop) -> None:
    async with (
        await dashboard_of(own_shop, await owner_of(own_shop)) as desk,
        open_page(browser, own_shop.origin, **WIDE) as watched,
    ):
        await watched.use_session_of(desk)
        await watched.go("/settings/account")
        page = watched.page
        await page.focus("details.menu summary")
        await page.keyboard.press("Enter")
        await page.wait_for_selector("details.menu[open]")
        await watched.accept()
        await page.keyboard.press("Escape")
        await expect(page.locator("details.menu[open]")).to_have_count(0)
        light = await page.evaluate("getComputedStyle(document.body.parentElement).backgroundColor")
        await page.keyboard.press("Enter")
        await page.click("text=Dark")
        await expect(page.locator("html[data-theme=dark]")).not_to_have_css("background-color", light)
        await expect(page).to_have_url(f"{own_shop.origin}/settings/account")


@contextmanager
def named(text: str) -> Iterator[None]:
    try:
        yield
    except AssertionError as failure:
        failure.add_note(text)
        raise
