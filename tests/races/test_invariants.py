"""The rules that the races are judged by: they hold of a sandbox, and each would tell of its own damage."""

from decimal import Decimal

import pytest

from frontdesk.postgres.pool import Connection
from tests.support.invariants import INVARIANTS, broken_invariants, expected_payment_status
from tests.support.shop import Shop

pytestmark = pytest.mark.one_server


async def test_a_sandbox_breaks_none(conn: Connection, shop: Shop) -> None:
    assert await broken_invariants(conn, shop.tenant_id) == []


@pytest.mark.parametrize("name", INVARIANTS)
async def test_damage_is_found(conn: Connection, shop: Shop, name: str) -> None:
    damaged = conn.transaction()
    await damaged.start()
    await conn.execute(INVARIANTS[name].damage)
    rows = await conn.fetch(INVARIANTS[name].query, shop.tenant_id)
    await damaged.rollback()
    assert rows


async def test_a_wrong_payment_status_is_found(conn: Connection, shop: Shop) -> None:
    damaged = conn.transaction()
    await damaged.start()
    await conn.execute("UPDATE orders SET paid_amount = 0, refunded_amount = 0 WHERE parent_id IS NULL")
    broken = await broken_invariants(conn, shop.tenant_id)
    await damaged.rollback()
    assert any(text.startswith("an order's payment status") for text in broken)


@pytest.mark.parametrize(
    ("total", "paid", "refunded", "status"),
    [
        (10, 0, 0, "unpaid"),
        (10, 9, 0, "partially_paid"),
        (10, 10, 0, "paid"),
        (0, 0, 0, "paid"),
        (10, 10, 1, "partially_refunded"),
        (10, 5, 5, "refunded"),
    ],
)
def test_what_an_order_amounts_to(total: int, paid: int, refunded: int, status: str) -> None:
    assert expected_payment_status(Decimal(total), Decimal(paid), Decimal(refunded)) == status
