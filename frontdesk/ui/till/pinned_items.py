"""What stands first at the till: pinned and unpinned by hand, for all in the branch."""

from urllib.parse import urlencode
from uuid import UUID

import msgspec

from frontdesk.catalog.pin import PinToTill
from frontdesk.http.field_types import FilterText
from frontdesk.http.responses import Response
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import MANAGERS
from frontdesk.ui.shell.routing import Pages
from frontdesk.ui.till.pinned_queries import list_pinnable
from frontdesk.ui.till.state import PATH
from frontdesk.values.text import search_key

pages = Pages()


class PinQuery(msgspec.Struct):
    search: FilterText = ""


class PinForm(msgspec.Struct):
    entry: UUID
    pinned: bool = False
    search: FilterText = ""


@pages.get(f"{PATH}/pins", MANAGERS)
async def show_pins(context: PageContext, query: PinQuery | None = None) -> Response:
    search = query.search if query else ""
    entries = await context.fetch(list_pinnable(context.branch_id, search_key(search)))
    return context.render("till_pinned.html", entries=entries, search=search)


@pages.post(f"{PATH}/pins", MANAGERS, on_error=show_pins)
async def pin(context: PageContext, form: PinForm) -> Response:
    await context.run(PinToTill(form.entry, form.pinned))
    return context.redirect(f"{PATH}/pins?{urlencode({'search': form.search})}" if form.search else f"{PATH}/pins")
