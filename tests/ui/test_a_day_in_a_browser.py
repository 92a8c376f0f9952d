"""A day at the front desk, in a browser: open the drawer, book, serve and charge a customer, sell, close the day.

With GUIDE_PICTURES=on the walks with the mouse write the pictures of the guides.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.async_api import Browser, expect

from frontdesk.auth.types import Role
from frontdesk.postgres.pool import Connection
from tests.factories.catalog import branch_of, make_product
from tests.factories.changes import delete_rows
from tests.factories.orders import move_order
from tests.factories.people import make_working_hours
from tests.factories.users import make_user, owner_of
from tests.support.branch import EVERY_DAY
from tests.support.connections import pooled_connection
from tests.support.dashboard import dashboard_of
from tests.support.invariants import broken_invariants
from tests.support.pages.browser import open_page
from tests.support.pages.desk import Desk
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
PIN = "2749"
ACTS, PRESSES = 51, 140
OWNERS_PAGES = {
    "/": "overview",
    "/reports": "reports",
    "/activity": "activity",
    "/till/waiting": "waiting-to-pay",
    "/settings/notices": "messages",
    "/settings/booking-page": "booking-page",
}


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


async def serve_customers(desk: Desk, shop: Shop) -> None:
    await desk.book("Noor")
    await desk.serve()
    await desk.check_out()
    await desk.pay_cash()
    await desk.move(await desk.book("Noor"))
    await desk.serve()
    await desk.check_out()
    await desk.tip()
    await desk.pay_part("10")
    await desk.pay_rest()
    await desk.book_walk_in()
    await desk.serve()
    await desk.check_out()
    await desk.pay_rest()
    await desk.book("Noor")
    await desk.cancel()
    missed = await desk.book("Noor")
    began = datetime.now(UTC).replace(second=0, microsecond=0) - timedelta(hours=7)  # before the sandbox has bookings
    await move_order(shop, missed, began)
    await desk.mark_no_show(missed)


async def sell_at_the_till(desk: Desk, shop: Shop) -> None:
    await desk.sell("Rose soap", "Comb")
    sold = await shop.sql("SELECT order_number FROM orders WHERE tenant_id = $1 ORDER BY order_number DESC LIMIT 1")
    await desk.choose_items("Rose soap")
    await desk.discount("10")
    await desk.take_payment()
    await desk.pay_rest()
    await desk.choose_items("Comb")
    await desk.take_payment()
    await desk.discount("50", pin=PIN)
    await desk.pay_cash()
    await desk.choose_items("Comb")
    await desk.hold()
    await desk.exchange(sold[0]["order_number"], "Comb", PIN)
    await desk.sell("Rose soap")
    await desk.void(PIN)
    for _ in range(3):
        await desk.sell("Comb")


async def show_results(browser: Browser, shop: Shop, language: str, looks: dict[str, Any]) -> None:
    """What the owner sees of the day."""
    async with (
        await dashboard_of(shop, await owner_of(shop)) as owner,
        open_page(browser, shop.origin, locale=language, **looks) as page,
    ):
        await owner.post("/language", {"language": language})
        await page.use_session_of(owner)
        for path, name in OWNERS_PAGES.items():
            await page.go(path)
            await page.accept()
            await save_picture(page.page, name)
            if path == "/activity":
                assert "Huda Mansour" in await page.text("main")


async def show_booking_page(browser: Browser, shop: Shop, language: str, looks: dict[str, Any]) -> None:
    """What customers see, to the ticket of one of them."""
    (shown,) = await shop.sql(
        """
        SELECT s.slug, booking_code($1, o.id) AS code FROM tenant_slugs s JOIN orders o ON o.tenant_id = s.tenant_id
        WHERE s.tenant_id = $1 AND s.is_current AND o.status = 'confirmed' AND o.starts_at > now() + interval '2 days'
        ORDER BY o.starts_at LIMIT 1
        """
    )
    async with open_page(browser, shop.origin, locale=language, **looks) as visit:
        page = visit.page
        await visit.go(f"/book/{shown['slug']}")
        await save_picture(page, "book-services")
        await page.locator(".menu-list a").nth(1).click()
        await page.locator(".people a").first.click()
        await page.locator('.segments a[href*="month="]').last.click()
        await expect(page.locator(".month")).to_be_visible()
        await save_picture(page, "book-time")
        await visit.go(f"/book/{shown['slug']}/{shown['code']}")
        await visit.accept()
        await save_picture(page, "book-ticket")


@pytest.mark.torture
@pytest.mark.parametrize(("way", "language", "looks"), [*WALKS, *(LONG_WALKS if LONG_SECONDS or ARE_WANTED else [])])
async def test_a_day_from_the_drawer_to_the_close(
    browser: Browser, shop: Shop, way: Way, language: str, looks: dict[str, Any]
) -> None:
    async with (
        await dashboard_of(shop, await owner_of(shop)) as owner,
        await dashboard_of(shop, await make_user(shop, Role.RECEPTIONIST, name="Huda Mansour")) as person,
        open_page(browser, shop.origin, locale=language, **looks) as page,
    ):
        await person.post("/language", {"language": language})
        await owner.post("/settings/account/pin", {"pin": PIN})
        await page.use_session_of(person)
        desk = Desk(page, InputDriver(page.page, way))
        await desk.open_drawer("200")
        await serve_customers(desk, shop)
        await sell_at_the_till(desk, shop)
        await desk.add_customer("Rana", "055 318 2047")
        await desk.buy_milk()
        await desk.close_day()
        assert len(desk.acts) == ACTS, desk.acts
        assert desk.driver.presses <= PRESSES, desk.driver.presses
    (closed,) = await shop.sql("SELECT * FROM day_closes WHERE tenant_id = $1")
    assert closed["day"] is not None
    if way == "mouse":
        await show_results(browser, shop, language, looks)
        await show_booking_page(browser, shop, language, looks)
    async with pooled_connection(shop.dsn) as raw:
        assert await broken_invariants(Connection(raw), shop.tenant_id) == []
