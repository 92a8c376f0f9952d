"""Which option a line takes its units from, and which line is short: one table for new orders and for drafts."""

from uuid import UUID

import pytest

from frontdesk.orders.stock import OptionStock, ProductStock, StockNeed, choose_options, shortages

pytestmark = pytest.mark.both_servers

OIL, SOAP, SMALL, LARGE = (UUID(int=number) for number in range(1, 5))
Need = tuple[int, tuple[UUID, ...]]  # units, and the options that the line names


def product(stock: int | None, small: int | None, large: int | None) -> ProductStock:
    return ProductStock(OIL, stock, [OptionStock(SMALL, small), OptionStock(LARGE, large)])


COUNTED = product(10, 4, 6)


@pytest.mark.parametrize(
    ("goods", "needs", "chosen", "short"),
    [
        pytest.param(COUNTED, [(3, ())], [SMALL], [], id="the first with enough"),
        pytest.param(COUNTED, [(5, ())], [LARGE], [], id="the only one with enough"),
        pytest.param(COUNTED, [(3, ()), (3, ())], [SMALL, LARGE], [], id="what the line before has left"),
        pytest.param(COUNTED, [(3, ()), (1, ()), (2, ())], [SMALL, SMALL, LARGE], [], id="the last of the first"),
        pytest.param(COUNTED, [(1, (LARGE,)), (1, ())], [LARGE, SMALL], [], id="the named one"),
        pytest.param(COUNTED, [(4, ()), (4, (SMALL,))], [SMALL, SMALL], [(1, True)], id="the named one is short"),
        pytest.param(COUNTED, [(7, ())], [LARGE], [(0, True)], id="none has enough: the fullest"),
        pytest.param(COUNTED, [(6, ()), (5, ())], [LARGE, SMALL], [(1, False)], id="the product is short"),
        pytest.param(product(2, 3, None), [(2, ())], [None], [], id="an option is not counted: the product's stock"),
        pytest.param(product(2, 3, None), [(3, ())], [None], [(0, False)], id="the product's own stock is short"),
        pytest.param(product(9, 3, None), [(4, (SMALL,))], [SMALL], [(0, True)], id="a counted option is named"),
        pytest.param(product(9, 3, None), [(4, (LARGE,))], [None], [], id="an option that is not counted is named"),
        pytest.param(product(None, None, None), [(99, ())], [None], [], id="nothing is counted"),
        pytest.param(product(None, 3, None), [(99, (LARGE,))], [None], [], id="the named one is not counted"),
        pytest.param(product(None, 3, None), [(4, (SMALL,))], [SMALL], [(0, True)], id="only the option is counted"),
        pytest.param(ProductStock(OIL, 0), [(1, ())], [None], [(0, False)], id="none left"),
        pytest.param(ProductStock(OIL, None), [(1, ())], [None], [], id="a product that is not counted"),
        pytest.param(ProductStock(SOAP, 0), [(1, ())], [None], [], id="a product that was not read"),
    ],
)
def test_stock_is_taken_from_options_and_shortages_are_reported(
    goods: ProductStock, needs: list[Need], chosen: list[UUID | None], short: list[tuple[int, bool]]
) -> None:
    products = {goods.id: goods}
    uses = choose_options([[StockNeed(OIL, units, named)] for units, named in needs], products)
    assert [use.option_id for (use,) in uses] == chosen
    assert [(one.line, one.of_option) for one in shortages(uses, products)] == short
