"""The public address of a receipt, which a customer opens without an account."""

from uuid import UUID

from frontdesk.orders.queries.order_state import lock_order
from frontdesk.orders.queries.receipt import Receipt, find_receipt
from frontdesk.postgres.act import FunctionCall
from frontdesk.postgres.write import Look
from frontdesk.problems import not_found


def look_at_receipt(order_id: UUID) -> Look[Receipt | None]:
    return Look(find_receipt(order_id), lock_order(order_id))


def plan_receipt_link(seen: Receipt | None) -> FunctionCall:
    """An order keeps the address that it was given first."""
    if seen is None:
        raise not_found("receipt")
    return FunctionCall(None if seen.link_id else "create_receipt_link", {"order_id": seen.id})


def plan_receipt_mail(seen: Receipt | None, email: str) -> FunctionCall:
    if seen is None:
        raise not_found("receipt")
    return FunctionCall("mail_receipt", {"order_id": seen.id, "email": email})
