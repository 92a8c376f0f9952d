"""What operators did, in the console and on the command line."""

from datetime import timedelta
from typing import Literal
from uuid import UUID

from frontdesk.activity.operator_act_queries import OperatorActFilter, list_operator_acts, list_operator_names
from frontdesk.http.dates import check_period
from frontdesk.http.field_types import FilterText
from frontdesk.http.responses import Response
from frontdesk.ui.components.entry_list import EntryQuery, by_day
from frontdesk.ui.operator.act_labels import GROUPS, detail, page_of, sentence
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.formatting import Formatter
from frontdesk.ui.shell.permissions import OPERATORS
from frontdesk.ui.shell.routing import Pages

pages = Pages()
PATH = "/operator/acts"
PER_PAGE = 50


class OperatorActsQuery(EntryQuery, kw_only=True):
    path = PATH

    by: Literal["console", "command"] | None = None
    who: FilterText = ""
    what: Literal["business", "people", "application", "installation"] | None = None
    business: UUID | None = None

    def filter(self, format_: Formatter) -> OperatorActFilter:
        first, last = check_period(self.from_, self.to)
        return OperatorActFilter(
            None if self.by is None else self.by == "console",
            self.who or None,
            self.business,
            GROUPS[self.what][1] if self.what else None,
            format_.midnight(first) if first else None,
            format_.midnight(last + timedelta(days=1)) if last else None,
        )


@pages.get(PATH, OPERATORS)
async def show_operator_acts(context: PageContext, query: OperatorActsQuery) -> Response:
    async with context.connection() as conn:
        acts = await list_operator_acts(conn, query.filter(context.format), query.before, PER_PAGE + 1)
        names = await list_operator_names(conn)
    shown = acts[:PER_PAGE]
    return context.render(
        "operator_acts.html",
        days=by_day(shown, context.format),
        last=shown[-1].id if len(acts) > PER_PAGE else None,
        query=query,
        names=names,
        groups=GROUPS,
        sentence=lambda act: sentence(act, context.language),
        detail=lambda act: detail(act, context.language),
        page_of=page_of,
    )
