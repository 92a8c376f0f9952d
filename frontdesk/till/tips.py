"""Tips, and what is left of the payments for the order itself."""

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

from frontdesk.orders.new_order import Tip
from frontdesk.orders.types import PaymentRequest
from frontdesk.values.ids import uuid7


class TakenPayment(NamedTuple):
    """What the customer pays by one method, with the tip."""

    method_id: UUID
    amount: Decimal
    given: Decimal | None = None  # the cash received; the difference is change


class SplitPayments(NamedTuple):
    payments: list[PaymentRequest]
    tips: list[Tip]


def split_tip(taken: Sequence[TakenPayment], tip: Decimal, staff_id: UUID | None) -> SplitPayments:
    """The tip is taken from the last payments, because the order is paid first."""
    payments: list[PaymentRequest] = []
    tips: list[Tip] = []
    for payment in reversed(taken):
        part = min(tip, payment.amount)
        tip -= part
        if part > 0:
            tips.append(Tip(uuid7(), payment.method_id, staff_id, part))
        if payment.amount > part:
            given = None if payment.given is None else payment.given - part
            payments.append(PaymentRequest(payment.amount - part, payment.method_id, None, None, None, None, given))
    return SplitPayments(payments[::-1], tips[::-1])
