"""Who changed what, and when."""

from typing import Literal
from uuid import UUID

from frontdesk.accounts.member_queries import list_members
from frontdesk.activity.queries import list_activity
from frontdesk.activity.types import ActivityFilter
from frontdesk.http.dates import check_period
from frontdesk.http.responses import Response
from frontdesk.ui.activity.labels import GROUPS, page_of, sentence
from frontdesk.ui.components.approval_reasons import APPROVAL_REASONS
from frontdesk.ui.components.entry_list import EntryQuery, by_day
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import MANAGERS
from frontdesk.ui.shell.routing import Pages

pages = Pages()
PATH = "/activity"
PER_PAGE = 50
_ACTORS = {"people": ("user",), "applications": ("app", "key"), "customers": ("customer",), "system": ("system",)}


class ActivityQuery(EntryQuery, kw_only=True):
    path = PATH

    by: Literal["people", "applications", "customers", "system"] | None = None
    who: UUID | None = None
    what: str | None = None
    subject: UUID | None = None

    def filter(self) -> ActivityFilter:
        from_date, to_date = check_period(self.from_, self.to)
        actors = _ACTORS[self.by] if self.by else None
        nouns = GROUPS.get(self.what, ("", (self.what,)))[1] if self.what else None
        return ActivityFilter(actors, self.who, self.subject, nouns, from_date, to_date)


@pages.get(PATH, MANAGERS)
async def show_activity(context: PageContext, query: ActivityQuery) -> Response:
    found = await context.read_late(list_activity(query.filter(), query.before, PER_PAGE))
    members = await context.call(list_members, context.tenant_id)
    return context.render(
        "activity.html",
        days=by_day(found.entries, context.format),
        last=found.entries[-1].id if found.has_older else None,
        query=query,
        members=members,
        groups=GROUPS,
        sentence=lambda entry: sentence(entry, context.language, context.format),
        page_of=page_of,
        reasons=APPROVAL_REASONS,
    )
