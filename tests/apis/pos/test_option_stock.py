"""The stock of a product is the sum of its options', whichever interface sells it and whatever becomes of the order."""

from uuid import UUID

import pytest

from frontdesk.postgres.pool import Connection
from tests.factories.catalog import make_option
from tests.factories.changes import change_row
from tests.support.branch import BranchFixture, line
from tests.support.http_errors import assert_error
from tests.support.invariants import broken_invariants
from tests.support.till import Till, option_stock


class Shampoo:
    """Ten pieces in two sizes: four small ones and six large ones."""

    def __init__(self, branch: BranchFixture, id_: UUID, small: str, large: str) -> None:
        self.branch, self.id, self.small, self.large = branch, id_, small, large

    async def stock(self) -> tuple[int, int, int]:
        options = await option_stock(self.branch, self.small), await option_stock(self.branch, self.large)
        return await self.branch.stock(self.id), *options


@pytest.fixture
async def shampoo(branch: BranchFixture) -> Shampoo:
    id_ = await branch.add_product(price="20", stock=10)
    small, large = (
        await make_option(branch.shop, id_, "20", quantity=4),
        await make_option(branch.shop, id_, "30", quantity=6),
    )
    await change_row(branch.shop, "item_options", UUID(large), sort_order=1)
    return Shampoo(branch, id_, small, large)


async def test_a_sale_that_names_no_option_takes_from_one(shampoo: Shampoo, conn: Connection) -> None:
    branch = shampoo.branch
    three = await branch.place(line(shampoo.id, "product", 3))
    assert await shampoo.stock() == (7, 1, 6)
    two = await branch.place(line(shampoo.id, "product", 2))
    assert await shampoo.stock() == (5, 1, 4)
    assert_error(
        await branch.shop.post("/orders", branch.order(line(shampoo.id, "product", 5))), 422, "validation_error"
    )
    assert await shampoo.stock() == (5, 1, 4)
    await branch.move(three["id"], "canceled")
    assert await shampoo.stock() == (8, 4, 4)
    await branch.move(two["id"], "canceled")
    await branch.move(two["id"], "confirmed")
    assert await shampoo.stock() == (8, 4, 4)
    assert await broken_invariants(conn, branch.shop.tenant_id) == []


async def test_a_package_takes_from_one_option(shampoo: Shampoo, till: Till) -> None:
    box = await till.branch.add_package({shampoo.id: 2}, price="50")
    sold = await till.ring_up("150.00", line(box, "package", 3), payment_methods=[await till.paid("150")])
    assert await shampoo.stock() == (4, 4, 0)
    await till.refund(sold["id"], (sold["items"][0]["line_id"], 1), restock=True)
    assert await shampoo.stock() == (6, 4, 2)


async def test_a_draft_takes_from_an_option_once_it_is_confirmed(shampoo: Shampoo, till: Till) -> None:
    any_, named = line(shampoo.id, "product", 5), line(shampoo.id, "product", 2, option_id=[shampoo.small])
    draft = await till.ring_up("140.00", any_, named, isDraft=True)
    assert await shampoo.stock() == (10, 4, 6)
    await till.move(draft["id"], "confirmed")
    assert await shampoo.stock() == (3, 2, 1)
    await till.move(draft["id"], "canceled")
    assert await shampoo.stock() == (10, 4, 6)


async def test_two_lines_of_a_draft_take_stock_of_two_options(shampoo: Shampoo, till: Till, conn: Connection) -> None:
    """Neither option has six, so the second line takes from the option that the first one left enough in."""
    three = line(shampoo.id, "product", 3)
    draft = await till.ring_up("120.00", three, three, isDraft=True)
    await till.move(draft["id"], "confirmed")
    assert await shampoo.stock() == (4, 1, 3)
    assert await broken_invariants(conn, shampoo.branch.shop.tenant_id) == []


async def test_a_draft_of_more_than_any_option_has_is_not_confirmed(shampoo: Shampoo, till: Till) -> None:
    draft = await till.ring_up("140.00", line(shampoo.id, "product", 7), isDraft=True)
    answer = assert_error(await till.try_to_move(draft["id"], "confirmed"), 422, "validation_error")
    assert answer["errors"] == {"status": ["requires products that are not in stock"]}
    assert await shampoo.stock() == (10, 4, 6)


async def test_a_line_of_a_product_names_one_option(shampoo: Shampoo, till: Till) -> None:
    both = line(shampoo.id, "product", option_id=[shampoo.small, shampoo.large])
    answer = assert_error(await till.try_to_ring_up("50.00", both), 422, "validation_error")
    assert list(answer["errors"]) == ["services.0.option_id"]
    assert await shampoo.stock() == (10, 4, 6)


async def test_an_order_is_canceled_whose_option_is_no_longer_counted(shampoo: Shampoo) -> None:
    sold = await shampoo.branch.place(line(shampoo.id, "product", 3))
    await change_row(shampoo.branch.shop, "item_options", UUID(shampoo.small), quantity=None)
    assert (await shampoo.branch.move(sold["id"], "canceled"))["status"] == "canceled"
    assert await shampoo.branch.stock(shampoo.id) == 10
