"""Acts on a connection of the test, as an endpoint or a page would run them."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

import msgspec

from frontdesk.invoices.issue import IssueInvoice
from frontdesk.invoices.money_types import RefundRequest
from frontdesk.orders.change_status import ChangeOrderStatus, SettableStatus
from frontdesk.orders.create import CreateOrder
from frontdesk.orders.edit import EditOrder, OrderEdit
from frontdesk.orders.pay import PayOrder
from frontdesk.orders.types import NO_CASHIER, Cashier, OrderRequest, PaymentRequest
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.write import run
from frontdesk.refunds.give_up import GiveUpAppointment
from frontdesk.refunds.refund import RefundOrder
from frontdesk.scheduling.reschedule import RequestedProvider, RescheduleOrder
from frontdesk.security.encryption import SecretBox
from frontdesk.values.actor import SYSTEM, Actor
from frontdesk.values.ids import uuid7
from frontdesk.values.tenant_context import TenantContext
from frontdesk.webhooks.event_types import EventType
from frontdesk.webhooks.new_secret import new_secret
from frontdesk.webhooks.subscribe import CreateWebhook


class CreatedOrder(NamedTuple):
    id: UUID
    document: bytes


class _Issued(msgspec.Struct):
    invoice_number: int


async def create_order(
    conn: Connection, tenant: TenantContext, order: OrderRequest, now: datetime | None = None, actor: Actor = SYSTEM
) -> CreatedOrder:
    order_id = uuid7()
    return CreatedOrder(order_id, await run(conn, tenant, CreateOrder(order, order_id, now), actor=actor))


async def edit_order(conn: Connection, tenant: TenantContext, order_id: UUID, edit: OrderEdit, actor: Actor) -> None:
    await run(conn, tenant, EditOrder(order_id, edit), actor=actor)


async def change_status(
    conn: Connection, tenant: TenantContext, order_id: UUID, status: SettableStatus, note: str | None, actor: Actor
) -> None:
    await run(conn, tenant, ChangeOrderStatus(order_id, status, note), actor=actor)


async def reschedule_order(
    conn: Connection,
    tenant: TenantContext,
    order_id: UUID,
    start: datetime,
    providers: Sequence[RequestedProvider],
    actor: Actor,
) -> None:
    await run(conn, tenant, RescheduleOrder(order_id, start, providers), actor=actor)


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
    refund_id = uuid7()
    await run(conn, tenant, RefundOrder(order_id, request, refund_id), actor=actor)
    return refund_id


async def give_up_order(conn: Connection, tenant: TenantContext, order_id: UUID, actor: Actor) -> None:
    await run(conn, tenant, GiveUpAppointment(order_id), actor=actor)


async def issue_invoice(conn: Connection, tenant: TenantContext, order_id: UUID, issued_by: UUID | None) -> int:
    """Returns the invoice's number."""
    actor = Actor("user", issued_by) if issued_by else SYSTEM
    document = await run(conn, tenant, IssueInvoice(order_id), actor=actor)
    return msgspec.json.decode(document, type=_Issued).invoice_number


async def subscribe(
    conn: Connection, tenant: TenantContext, client_id: UUID, secret_box: SecretBox, url: str, events: list[EventType]
) -> UUID:
    """Returns the id of the webhook."""
    act = CreateWebhook(url, events, client_id=client_id, encrypted_secret=new_secret(secret_box).encrypted)
    await run(conn, tenant, act, actor=SYSTEM)
    return act.webhook_id
