"""The act of giving money back: a child order with the sale's own amounts, so that all refunds sum up to the sale."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from uuid import UUID

from frontdesk.errors import Code, WireError, invalid
from frontdesk.kit.db import Connection
from frontdesk.kit.money import add_up, format_amount
from frontdesk.orders.pricing import PricedLine, refund_amounts
from frontdesk.orders.queries.changing import lock_order, lock_staff_and_stock
from frontdesk.orders.queries.refunding import (
    insert_refund,
    insert_refund_order,
    insert_refund_transaction,
    list_paid_parts,
    list_sold_lines,
    restock_lines,
)
from frontdesk.orders.queries.telling import tell_refund
from frontdesk.orders.types import NOBODY, Actor, Cashier, GivenBack, OrderState, PaidPart, RefundLine, SoldLine, Status
from frontdesk.tenants.types import Business


async def refund_order(
    conn: Connection,
    business: Business,
    order_id: UUID,
    quantities: Mapping[UUID, int] | None,
    actor: Actor,
    *,
    restock: bool,
    reason: str | None = None,
    cashier: Cashier = NOBODY,
) -> UUID:
    """Give back the named lines and quantities, or all that is left of them; the id of the child order."""
    async with conn.transaction():
        sale = await lock_order(conn, business.tenant_id, order_id)
        _check_sale(sale)
        sold = await list_sold_lines(conn, business.tenant_id, order_id)
        lines = list(_refund_lines(sold, quantities, business.currency_decimals))
        amount = _check_amount(sale, lines, business.currency_decimals)
        restock = restock and sale.status is not Status.CANCELED  # whose pieces are back on the shelf already
        if restock:
            await lock_staff_and_stock(conn, business.tenant_id, order_id)
            await restock_lines(conn, business.tenant_id, lines)
        child_id = await insert_refund_order(conn, business, sale, lines, actor, cashier)
        parts = await list_paid_parts(conn, business.tenant_id, order_id)
        for part in _spread(amount, parts):
            await insert_refund_transaction(conn, business, child_id, part, cashier)
        await insert_refund(
            conn, business.tenant_id, order_id, child_id, amount, restocked=restock, reason=reason, actor=actor
        )
        await tell_refund(conn, business, sale, child_id, restocked=restock)
        return child_id


def _check_sale(sale: OrderState) -> None:
    if sale.status is Status.DRAFT:
        raise WireError(Code.ORDER_IS_DRAFT, "The order is a draft: nothing was paid that could be given back.")
    if sale.parent_id is not None:
        raise invalid({"order_id": ["is a refund itself"]})


def _refund_lines(sold: list[SoldLine], quantities: Mapping[UUID, int] | None, decimals: int) -> Iterator[RefundLine]:
    if quantities is not None:
        _check_lines(sold, quantities)
    for line in sold:
        wanted = line.quantity - line.refunded if quantities is None else quantities.get(line.id, 0)
        if wanted:
            whole = PricedLine(
                unit_amount=line.price,
                quantity=line.quantity,
                total_amount=line.price * line.quantity,
                discount_amount=line.discount_amount,
                net_amount=line.total,
            )
            back = refund_amounts(whole, already_refunded=line.refunded, quantity=wanted, decimals=decimals)
            yield RefundLine(line.id, wanted, back.discount_amount, back.net_amount)


def _check_lines(sold: list[SoldLine], quantities: Mapping[UUID, int]) -> None:
    """A fault is named by the place at which the line was asked for."""
    left = {line.id: line.quantity - line.refunded for line in sold}
    faults = {}
    for place, (line_id, wanted) in enumerate(quantities.items()):
        if line_id not in left:
            faults[f"lines.{place}.line_id"] = ["is not a line of this order"]
        elif not 0 <= wanted <= left[line_id]:
            faults[f"lines.{place}.quantity"] = [f"must be from 0 to the {left[line_id]} that are left"]
    if faults:
        raise invalid(faults)


def _check_amount(sale: OrderState, lines: list[RefundLine], decimals: int) -> Decimal:
    amount = add_up(line.total for line in lines)
    left = sale.paid_amount - sale.refunded_amount
    if amount <= 0:
        raise invalid({"lines": ["hold nothing that could be given back"]})
    if amount > left:
        raise invalid(
            {"lines": [f"come to more than the {format_amount(left, decimals)} that were paid and not given back"]},
            details={"remaining": format_amount(left, decimals)},
        )
    return amount


def _spread(amount: Decimal, parts: list[PaidPart]) -> Iterator[GivenBack]:
    """Back to the payments it came from, the earliest first."""
    for part in parts:
        share = min(amount, part.remaining)
        if share > 0:
            yield GivenBack(part.payment_id, part.method_id, share, share == part.remaining)
            amount -= share
