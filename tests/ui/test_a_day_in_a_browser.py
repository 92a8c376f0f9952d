"""A day at the front desk, in a browser: open the drawer, book, serve and charge a customer, sell, close the day.

With GUIDE_PICTURES=on the walks with the mouse write the pictures of the guides.
"""

from datetime import UTC, datetime
from typing import Any

import pytest
from playwright.async_api import Browser, expect

from frontdesk.auth.types import Role
from frontdesk.postgres.pool import Connection
from tests.factories.catalog import branch_of, make_product
from tests.factories.changes import delete_rows
from tests.factories.people import make_working_hours
from tests.factories.users import make_user, owner_of
from tests.support.branch import EVERY_DAY
from tests.support.connections import pooled_connection
from tests.support.dashboard import dashboard_of
from tests.support.invariants import broken_invariants
from tests.support.pages.browser import BrowserPage, open_page
from tests.support.pages.guide_pictures import ARE_WANTED, save_picture
from tests.support.pages.input_driver import InputDriver, Way
from tests.support.repetitions import LONG_SECONDS
from tests.support.service import Service
from tests.support.shop import Shop

WIDE: dict[str, Any] = {"viewport": {"width": 1280, "height": 860}}
TABLET: dict[str, Any] = {"viewport": {"width": 768, "height": 1024}, "has_touch": True}
DARK: dict[str, Any] = {"color_scheme": "dark"}
# What a finger reaches, the mouse reaches too: its walks, with axe, are in `make torture`.
WALKS: list[tuple[Way, str, dict[str, Any]]] = [
    ("keyboard", "en", WIDE | DARK),
    ("touch", "ar", TABLET),
]
LONG_WALKS: list[tuple[Way, str, dict[str, Any]]] = [
    ("mouse", "en", WIDE),
    ("mouse", "ar", WIDE),
    ("keyboard", "ar", WIDE),
    ("touch", "en", TABLET),
]
MORNING = 10


def zone_with_morning() -> str:
    """A zone in which it is the morning now, so that the rest of the day is free."""
    hours = (MORNING - datetime.now(UTC).hour + 12) % 24 - 12
    return f"Etc/GMT{-hours:+d}" if hours else "Etc/GMT"


@pytest.fixture
async def shop(service: Service, other_shop: Shop) -> Shop:
    shop = await service.new_shop(timezone=zone_with_morning())
    await delete_rows(shop, "closed_days")
    await delete_rows(shop, "working_hours")
    opens = f"{MORNING + 2}:00"  # the first free time does not pass while it is chosen
    week = {on: [(opens, "22:00")] for on in EVERY_DAY}
    await make_working_hours(shop, week, branch_id=await branch_of(shop))
    for name in ("Rose soap", "Comb"):
        await make_product(shop, {"en": name, "ar": name}, price="20", stock=50)
    return shop


