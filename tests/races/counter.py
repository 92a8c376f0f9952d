"""What the till of the dashboard writes: sales with tips, and exchanges, paid in full whatever they cost."""

from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from random import Random
from uuid import UUID

from frontdesk.orders.queries.order_context import OrderInputs
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.postgres.write import run
from frontdesk.till.cart import Cart, CartLine, price_cart
from frontdesk.till.exchange import ExchangeOrder, Return
from frontdesk.till.sell import Checkout, SellCart
from frontdesk.till.tips import TakenPayment
from frontdesk.values.ids import uuid7
from tests.races.fixture import SYSTEM, RaceFixture

TIP = Decimal(1)


def some_cart(rng: Random, products: list[UUID]) -> Cart:
    return Cart(tuple(CartLine(item) for item in rng.sample(products, 2)))


def pay_all(race: RaceFixture, cart: Cart, inputs: OrderInputs) -> Checkout:
    total = price_cart(race.tenant, cart, inputs, datetime.now(UTC)).priced.total
    return Checkout([TakenPayment(race.method_id, total + TIP)], TIP)


async def sell(conn: Connection, race: RaceFixture, rng: Random, products: list[UUID]) -> None:
    cart, sale_id = some_cart(rng, products), uuid7()
    query = SellCart(sale_id, cart, Checkout([TakenPayment(race.method_id, TIP)])).load()
    checkout = pay_all(race, cart, await fetch(conn, race.tenant_id, query))
    await run(conn, race.tenant, SellCart(sale_id, cart, checkout), actor=SYSTEM)


async def exchange(
    conn: Connection, race: RaceFixture, rng: Random, products: list[UUID], order_id: UUID, lines: Mapping[UUID, int]
) -> None:
    """The difference is not known beforehand, so the tip pays for it: an overpayment is refused."""
    cart, back = some_cart(rng, products), Return(order_id, lines, race.method_id)
    checkout = Checkout([TakenPayment(race.method_id, Decimal(10))], Decimal(10))
    await run(conn, race.tenant, ExchangeOrder(uuid7(), back, cart, checkout), actor=SYSTEM)
