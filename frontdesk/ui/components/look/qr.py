"""The code that leads a phone to the booking page."""

from markupsafe import Markup

from frontdesk.i18n.texts import N_
from frontdesk.invoices.page import qr_svg
from frontdesk.ui.shell.context import PageContext


def qr_markup(context: PageContext, address: str) -> Markup:
    return Markup(qr_svg(address, context.translate(N_("Address of the booking page"))))  # noqa: S704 - made here
