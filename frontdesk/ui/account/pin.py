"""The PIN with which an owner or a manager allows one act at another person's till."""

import msgspec

from frontdesk.accounts.approval_pins import remove_pin, set_pin
from frontdesk.http.field_types import Secret
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import SIGNED_IN_RECENTLY
from frontdesk.ui.shell.routing import Pages

pages = Pages()
_ACCOUNT = "/settings/account"
_PATH = f"{_ACCOUNT}/pin"


class PinForm(msgspec.Struct):
    pin: Secret


@pages.get(_PATH, SIGNED_IN_RECENTLY)
async def show_pin(context: PageContext) -> Response:
    return context.render("pin.html")


@pages.post(_PATH, SIGNED_IN_RECENTLY, on_error=show_pin)
async def save_pin(context: PageContext, form: PinForm) -> Response:
    await set_pin(context.connection, context.user, context.actor, form.pin.text)
    return context.redirect(_ACCOUNT, flash=N_("PIN set. The one before no longer works."))


@pages.post(f"{_PATH}/remove", SIGNED_IN_RECENTLY)
async def delete_pin(context: PageContext) -> Response:
    await context.call(remove_pin, context.user, context.actor)
    return context.redirect(_ACCOUNT, flash=N_("PIN removed."))
