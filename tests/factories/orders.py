"""Orders, created by the product's own act: no request is logged for them."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from frontdesk.orders.types import LineType, OrderLineRequest, OrderRequest, PaymentRequest, Source
from frontdesk.postgres.pool import Connection
from frontdesk.values.ids import uuid7
from tests.factories.catalog import branch_of, make_product
from tests.factories.changes import assignments
from tests.factories.people import customer_of
from tests.factories.tenant_rows import TenantRows
from tests.support.acts import create_order
from tests.support.connections import pooled_connection
from tests.support.shop import Shop


async def make_order(
    shop: Shop,
    *quantities: int,
    price: str = "10",
    paid: str | None = None,
    draft: bool = False,
    customer_id: UUID | None = None,
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
        customer_id=customer_id or await customer_of(shop),
        start=None,
        lines=lines,
        note=None,
        payments=payments,
        source=Source.DASHBOARD,
        draft=draft,
    )
    async with pooled_connection(shop.dsn) as raw:
        return (await create_order(Connection(raw), await shop.tenant(), request)).id


async def insert_order_view(shop: Shop) -> UUID:
    view_id = uuid7()
    await shop.sql(
        "INSERT INTO order_views (tenant_id, id, name, query) VALUES ($1, $2, $2::uuid::text, 'status=draft')", view_id
    )
    return view_id


async def put_in_series(rows: TenantRows, *order_ids: UUID) -> None:
    """Every two weeks. An order without a time gets one, in five days."""
    series_id = uuid7()
    await rows.sql("INSERT INTO order_series (tenant_id, id, every_weeks) VALUES ($1, $2, 2)", series_id)
    await rows.sql(
        """
        UPDATE orders SET series_id = $3, version = version + 1 WHERE tenant_id = $1 AND id = ANY($2)
        """,
        order_ids,
        series_id,
    )
    await rows.sql(
        """
        UPDATE orders SET starts_at = now() + interval '5 days'
        WHERE tenant_id = $1 AND id = ANY($2) AND starts_at IS NULL
        """,
        order_ids,
    )


async def make_tip(
    rows: TenantRows, order_id: UUID, method_id: UUID, amount: str = "5", *, staff_id: UUID | None = None
) -> None:
    await rows.sql(
        """
        INSERT INTO tips (tenant_id, id, order_id, payment_method_id, staff_id, amount, currency, created_by_type,
            created_at)
        VALUES ($1, $2, $3, $4, $5, $6, 'SAR', 'user', clock_timestamp())
        """,
        uuid7(),
        order_id,
        method_id,
        staff_id,
        Decimal(amount),
    )


async def insert_receipt_link(shop: Shop, order_id: UUID) -> UUID:
    link_id = uuid7()
    await shop.sql("INSERT INTO receipt_links (tenant_id, id, order_id) VALUES ($1, $2, $3)", link_id, order_id)
    return link_id


async def insert_notification(shop: Shop) -> UUID:
    """Of a user who is not a member: nobody finds it."""
    notification_id = uuid7()
    await shop.sql(
        "INSERT INTO notifications (tenant_id, id, user_id, order_id, kind, starts_at, changed_by, on_bell, "
        "created_at) VALUES ($1, $2, $2, $3, 'new', now(), 'customer', true, now())",
        notification_id,
        await make_order(shop, 1),
    )
    return notification_id


async def change_order(rows: TenantRows, order_id: UUID | str, **columns: Any) -> None:
    """As an act would: who has read it before finds another version."""
    statement = f"UPDATE orders SET {assignments(columns, 3)}, version = version + 1 WHERE tenant_id = $1 AND id = $2"
    await rows.sql(statement, order_id, *columns.values())


async def move_booking(rows: TenantRows, order_id: UUID | str, begin: datetime, minutes: int = 30) -> None:
    """To any minute, also on no grid and in the past."""
    begin = begin.replace(second=0, microsecond=0)
    await rows.sql(
        "UPDATE bookings SET (during, busy) = (tstzrange($3, $4), tstzrange($3, $4)) "
        "WHERE tenant_id = $1 AND order_id = $2",
        order_id,
        begin,
        begin + timedelta(minutes=minutes),
    )


async def move_order(rows: TenantRows, order_id: UUID | str, begin: datetime) -> None:
    """With its bookings, each as long as it was."""
    moved = "tstzrange(lower({0}) + ($3::timestamptz - o.starts_at), upper({0}) + ($3::timestamptz - o.starts_at))"
    await rows.sql(
        f"""WITH moved AS (
            UPDATE bookings k SET during = {moved.format("k.during")}, busy = {moved.format("k.busy")}
            FROM orders o WHERE k.tenant_id = $1 AND k.order_id = $2 AND o.tenant_id = $1 AND o.id = $2)
        UPDATE orders SET starts_at = $3::timestamptz WHERE tenant_id = $1 AND id = $2""",
        order_id,
        begin,
    )
    await rows.sql("SELECT rebuild_busy_days($1)")
