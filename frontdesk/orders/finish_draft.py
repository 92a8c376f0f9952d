"""The act of turning a draft into a sale in one step: changed, confirmed and paid, or left as it was."""

from uuid import UUID

from frontdesk.errors import WireError, invalid
from frontdesk.orders.change_draft import change_draft
from frontdesk.orders.change_status import SettableStatus, change_status
from frontdesk.orders.pay import pay_order
from frontdesk.orders.types import OrderRequest, PaymentRequest
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.types import TenantContext


async def finish_draft(conn: Connection, tenant: TenantContext, order_id: UUID, asked: OrderRequest) -> None:
    async with conn.transaction():
        await change_draft(conn, tenant, order_id, asked._replace(payments=[]))
        await change_status(conn, tenant, order_id, SettableStatus.CONFIRMED, None, asked.actor)
        for place, payment in enumerate(asked.payments):
            await _pay(conn, tenant, order_id, asked, payment, asked.field_names.payment.format(place))


async def _pay(
    conn: Connection, tenant: TenantContext, order_id: UUID, asked: OrderRequest, payment: PaymentRequest, field: str
) -> None:
    """A fault is named by the place at which the payment stands."""
    try:
        await pay_order(conn, tenant, order_id, payment, asked.cashier)
    except WireError as wrong:
        if not wrong.errors:
            raise
        faults = {f"{field}.{name}": fault for name, fault in wrong.errors.items()}
        raise invalid(faults, details=wrong.details) from wrong
