"""What a visitor of the booking page sees first: the menu in their language, or that nothing can be booked."""

from collections.abc import Callable, Coroutine
from datetime import UTC, datetime

import pytest

from tests.factories.changes import change_rows, change_tenant
from tests.factories.settings import change_booking_page
from tests.support.shop import Shop
from tests.ui.booking_page.test_booking_page import slug_of, visitor


async def test_a_visitor_gets_the_menu_in_their_language_and_no_cookie(own_shop: Shop, other_shop: Shop) -> None:
    path = f"/book/{await slug_of(own_shop)}"
    async with visitor(own_shop) as browser:
        page = await browser.get(path)
        assert page.status_code == 200
        assert "What would you like?" in page.text
        assert 'lang="en"' in page.text
        assert "set-cookie" not in page.headers
        arabic = await browser.get(path, params={"lang": "ar"})
        assert 'dir="rtl"' in arabic.text
        assert "lang=ar" in arabic.text.split("<ul")[1]
        assert await slug_of(other_shop) not in page.text
    async with visitor(own_shop, **{"accept-language": "fr,ar;q=0.5"}) as browser:
        assert 'dir="rtl"' in (await browser.get(path)).text
        await change_tenant(own_shop, accent=None)
        assert (await browser.get(f"{path}/brand.css")).headers["content-type"] == "text/css; charset=utf-8"
        await change_tenant(own_shop, languages=["en"], accent="#17594f")
        english = await browser.get(path, params={"lang": "ar"})
        assert 'dir="ltr"' in english.text
        assert "العربية" not in english.text
        brand = await browser.get(f"{path}/brand.css")
        assert brand.text == ":root { --brand: #17594f; }\n"
        assert f"{path}/brand.css?17594f" in english.text
        assert (await browser.get(f"{path}/privacy")).status_code == 200


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda shop: change_tenant(shop, suspended_at=datetime.now(UTC)), "takes no bookings on this page"),
        (lambda shop: change_booking_page(shop, shown=False), "takes no bookings on this page"),
        (lambda shop: change_rows(shop, "staff", active=False), "nothing to book here yet"),
        (lambda shop: change_tenant(shop, deleted_at=datetime.now(UTC)), "Nobody takes bookings at this address"),
    ],
    ids=["suspended", "hidden", "nobody works", "deleted"],
)
async def test_a_page_that_takes_no_bookings_says_so(
    own_shop: Shop, change: Callable[[Shop], Coroutine[None, None, object]], text: str
) -> None:
    path = f"/book/{await slug_of(own_shop)}"
    await change(own_shop)
    async with visitor(own_shop) as browser:
        page = await browser.get(path)
        assert text in page.text
        assert page.status_code == (200 if "yet" in text else 404)
        assert "set-cookie" not in page.headers
        for wrong in ("/book/nobody-here", "/book/%00", "/book/a%2Fb"):
            assert (await browser.get(wrong)).status_code == 404
