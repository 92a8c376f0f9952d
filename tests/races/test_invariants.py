"""The rules that the races are judged by: they hold of a sandbox, and each would tell of its own damage."""

from decimal import Decimal

import pytest

from frontdesk.invariants.check import RULES, find_broken
from frontdesk.postgres.pool import Connection
from tests.support.damage import DAMAGE
from tests.support.invariants import broken_invariants, expected_payment_status
from tests.support.shop import Shop

pytestmark = pytest.mark.one_server


async def test_a_sandbox_breaks_no_invariant(conn: Connection, shop: Shop) -> None:
    assert await broken_invariants(conn, shop.tenant_id) == []


def test_every_rule_has_its_damage() -> None:
    assert DAMAGE.keys() == RULES.keys()


@pytest.mark.parametrize("rule", RULES)
async def test_every_invariant_finds_its_damage(conn: Connection, shop: Shop, rule: str) -> None:
    damaged = conn.transaction()
    await damaged.start()
    await conn.execute(DAMAGE[rule])
    broken = await find_broken(conn, shop.tenant_id, {rule: RULES[rule]})
    await damaged.rollback()
    assert [one.rule for one in broken] == [rule]


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
def test_the_expected_payment_status_of_an_order(total: int, paid: int, refunded: int, status: str) -> None:
    assert expected_payment_status(Decimal(total), Decimal(paid), Decimal(refunded)) == status
