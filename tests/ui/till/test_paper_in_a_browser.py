"""What is printed has the size of its paper: A4, or the roll of 80 mm, as long as its text."""

import re

from playwright.async_api import Browser, Page

from tests.support.branch import line, open_branch
from tests.support.dashboard import DashboardClient
from tests.support.pages.browser import open_page
from tests.support.shop import Shop
from tests.support.till import Till

_SIZE = re.compile(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]")
_MILLIMETRE = 72 / 25.4  # in points
LINES = 25


async def paper(page: Page) -> list[tuple[int, int]]:
    """The pages of the print, in millimetres."""
    pdf = await page.pdf(prefer_css_page_size=True)
    return [(round(float(w) / _MILLIMETRE), round(float(h) / _MILLIMETRE)) for w, h in _SIZE.findall(pdf)]


async def test_a_roll_is_as_long_as_its_text_and_everything_else_is_a4(
    browser: Browser, own_shop: Shop, owner: DashboardClient
) -> None:
    till = Till(await open_branch(own_shop))
    cream = await till.branch.add_product(price="10", stock=2 * LINES)
    short = await till.ring_up("10.00", line(cream, "product"))
    long = await till.ring_up(f"{LINES}0.00", *(line(cream, "product") for _ in range(LINES)))
    async with open_page(browser, own_shop.origin) as desk:
        await desk.use_session_of(owner)
        sizes = []
        for order in (short, long):
            await desk.go(f"/orders/{order['id']}/receipt")
            sizes.append(await paper(desk.page))
        (((narrow, low),), ((wide, high),)) = sizes
        assert narrow == wide == 80
        shown = await desk.page.locator(".receipt").bounding_box()
        assert shown is not None
        assert 0 <= high - shown["height"] * 25.4 / 96 < 3, "no blank tail, and nothing on a second page"
        assert high - low > 2 * LINES
        for path in (f"/orders/{long['id']}/receipt?size=a4", "/day-close"):
            await desk.go(path)
            assert set(await paper(desk.page)) == {(210, 297)}
