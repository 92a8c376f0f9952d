"""Orders, created by the product's own act: no request is logged for them."""

from decimal import Decimal
from uuid import UUID

from frontdesk.orders.types import LineType, OrderLineRequest, OrderRequest, PaymentRequest, Source
from frontdesk.postgres.pool import Connection
from tests.factories.catalog import branch_of, make_product
from tests.factories.people import customer_of
from tests.support.acts import create_order
from tests.support.connections import pooled_connection
from tests.support.shop import Shop


async def make_order(
    shop: Shop, *quantities: int, price: str = "10", paid: str | None = None, draft: bool = False
) -> UUID:
    """One line for each quantity, each of a new product, so that no product of the sandbox runs out; paid in cash."""
    names = [f"Oil {number}" for number in range(1, len(quantities) + 1)]
    lines = [
        OrderLineRequest(
            await make_product(shop, {"ar": name, "en": name}, price=price, stock=100), LineType.PRODUCT, quantity
        )
        for name, quantity in zip(names, quantities, strict=True)
    ]
    payments = [] if paid is None else [PaymentRequest(Decimal(paid), None, "cash", None, None, None)]
    request = OrderRequest(
        branch_id=await branch_of(shop),
        customer_id=await customer_of(shop),
        start=None,
        lines=lines,
        note=None,
        payments=payments,
        source=Source.DASHBOARD,
        draft=draft,
    )
    async with pooled_connection(shop.dsn) as raw:
        return (await create_order(Connection(raw), await shop.tenant(), request)).id
