"""All that waits to be paid, to find a customer who comes to the counter."""

from urllib.parse import urlencode

import msgspec

from frontdesk.customers.search import search_words
from frontdesk.http.field_types import FilterText, PageNumber
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import CASHIERS
from frontdesk.ui.shell.routing import Pages
from frontdesk.ui.till.state import PATH
from frontdesk.ui.till.waiting_queries import WaitingGroup, list_waiting
from frontdesk.values.pagination import PageRequest

pages = Pages()
PER_PAGE = 50
_MAX_DIGITS = 15
_GROUPS = {
    WaitingGroup.DONE: N_("Done but not paid"),
    WaitingGroup.HERE: N_("Here now"),
    WaitingGroup.TODAY: N_("Not here yet"),
    WaitingGroup.EARLIER: N_("Earlier days"),
}


class WaitingQuery(msgspec.Struct):
    search: FilterText = ""
    page: PageNumber = 1

    def link(self, page: int) -> str:
        return "?" + urlencode({"search": self.search, "page": page})


@pages.get(f"{PATH}/waiting", CASHIERS)
async def show_waiting(context: PageContext, query: WaitingQuery) -> Response:
    text, page = query.search.strip().lstrip("#"), PageRequest(query.page, PER_PAGE)
    number = int(text) if text.isdecimal() and len(text) <= _MAX_DIGITS else None
    waiting = list_waiting(context.branch_id, search_words(text), number, context.names_language, page)
    found = await context.fetch(waiting)
    return context.render(
        "till_waiting.html",
        found=found,
        query=query,
        first=page.offset + 1,
        groups=[(name, sum_) for part, name in _GROUPS.items() for sum_ in found.groups if sum_.group is part],
    )
