"""The poster with the code of the booking page, for the door and the mirror: A5 or A4, in all languages."""

from typing import Literal

import msgspec

from frontdesk.booking_page.queries import tenant_booking_page
from frontdesk.http.responses import Response
from frontdesk.i18n.languages import LANGUAGES, is_right_to_left
from frontdesk.i18n.texts import N_, translate
from frontdesk.ui.components.look.qr import qr_markup
from frontdesk.ui.settings.booking_page import PATH
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import MANAGERS
from frontdesk.ui.shell.routing import Pages

pages = Pages()
_INVITATION = N_("Book your visit")


class PosterQuery(msgspec.Struct):
    size: Literal["a5", "a4"] = "a5"


@pages.get(f"{PATH}/poster", MANAGERS)
async def show_poster(context: PageContext, query: PosterQuery) -> Response:
    page = await context.fetch(tenant_booking_page())
    codes = [code for code in page.tenant.languages if code in LANGUAGES]
    address = page.address(context.request.origin)
    return context.render(
        "poster.html",
        page=page,
        size=query.size,
        names=list(dict.fromkeys(page.names.get(code, page.name) for code in codes)) or [page.name],
        invitations=[
            (code, "rtl" if is_right_to_left(code) else "ltr", translate(code, _INVITATION)) for code in codes
        ],
        address=address.partition("://")[2],
        qr=qr_markup(context, address),
    )
