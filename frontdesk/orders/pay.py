"""The act of recording a payment against an order."""

from datetime import UTC, datetime
from decimal import Decimal
from uuid import UUID

from frontdesk.errors import Code, WireError, invalid
from frontdesk.orders.queries.changing import insert_payment, lock_order
from frontdesk.orders.queries.telling import emit_payment
from frontdesk.orders.types import NO_CASHIER, Cashier, Payment, PaymentRequest, Status
from frontdesk.payments.resolve import resolve_method
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.types import TenantContext
from frontdesk.values.ids import uuid7
from frontdesk.values.money import fits_currency, format_amount


async def pay_order(
    conn: Connection, tenant: TenantContext, order_id: UUID, asked: PaymentRequest, cashier: Cashier = NO_CASHIER
) -> str:
    """The order is held while its remainder is looked at, so that a balance is never paid twice."""
    async with conn.transaction():
        order = await lock_order(conn, tenant.tenant_id, order_id)
        if order.status is Status.DRAFT:
            raise WireError(Code.ORDER_IS_DRAFT, "The order is a draft. Confirm it before you record a payment.")
        if order.status is Status.CANCELED:
            raise WireError(Code.ORDER_CANCELED, "The order is canceled and takes no payments.")
        method_id = await resolve_method(conn, tenant.tenant_id, asked.method_id, asked.method_type)
        remaining = max(order.total - order.paid_amount, Decimal(0))
        check_amount(asked.amount, remaining, tenant.currency_decimals, "amount")
        check_tendered(asked, tenant.currency_decimals, "total_amount")
        payment = build_payment(asked, method_id, remaining, order.begins, datetime.now(UTC))
        document = await insert_payment(conn, tenant, order_id, payment, cashier)
        await emit_payment(conn, tenant, order, payment.id)
        return document


def check_amount(amount: Decimal, remaining: Decimal, decimals: int, field: str) -> None:
    if fits_currency(amount, decimals) and 0 < amount <= remaining:
        return
    unpaid = format_amount(remaining, decimals)
    if not fits_currency(amount, decimals):
        fault = f"must have at most {decimals} decimals"
    else:
        fault = "must be more than 0" if amount <= 0 else f"must not exceed the remaining amount of {unpaid}"
    raise invalid({field: [fault]}, details={"remaining": unpaid})


def check_tendered(asked: PaymentRequest, decimals: int, field: str) -> None:
    if asked.tendered is None:
        return
    if not fits_currency(asked.tendered, decimals):
        raise invalid({field: [f"must have at most {decimals} decimals"]})
    if asked.tendered < asked.amount:
        raise invalid({field: ["must be at least the amount"]})


def build_payment(
    asked: PaymentRequest, method_id: UUID, remaining: Decimal, begins: datetime | None, now: datetime
) -> Payment:
    """A deposit is paid before the first booking begins and leaves something to pay."""
    return Payment(
        id=uuid7(),
        method_id=method_id,
        amount=asked.amount,
        is_deposit=begins is not None and now < begins and asked.amount < remaining,
        note=asked.note,
        reference_number=asked.reference_number,
        date=asked.date or now,
        tendered=asked.tendered,
    )
