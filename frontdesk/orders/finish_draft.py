"""The act of turning a draft into a sale in one step: changed, confirmed and paid, or left as it was."""

from uuid import UUID

from frontdesk.errors import WireError, invalid
from frontdesk.orders.change_draft import change_draft
from frontdesk.orders.change_status import ChangedStatus, change_status
from frontdesk.orders.pay import pay_order
from frontdesk.orders.types import AskedOrder, AskedPayment
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.types import Business


async def finish_draft(conn: Connection, business: Business, order_id: UUID, asked: AskedOrder) -> None:
    async with conn.transaction():
        await change_draft(conn, business, order_id, asked._replace(payments=[]))
        await change_status(conn, business, order_id, ChangedStatus.CONFIRMED, None, asked.actor)
        for place, payment in enumerate(asked.payments):
            await _pay(conn, business, order_id, asked, payment, asked.wording.payment.format(place))


async def _pay(
    conn: Connection, business: Business, order_id: UUID, asked: AskedOrder, payment: AskedPayment, field: str
) -> None:
    """A fault is named by the place at which the payment stands."""
    try:
        await pay_order(conn, business, order_id, payment, asked.cashier)
    except WireError as wrong:
        if not wrong.errors:
            raise
        faults = {f"{field}.{name}": fault for name, fault in wrong.errors.items()}
        raise invalid(faults, details=wrong.details) from wrong