class Desk:
    """The steps of the day, each from the page where it begins."""

    def __init__(self, desk: BrowserPage, driver: InputDriver) -> None:
        self.desk = desk
        self.page = desk.page
        self.driver = driver

    async def show(self, name: str) -> None:
        """Accessible, within the screen, and a picture of a guide."""
        if self.driver.way != "mouse" and not LONG_SECONDS:
            await self.desk.check_layout()
            return
        await self.desk.accept()
        if self.driver.way == "mouse":
            await save_picture(self.page, name)

    async def open_drawer(self, amount: str) -> None:
        await self.desk.go("/drawer")
        await self.driver.write(self.page.locator("#f-float"), amount)
        await self.driver.press(self.page.locator("form[action='/drawer/open'] button"))
        await expect(self.page.locator("form[action='/drawer/move']")).to_be_visible()
        await self.show("drawer")

    async def book(self, name: str) -> None:
        await self.desk.go("/calendar")
        if self.driver.way == "keyboard":
            await self.page.keyboard.press("n")
        else:
            await self.driver.press(self.page.locator("main a.button-primary[href^='/calendar/new']"))
        await self.driver.write(self.page.locator("#f-find"), name)
        await self.driver.press(self.page.locator(".found button[value^='customer:']").first)
        await self.driver.choose_first(self.page.locator("#f-add_service"))
        await expect(self.page.locator("[name=service]")).to_have_count(1)
        await self.driver.choose_first(self.page.locator("select#f-time"))
        await self.show("booking")
        await self.driver.press(self.page.locator("button[value=book]"))
        await self.page.wait_for_url("**/calendar?**order=**")

    async def serve(self) -> None:
        """From the side of the calendar: the customer arrives, is in the chair, and is done."""
        for act in ("arrived", "in-progress", "completed"):
            await self.driver.press(self.page.locator(f"#booking .button-primary[value='{act}']"))
        await expect(self.page.locator("#booking a.button-primary[href^='/till?order=']")).to_be_visible()
        await self.show("calendar")

    async def check_out(self) -> None:
        await self.driver.press(self.page.locator("#booking a[href^='/till?order=']"))
        await self.pay_cash()

    async def sell(self, *names: str) -> None:
        await self.desk.go("/till")
        for place, name in enumerate(names, start=1):
            await self.page.keyboard.press("F2")
            await self.page.keyboard.type(name)
            await self.page.keyboard.press("Enter")
            await expect(self.page.locator("button[name=less]")).to_have_count(place)
        await self.show("till")
        await self.driver.press(self.page.locator("#pay"))
        await self.pay_cash()

    async def pay_cash(self) -> None:
        await self.driver.press(self.page.locator("button[name=method]").first)
        finish = self.page.locator("#finish[data-finish]")  # until the method is chosen, the button only asks for it
        await expect(finish).to_be_visible()
        await self.show("payment")
        await self.driver.press(finish)
        await self.page.wait_for_url("**/receipt**")

    async def buy_milk(self) -> None:
        await self.desk.go("/drawer")
        await self.driver.write(self.page.locator("[name=amount]"), "20")
        await self.driver.write(self.page.locator("[name=reason]"), "Milk")
        await self.driver.press(self.page.locator("form[action='/drawer/move'] button.button-primary"))
        await expect(self.page.locator("main")).to_contain_text("Milk")

    async def close_day(self) -> None:
        await self.desk.go("/day-close")
        await self.driver.write(self.page.locator("#p-bill-3"), "2")
        await self.driver.write(self.page.locator("#f-note"), "Counted twice")
        if await self.page.locator("[name=sure]").count():  # appointments of the sandbox that are still to come
            await self.driver.tick(self.page.locator("[name=sure]"))
        await self.show("day-close")
        await self.driver.press(self.page.locator("form[action='/day-close'] button.button-primary"))
        await self.page.wait_for_url("**/day-close/*")
        await self.show("day-closed")


async def show_results(browser: Browser, shop: Shop, language: str, looks: dict[str, Any]) -> None:
    """What the owner sees of the day."""
    async with (
        await dashboard_of(shop, await owner_of(shop)) as owner,
        open_page(browser, shop.origin, locale=language, **looks) as page,
    ):
        await owner.post("/language", {"language": language})
        await page.use_session_of(owner)
        for path, name in (("/", "overview"), ("/reports", "reports"), ("/activity", "activity")):
            await page.go(path)
            await page.accept()
            await save_picture(page.page, name)
            if path == "/activity":
                assert "Huda Mansour" in await page.text("main")


@pytest.mark.torture
@pytest.mark.parametrize(("way", "language", "looks"), [*WALKS, *(LONG_WALKS if LONG_SECONDS or ARE_WANTED else [])])
async def test_a_day_from_the_drawer_to_the_close(
    browser: Browser, shop: Shop, way: Way, language: str, looks: dict[str, Any]
) -> None:
    async with (
        await dashboard_of(shop, await make_user(shop, Role.RECEPTIONIST, name="Huda Mansour")) as person,
        open_page(browser, shop.origin, locale=language, **looks) as page,
    ):
        await person.post("/language", {"language": language})
        await page.use_session_of(person)
        desk = Desk(page, InputDriver(page.page, way))
        await desk.open_drawer("200")
        await desk.book("Noor")
        await desk.serve()
        await desk.check_out()
        await desk.sell("Rose soap", "Comb")
        await desk.buy_milk()
        await desk.close_day()
    (closed,) = await shop.sql("SELECT * FROM day_closes WHERE tenant_id = $1")
    assert closed["day"] is not None
    if way == "mouse":
        await show_results(browser, shop, language, looks)
    async with pooled_connection(shop.dsn) as raw:
        assert await broken_invariants(Connection(raw), shop.tenant_id) == []
