"""Providers have prices of their own: what a customer pays who wants anyone."""

from tests.support.branch import line, start
from tests.ui.booking_page.test_booking_page import BookableBranch, bookable, orders_of, starts_of, visitor

__all__ = ["bookable"]


async def test_anyone_is_the_cheapest_who_is_free_and_the_shown_price_is_charged(bookable: BookableBranch) -> None:
    """However busy she is. The load is balanced among those who cost the same."""
    shop = bookable.shop
    cara = await bookable.branch.add_provider(bookable.cut, price="160")
    for clock in ("14:00", "15:00"):
        await bookable.branch.place(line(bookable.cut, staff_id=bookable.dana), start=start(bookable.day, clock))
    await bookable.branch.place(line(bookable.cut, staff_id=cara), start=start(bookable.day, "15:00"))
    async with visitor(shop) as browser:
        for phone, price, staff in (
            ("+966501112221", "160.00", cara),  # less booked than Dana, as dear
            ("+966501112222", "160.00", bookable.dana),
            ("+966501112223", "220.00", bookable.noura),
        ):
            visit = await bookable.visit(browser, "10:00")
            assert visit.fields["start"].endswith(f" {price}")
            assert (await visit.send(phone=phone, email="")).status_code == 303
            order = (await orders_of(shop))[-1]
            assert (order["staff"], f"{order['total']:.2f}") == ([staff], price)
        page = await browser.get(visit.path, params={"services": str(bookable.cut), "date": str(bookable.day)})
        assert {"160.00", "220.00"} == {value.split()[1] for value in starts_of(page)}
        # Applications get the least booked provider, as the API documents.
        placed = await bookable.branch.place(line(bookable.cut), start=start(bookable.day, "16:00"))
        read = await bookable.branch.read(placed["id"])
        assert read["items"][0]["staff_id"] == str(bookable.noura)
