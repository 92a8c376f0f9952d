"""How the price of a package is shared among its parts."""

from decimal import Decimal

import pytest

from frontdesk.catalog.save_package import share_price

pytestmark = pytest.mark.both_servers


def test_the_shares_of_a_package_add_up_and_the_largest_takes_the_rounding() -> None:
    amounts = [Decimal(amount) for amount in (1300, 430, 275, 165, 140)]
    shares = share_price(Decimal(1890), amounts, 2)
    assert [str(share) for share in shares] == ["1063.63", "351.82", "225.00", "135.00", "114.55"]
