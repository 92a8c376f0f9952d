"""The receipt after a sale: printed, mailed to the customer, or none."""

from uuid import UUID, uuid5

from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.till.receipt_queries import find_receipt
from frontdesk.till.share_receipt import MailReceipt
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.form_idempotency import submit
from frontdesk.ui.till.state import TillState, new_state

MAILED = N_("The receipt is on its way.")
NOT_MAILED = N_("Kept under Notices: there is no mail server.")


def receipt_path(state: TillState, order_id: UUID) -> str:
    """Without a receipt the till is ready for the next sale at once."""
    if state.receipt == "none":
        return new_state()._replace(branch=state.branch, done=order_id).url
    then = f"&then={state.receipt}" if state.receipt else ""
    return f"/orders/{order_id}/receipt?till=yes{then}"


async def hand_over(context: PageContext, state: TillState, order_id: UUID, path: str) -> Response:
    """The customer's e-mail address is used without asking; if there is none, the page of the receipt asks for it."""
    if state.receipt != "mail":
        return context.redirect(path)
    receipt = await context.fetch(find_receipt(order_id))
    email = receipt.email if receipt else None
    if email is None:
        return context.redirect(path)
    # Once for each sale, however often its form is sent.
    await submit(context, MailReceipt(order_id, email), once=uuid5(state.sale, "mail"), then=path)
    return context.redirect(path.removesuffix("&then=mail"), flash=mail_flash(context))


def mail_flash(context: PageContext) -> str:
    return MAILED if context.request.resources.settings.smtp is not None else NOT_MAILED
