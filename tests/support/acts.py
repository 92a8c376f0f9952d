"""Acts on a connection of the test, as an endpoint or a page would run them."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from frontdesk.customers.change import look_at_customer, plan_change
from frontdesk.orders.create import look_at_order, plan_order
from frontdesk.orders.edit import OrderEdit, look_at_edit, plan_edit
from frontdesk.orders.give_up import look_at_give_up, plan_give_up
from frontdesk.orders.invoice import look_at_invoice, plan_invoice
from frontdesk.orders.money_types import RefundRequest
from frontdesk.orders.pay import PayOrder
from frontdesk.orders.refund import look_at_refund, plan_refund
from frontdesk.orders.types import NO_CASHIER, Cashier, OrderRequest, PaymentRequest
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.write import run, write
from frontdesk.values.actor import SYSTEM, Actor
from frontdesk.values.ids import uuid7
from frontdesk.values.tenant_context import TenantContext


class CreatedOrder(NamedTuple):
    id: UUID
    document: bytes


class _Issued(msgspec.Struct):
    invoice_number: int


async def create_order(
    conn: Connection, tenant: TenantContext, order: OrderRequest, now: datetime | None = None, actor: Actor = SYSTEM
) -> CreatedOrder:
    order_id = uuid7()
    look = look_at_order(order, now)
    document = await write(
        conn, tenant.tenant_id, look, lambda seen: plan_order(tenant, order, seen, order_id, now), actor=actor
    )
    return CreatedOrder(order_id, document)


async def edit_order(conn: Connection, tenant: TenantContext, order_id: UUID, edit: OrderEdit, actor: Actor) -> None:
    look = look_at_edit(order_id, edit)
    await write(conn, tenant.tenant_id, look, lambda seen: plan_edit(tenant, seen, edit), actor=actor)


async def pay_order(
    conn: Connection,
    tenant: TenantContext,
    order_id: UUID,
    payment: PaymentRequest,
    cashier: Cashier = NO_CASHIER,
    actor: Actor = SYSTEM,
) -> bytes:
    """Returns the transaction as it is published."""
    return await run(conn, tenant, PayOrder(order_id, payment, cashier), actor=actor)


async def refund_order(
    conn: Connection, tenant: TenantContext, order_id: UUID, request: RefundRequest, actor: Actor
) -> UUID:
    """Returns the id of the refund's order."""
    look, refund_id = look_at_refund(order_id, request), uuid7()
    await write(
        conn, tenant.tenant_id, look, lambda seen: plan_refund(tenant, seen, request, actor, refund_id), actor=actor
    )
    return refund_id


async def give_up_order(conn: Connection, tenant: TenantContext, order_id: UUID, actor: Actor) -> None:
    look = look_at_give_up(order_id)
    await write(conn, tenant.tenant_id, look, lambda seen: plan_give_up(tenant, seen, None, actor), actor=actor)


async def issue_invoice(conn: Connection, tenant: TenantContext, order_id: UUID, issued_by: UUID | None) -> int:
    """Returns the invoice's number."""
    document = await write(
        conn,
        tenant.tenant_id,
        look_at_invoice(order_id),
        lambda seen: plan_invoice(tenant, seen, issued_by),
        actor=Actor("user", issued_by) if issued_by else SYSTEM,
    )
    return msgspec.json.decode(document, type=_Issued).invoice_number


async def change_customer(conn: Connection, tenant_id: UUID, customer_id: UUID, changes: Mapping[str, Any]) -> None:
    await write(conn, tenant_id, look_at_customer(customer_id), lambda seen: plan_change(seen, changes), actor=SYSTEM)
