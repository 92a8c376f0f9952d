"""What the user may not sell alone, allowed by an owner or a manager before the payment.

The approval is in the address, encrypted: it is for one user and one cart, at these prices and up to this discount, and
for some minutes. The cart becomes one order at most, so an approval is used once.
"""

import hashlib
from datetime import timedelta
from decimal import Decimal
from typing import Literal
from uuid import UUID

import msgspec

from frontdesk.accounts.pin_queries import find_approver
from frontdesk.orders.problems import PriceProblem, TillProblem
from frontdesk.postgres.pool import Connection
from frontdesk.security.encrypted_token import decrypt_token, encrypt_token
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.till.state import TillState

LIFETIME = timedelta(minutes=15)
ASKED_FOR = {
    PriceProblem.DISCOUNT_BY_MANAGERS: "discount",
    TillProblem.PRICE_BY_MANAGERS: "price",
    TillProblem.RETURN_BY_MANAGERS: "return",
}
_KIND = "approval at the till"
Reason = Literal["complaint", "regular", "staff", "wrong_price", "other"]


class Approval(msgspec.Struct, frozen=True):
    tenant_id: UUID
    user_id: UUID  # who asked
    approver_id: UUID
    reason: Reason
    discount: Decimal  # at most
    terms: bytes


def grant(context: PageContext, state: TillState, discount: Decimal, reason: Reason) -> TillState:
    """The state with the approval of the one who has just typed the PIN; owners and managers need none."""
    if context.approval is None:
        return state
    approval = Approval(context.tenant_id, context.user.id, context.approval[0], reason, discount, _terms(state))
    token = encrypt_token(context.request.resources.secret_box, _KIND, msgspec.json.encode(approval), LIFETIME)
    return state._replace(approval=token)


async def find_approval(context: PageContext, conn: Connection, state: TillState) -> Approval | None:
    """None if there is none for this cart, or the one who gave it may no longer."""
    opened = decrypt_token(context.request.resources.secret_box, _KIND, state.approval) if state.approval else None
    if opened is None:
        return None
    approval = msgspec.json.decode(opened, type=Approval)
    if (approval.tenant_id, approval.user_id, approval.terms) != (context.tenant_id, context.user.id, _terms(state)):
        return None
    return approval if await find_approver(conn, context.tenant_id, approval.approver_id) else None


def _terms(state: TillState) -> bytes:
    """The cart, what comes back, and the prices that are not the catalog's."""
    priced = sorted(
        (str(line.item_id), sorted(map(str, line.option_ids)), line.quantity, str(line.price))
        for line in state.lines
        if line.price is not None
    )
    back = (state.back, sorted(state.give), state.back_method, state.restock)
    return hashlib.sha256(repr((state.sale, state.order, state.version, back, priced)).encode()).digest()
