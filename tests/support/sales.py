"""Sales made by the acts themselves: no request is logged for them, and no product of the sandbox runs out."""

from decimal import Decimal
from uuid import UUID

from frontdesk.orders.create import create_order
from frontdesk.orders.types import Actor, LineType, OrderLineRequest, OrderRequest, PaymentRequest, Source
from frontdesk.postgres.pool import Connection
from frontdesk.values.ids import uuid7
from tests.support.connections import pooled_connection
from tests.support.rows import branch_of
from tests.support.shop import Shop


async def add_product(shop: Shop, name: str = "Argan oil", *, price: str = "10", stock: int = 100) -> UUID:
    item_id = uuid7()
    await shop.sql(
        """
        INSERT INTO items (tenant_id, id, branch_id, type, name, name_search, slug, price, stock)
        VALUES ($1, $2, $3, 'product', jsonb_build_object('en', $4::text, 'ar', $4::text), lower($4), $5, $6, $7)
        """,
        item_id,
        await branch_of(shop),
        name,
        str(item_id),
        Decimal(price),
        stock,
    )
    return item_id


async def customer_of(shop: Shop) -> UUID:
    (row,) = await shop.sql("SELECT id FROM customers WHERE tenant_id = $1 AND NOT blocked ORDER BY id LIMIT 1")
    found: UUID = row["id"]
    return found


async def sell(shop: Shop, *quantities: int, price: str = "10", paid: str | None = None, draft: bool = False) -> UUID:
    """So many pieces of a product a line; paid in cash, as far as it is paid."""
    lines = [
        OrderLineRequest(await add_product(shop, f"Oil {place}", price=price), LineType.PRODUCT, quantity)
        for place, quantity in enumerate(quantities, 1)
    ]
    payments = [] if paid is None else [PaymentRequest(Decimal(paid), None, "cash", None, None, None)]
    asked = OrderRequest(
        branch_id=await branch_of(shop),
        customer_id=await customer_of(shop),
        start=None,
        lines=lines,
        note=None,
        payments=payments,
        source=Source.DASHBOARD,
        actor=Actor("system", None),
        draft=draft,
    )
    async with pooled_connection(shop.dsn) as raw:
        return (await create_order(Connection(raw), await shop.tenant(), asked)).id
