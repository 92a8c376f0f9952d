"""What a till sells leaves the shelf, item and option alike, and comes back with the sale."""

import pytest

from tests.factories.catalog import make_option
from tests.support.branch import day, line, start
from tests.support.http_errors import assert_error
from tests.support.till import Till, faults, option_stock

pytestmark = pytest.mark.both_servers


async def test_the_stock_of_item_and_option_follows_the_sale(till: Till) -> None:
    branch = till.branch
    shampoo = await branch.add_product(price="60", stock=10)
    small, large = (
        await make_option(branch.shop, shampoo, "60", quantity=6),
        await make_option(branch.shop, shampoo, "99", offer_price="89", quantity=4),
    )

    async def left() -> tuple[int, int, int]:
        return await branch.stock(shampoo), await option_stock(branch, small), await option_stock(branch, large)

    lines = [line(shampoo, "product", 2, option_id=[small]), line(shampoo, "product", 3, option_id=[large])]
    sold = await till.ring_up("387.00", *lines)
    assert await left() == (5, 4, 1)
    await till.move(sold["id"], "canceled")
    assert await left() == (10, 6, 4)
    await till.move(sold["id"], "in-progress")
    assert await left() == (5, 4, 1)
    again = [line(shampoo, "product", option_id=[large])]
    await till.ring_up("89.00", *again)
    assert await faults(till, "89.00", *again) == ["services.0.quantity"]
    await till.move(sold["id"], "canceled")
    await till.ring_up("178.00", line(shampoo, "product", 2, option_id=[large]))
    assert_error(await till.try_to_move(sold["id"], "confirmed"), 422, "validation_error")
    assert await left() == (7, 6, 1)


async def test_lines_of_the_same_option_share_what_there_is_of_it(till: Till) -> None:
    shampoo = await till.branch.add_product(price="60", stock=10)
    small = await make_option(till.branch.shop, shampoo, "60", quantity=3)
    two = line(shampoo, "product", 2, option_id=[small])
    assert await faults(till, "240.00", two, two) == ["services.1.quantity"]
    await till.ring_up("180.00", two, line(shampoo, "product", option_id=[small]))
    assert await option_stock(till.branch, small) == 0


async def test_an_option_of_a_service_makes_it_as_long_as_it_says(till: Till) -> None:
    branch = till.branch
    colour = await branch.add_service(price="100", duration=30)
    await branch.add_provider(colour, duration=45)
    long = await make_option(branch.shop, colour, "400", duration=120)
    sold = await till.ring_up("400.00", line(colour, option_id=[long]), start=start(day(3), "10:00"))
    (booking,) = (await branch.read(sold["id"]))["bookings"]
    assert (booking["start"][11:16], booking["end"][11:16]) == ("10:00", "12:00")


async def test_a_package_takes_its_products_and_books_nothing(till: Till) -> None:
    branch = till.branch
    mask, cut = await branch.add_product(stock=10), await branch.add_service()
    package = await branch.add_package({mask: 3, cut: 1}, price="140")
    sold = await till.ring_up("280.00", line(package, "package", 2), line(mask, "product", unit_amount=0), start=None)
    assert (await branch.read(sold["id"]))["bookings"] == []
    assert await branch.stock(mask) == 3
    assert await faults(till, "280.00", line(package, "package", 2)) == ["services.0.quantity"]
    await till.move(sold["id"], "canceled")
    assert await branch.stock(mask) == 10
