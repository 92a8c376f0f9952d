"""When? A month at a glance, and what is offered on a day without a free time."""

import re
from datetime import date
from html import unescape

from tests.factories.changes import change_tenant
from tests.factories.people import assign_service
from tests.support.branch import day, line, start
from tests.support.forms import texts
from tests.ui.booking_page.test_booking_page import BookableBranch, bookable, clocks_of, slug_of, starts_of, visitor

__all__ = ["bookable"]
DAY_LINK = re.compile(r'<a(?: class="full")? href="[^"]*date=([0-9-]+)[^"]*"(?: aria-current="date")?>')


def days_of(page: str) -> list[date]:
    (listed,) = re.findall(r'<(?:ol class="days"|table class="month").*?</(?:ol|table)>', page, re.DOTALL)
    return [date.fromisoformat(text) for text in DAY_LINK.findall(listed)]


async def test_a_month_has_every_day_that_can_be_booked_and_the_times_of_one(bookable: BookableBranch) -> None:
    await change_tenant(bookable.shop, horizon_days=40, notice_hours=0)
    path, services = f"/book/{await slug_of(bookable.shop)}", str(bookable.cut)
    first = bookable.day.replace(day=1)
    async with visitor(bookable.shop) as browser:
        query = {"services": services, "month": f"{first:%Y-%m}", "date": str(bookable.day)}
        month = await browser.get(path, params=query)
        week = await browser.get(path, params={"services": services, "date": str(bookable.day)})
        later = await browser.get(path, params={**query, "month": f"{day(40):%Y-%m}", "date": ""})
    shown = days_of(month.text)
    assert {shown_day.month for shown_day in shown} == {first.month}
    assert (bookable.day in shown, len(shown) == len(set(shown))) == (True, True)
    assert max(shown) == max(day(n) for n in range(41) if day(n).month == first.month)
    assert starts_of(month) == starts_of(week)
    assert max(days_of(later.text)) == day(40)
    assert "Next month" not in later.text
    assert "Previous month" in later.text
    assert starts_of(later)[0].startswith(str(min(days_of(later.text))))  # the first day that is free


async def test_a_full_day_offers_the_next_ones_and_who_else_is_free(bookable: BookableBranch) -> None:
    whole_day = await bookable.branch.add_service(duration=480)
    await assign_service(bookable.shop, bookable.dana, whole_day)
    for ahead in (8, 9):
        await bookable.branch.place(line(whole_day, staff_id=bookable.dana), start=start(day(ahead), "09:00"))
    path, query = f"/book/{await slug_of(bookable.shop)}", {"services": f"{bookable.cut}::{bookable.dana}"}
    async with visitor(bookable.shop) as browser:
        page = await browser.get(path, params={**query, "date": str(day(8))})
        others = re.search(r'href="([^"]+)">\s*<span class="avatar"', page.text)
        assert others is not None
        with_others = await browser.get(unescape(others[1]))
    assert "Dana Aziz has no free time on" in texts(page.text)
    assert [value[:16] for value in starts_of(page)] == [f"{day(ahead)}T09:00" for ahead in (10, 11, 12)]
    assert {day(8), day(9)} <= set(days_of(page.text)), "full days can be opened"
    assert (clocks_of(with_others)[0], "has no free time" in texts(with_others.text)) == ("09:00", False)
