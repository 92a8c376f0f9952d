"""Providers have prices of their own: what a customer pays who wants anyone."""

from tests.support.salon import line, start
from tests.ui.test_booking_page import Studio, orders_of, starts_of, studio, visitor

__all__ = ["studio"]


async def test_anyone_is_the_cheapest_who_is_free_and_the_shown_price_is_charged(studio: Studio) -> None:
    """However busy she is. The load is balanced among those who cost the same."""
    shop = studio.shop
    cara = await studio.salon.add_provider(studio.cut, price="160")
    for clock in ("14:00", "15:00"):
        await studio.salon.place(line(studio.cut, staff_id=studio.dana), start=start(studio.day, clock))
    await studio.salon.place(line(studio.cut, staff_id=cara), start=start(studio.day, "15:00"))
    async with visitor(shop) as browser:
        for phone, price, staff in (
            ("+966501112221", "160.00", cara),  # less booked than Dana, as dear
            ("+966501112222", "160.00", studio.dana),
            ("+966501112223", "220.00", studio.noura),
        ):
            visit = await studio.visit(browser, "10:00")
            assert visit.fields["start"].endswith(f" {price}")
            assert (await visit.send(phone=phone, email="")).status_code == 303
            order = (await orders_of(shop))[-1]
            assert (order["staff"], f"{order['total']:.2f}") == ([staff], price)
        page = await browser.get(visit.path, params={"services": str(studio.cut), "date": str(studio.day)})
        assert {"160.00", "220.00"} == {value.split()[1] for value in starts_of(page)}
        # Applications get the least booked provider, as the API documents.
        placed = await studio.salon.place(line(studio.cut), start=start(studio.day, "16:00"))
        read = await studio.salon.read(placed["id"])
        assert read["items"][0]["staff_id"] == str(studio.noura)
