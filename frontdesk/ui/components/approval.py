"""What a role may not do is allowed on the spot: an owner or a manager types their PIN into the form of the act."""

from typing import Protocol
from uuid import UUID

import msgspec

from frontdesk.accounts.approval_pins import check_pin, read_approvers
from frontdesk.accounts.pin_queries import Approver
from frontdesk.http.field_types import Secret
from frontdesk.ui.shell.context import PageContext


class ApprovalFields(msgspec.Struct, kw_only=True):
    approver: UUID | None = None
    pin: Secret | None = None


class _Approved(Protocol):
    approver: UUID | None
    pin: Secret | None


async def require_approval(context: PageContext, form: _Approved) -> None:
    """The act of this request is then recorded with both people. Owners and managers need nobody."""
    if context.is_manager:
        return
    typed = form.pin.text if form.pin else ""
    approver = await check_pin(context.connection, context.tenant_id, context.actor, form.approver, typed)
    context.approval = (approver, None)


async def approvers_for(context: PageContext) -> list[Approver] | None:
    """Whom the page offers; None if the user needs nobody."""
    return None if context.is_manager else await context.call(read_approvers, context.tenant_id)
