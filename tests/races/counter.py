"""What the till of the dashboard writes: sales with tips, and exchanges, paid in full whatever they cost."""

from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from random import Random
from uuid import UUID

from frontdesk.orders.cart import Cart, CartLine, price_cart
from frontdesk.orders.exchange import Return, look_at_exchange, plan_exchange
from frontdesk.orders.queries.order_context import SeenOrder
from frontdesk.orders.till import Checkout, look_at_sale, plan_sale
from frontdesk.orders.tips import TakenPayment
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.write import write
from frontdesk.values.ids import uuid7
from tests.races.fixture import SYSTEM, RaceFixture

TIP = Decimal(1)


def some_cart(rng: Random, products: list[UUID]) -> Cart:
    return Cart(tuple(CartLine(item) for item in rng.sample(products, 2)))


def pay_all(race: RaceFixture, cart: Cart, seen: SeenOrder) -> Checkout:
    total = price_cart(race.tenant, cart, seen, datetime.now(UTC)).priced.total
    return Checkout([TakenPayment(race.method_id, total + TIP)], TIP)


async def sell(conn: Connection, race: RaceFixture, rng: Random, products: list[UUID]) -> None:
    cart, sale_id = some_cart(rng, products), uuid7()
    look = look_at_sale(cart, Checkout([TakenPayment(race.method_id, TIP)]))
    await write(
        conn,
        race.tenant_id,
        look,
        lambda seen: plan_sale(race.tenant, cart, pay_all(race, cart, seen), seen, sale_id),
        actor=SYSTEM,
    )


async def exchange(
    conn: Connection, race: RaceFixture, rng: Random, products: list[UUID], order_id: UUID, lines: Mapping[UUID, int]
) -> None:
    """The difference is not known beforehand, so the tip pays for it: an overpayment is refused."""
    cart, back, sale_id = some_cart(rng, products), Return(order_id, lines, race.method_id), uuid7()
    checkout = Checkout([TakenPayment(race.method_id, Decimal(10))], Decimal(10))
    look = look_at_exchange(back, cart, checkout)
    await write(
        conn,
        race.tenant_id,
        look,
        lambda seen: plan_exchange(race.tenant, back, cart, checkout, seen, SYSTEM, sale_id),
        actor=SYSTEM,
    )
