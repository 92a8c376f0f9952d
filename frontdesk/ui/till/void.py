"""Voiding the sale that was just taken: by the one who sold it, with the PIN of an owner or a manager."""

from uuid import UUID

from frontdesk.http.field_types import ShortText
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.orders.types import Cashier
from frontdesk.till.queries import find_cashier_code
from frontdesk.till.void import VoidSale
from frontdesk.till.void_queries import find_last_sale
from frontdesk.ui.components.approval import ApprovalFields, require_approval
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.form_idempotency import submit
from frontdesk.ui.shell.permissions import CASHIERS
from frontdesk.ui.shell.routing import Pages
from frontdesk.ui.till.receipt import show_receipt

pages = Pages()


class VoidForm(ApprovalFields, kw_only=True):
    id: UUID
    reason: ShortText | None = None


@pages.post("/orders/{order_id}/void", CASHIERS, on_error=show_receipt)
async def void_sale(context: PageContext, order_id: UUID, form: VoidForm) -> Response:
    name = context.user.name
    cashier = Cashier(name, await context.fetch(find_cashier_code(name)))
    act = VoidSale(order_id, form.id, context.user.id, cashier, form.reason)
    last = await context.fetch(find_last_sale(order_id, context.user.id))
    if last is not None and last.problem is not None:
        raise last.problem  # before a PIN is tried
    await require_approval(context, form)
    shown = order_id if last is not None and not last.is_paid else form.id  # what was not paid has no refund
    path = await submit(context, act, once=form.id, then=f"/orders/{shown}/receipt?till=yes")
    return context.redirect(path, flash=N_("The sale is voided."))
