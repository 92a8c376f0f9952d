"""With whom? Everybody with the first free time, and who is away."""

import re

from tests.factories.changes import change_row
from tests.factories.people import make_time_off
from tests.support.branch import day, local
from tests.support.forms import texts
from tests.ui.booking_page.test_booking_page import BookableBranch, bookable, slug_of, visitor

__all__ = ["bookable"]


async def test_who_is_away_says_so_and_when_they_are_first_free(bookable: BookableBranch) -> None:
    """All of the first week; on the days they are away, and not full."""
    await make_time_off(bookable.shop, bookable.dana, local(day(-1), "00:00"), local(day(9), "00:00"))
    path, query = f"/book/{await slug_of(bookable.shop)}", {"services": str(bookable.cut)}
    async with visitor(bookable.shop) as browser:
        words = texts((await browser.get(path, params=query)).text)
        page = await browser.get(path, params={"services": f"{bookable.cut}::{bookable.dana}", "date": str(day(1))})
    people = {
        found[1]: found[2] for found in re.finditer(r"(Noura Alharbi|Dana Aziz)\s+(Away\. First|First) free", words)
    }
    assert people == {"Noura Alharbi": "First", "Dana Aziz": "Away. First"}
    assert "<small>away</small>" in page.text
    assert "<small>full</small>" not in page.text


async def test_a_title_is_read_in_the_language_of_the_customer_else_in_the_other(bookable: BookableBranch) -> None:
    await change_row(bookable.shop, "staff", bookable.noura, title='{"en": "Senior stylist", "ar": "خبيرة شعر"}')
    await change_row(bookable.shop, "staff", bookable.dana, title='{"en": "Colourist"}')
    path, query = f"/book/{await slug_of(bookable.shop)}", {"services": str(bookable.cut)}
    async with visitor(bookable.shop) as browser:
        english = texts((await browser.get(path, params=query)).text)
        arabic = texts((await browser.get(path, params={**query, "lang": "ar"})).text)
    assert re.search(r"Noura Alharbi\s+Senior stylist", english)
    assert re.search(r"Dana Aziz\s+Colourist", english)
    assert re.search(r"Noura Alharbi\s+خبيرة شعر", arabic)
    assert re.search(r"Dana Aziz\s+Colourist", arabic)


async def test_the_first_page_describes_the_services_and_says_how_to_reach_the_business(
    bookable: BookableBranch,
) -> None:
    place = {"phone": "+966501180240", "address": "Anas Street"}
    await change_row(bookable.shop, "branches", bookable.branch.branch_id, **place)
    await change_row(bookable.shop, "items", bookable.cut, description='{"en": "With a wash"}')
    async with visitor(bookable.shop) as browser:
        page = (await browser.get(f"/book/{await slug_of(bookable.shop)}")).text
    assert "<bdi>With a wash</bdi>" in page
    for link in ("tel:+966501180240", "https://wa.me/966501180240", "https://www.google.com/maps/search/"):
        assert f'href="{link}' in page, link
