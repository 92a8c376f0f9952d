"""Who changed what, and when."""

from itertools import groupby
from typing import Literal
from urllib.parse import urlencode
from uuid import UUID

import msgspec

from frontdesk.accounts.member_queries import list_members
from frontdesk.activity.queries import list_activity
from frontdesk.activity.types import ActivityFilter
from frontdesk.http.dates import check_period
from frontdesk.http.field_types import CalendarDate
from frontdesk.http.responses import Response
from frontdesk.ui.activity.labels import GROUPS, page_of, sentence
from frontdesk.ui.components.approval_reasons import APPROVAL_REASONS
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import MANAGERS
from frontdesk.ui.shell.routing import Pages

pages = Pages()
PATH = "/activity"
PER_PAGE = 50
_ACTORS = {"people": ("user",), "applications": ("app", "key"), "customers": ("customer",), "system": ("system",)}


class ActivityQuery(msgspec.Struct):
    by: Literal["people", "applications", "customers", "system"] | None = None
    who: UUID | None = None
    what: str | None = None
    subject: UUID | None = None
    from_: CalendarDate | None = msgspec.field(name="from", default=None)
    to: CalendarDate | None = None
    before: UUID | None = None  # the last entry of the previous page

    def filter(self) -> ActivityFilter:
        from_date, to_date = check_period(self.from_, self.to)
        actors = _ACTORS[self.by] if self.by else None
        nouns = GROUPS.get(self.what, ("", (self.what,)))[1] if self.what else None
        return ActivityFilter(actors, self.who, self.subject, nouns, from_date, to_date)

    def link(self, **changes: str | UUID | None) -> str:
        """A link to this list with changed filters, from the newest entry unless `before` is given."""
        names = zip(self.__struct_encode_fields__, self.__struct_fields__, strict=True)
        parameters = {name: getattr(self, field) for name, field in names if name != "before"} | changes
        query = {name: str(value) for name, value in parameters.items() if value not in (None, "")}
        return f"{PATH}?{urlencode(query)}" if query else PATH

    @property
    def has_filters(self) -> bool:
        return self.link() != PATH


@pages.get(PATH, MANAGERS)
async def show_activity(context: PageContext, query: ActivityQuery) -> Response:
    found = await context.read_late(list_activity(query.filter(), query.before, PER_PAGE))
    members = await context.call(list_members, context.tenant_id)
    days = groupby(found.entries, key=lambda entry: context.format.short_date(entry.created_at))
    return context.render(
        "activity.html",
        days=[(day, list(entries)) for day, entries in days],
        last=found.entries[-1].id if found.has_older else None,
        query=query,
        members=members,
        groups=GROUPS,
        sentence=lambda entry: sentence(entry, context.language, context.format),
        page_of=page_of,
        reasons=APPROVAL_REASONS,
    )
