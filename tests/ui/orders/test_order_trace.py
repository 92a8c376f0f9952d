"""The page that says how the total of an order came about, as the desk reads it."""

from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from playwright.async_api import Browser, expect

from frontdesk.orders.pricing import Discount, DiscountKind
from frontdesk.orders.types import LineType, OrderLineRequest, OrderRequest, Source
from frontdesk.postgres.pool import Connection
from tests.factories.changes import change_rows
from tests.support.acts import create_order
from tests.support.branch import BranchFixture, day, local, method_of, open_branch
from tests.support.connections import pooled_connection
from tests.support.dashboard import DashboardClient
from tests.support.pages.browser import open_page
from tests.support.shop import Shop

WIDE: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}, "color_scheme": "light", "locale": "en"}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark", "locale": "ar"}


async def visit(shop: Shop) -> UUID:
    """A cut by anyone and a package, with a tenth less, in part paid."""
    branch = await open_branch(shop)
    cut = await branch.add_service(price="100", offer_price="90")
    await branch.add_provider(cut)
    await branch.add_provider(cut)
    cream = await branch.add_product(price="20")
    package = await branch.add_package({cream: 2, cut: 1}, price="120")
    lines = [
        OrderLineRequest(cut, LineType.SERVICE, 1, discountable=True),
        OrderLineRequest(package, LineType.PACKAGE, 1, discountable=True),
    ]
    order_id = await _book(branch, lines)
    payment = {"amount": 100, "payment_method_id": await method_of(shop)}
    assert (await shop.post(f"/orders/{order_id}/payments", payment)).status_code == 201
    return order_id


async def _book(branch: BranchFixture, lines: list[OrderLineRequest]) -> UUID:
    off = Discount(DiscountKind.PERCENTAGE, Decimal(10))
    request = OrderRequest(
        branch.branch_id, branch.customer_id, local(day(4), "10:00"), lines, None, [], Source.DASHBOARD, discount=off
    )
    async with pooled_connection(branch.shop.dsn) as raw:
        return (await create_order(Connection(raw), await branch.shop.tenant(), request)).id


async def test_an_order_leads_to_the_steps_of_its_total(own_shop: Shop, owner: DashboardClient) -> None:
    order_id = await visit(own_shop)
    assert f'href="/orders/{order_id}/trace"' in (await owner.get(f"/orders/{order_id}")).text
    page = (await owner.get(f"/orders/{order_id}/trace")).text
    for shown in ("Catalogue", "Offer", "Share of the discount", "The same as saved.", "2 providers were free."):
        assert shown in page
    assert "was not recorded" not in page


async def test_an_order_from_before_says_what_is_not_known(own_shop: Shop, owner: DashboardClient) -> None:
    order_id = await visit(own_shop)
    await change_rows(own_shop, "order_lines", {"order_id": order_id}, priced=None, chosen=None)
    page = (await owner.get(f"/orders/{order_id}/trace")).text
    assert "made before the origin of prices was recorded" in page
    assert "why was not recorded" in page


@pytest.mark.parametrize("look", [pytest.param(WIDE, id="wide-en-light"), pytest.param(PHONE, id="phone-ar-dark")])
async def test_the_steps_can_be_read(
    browser: Browser, own_shop: Shop, owner: DashboardClient, look: dict[str, Any]
) -> None:
    order_id = await visit(own_shop)
    async with open_page(browser, own_shop.origin, **look) as desk:
        await desk.use_session_of(owner)
        await desk.go(f"/orders/{order_id}/trace")
        await expect(desk.page.locator(".trace > li")).to_have_count(2)
        await desk.accept()
