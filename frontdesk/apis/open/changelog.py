from datetime import date

import msgspec

from frontdesk.changelog.concerning import ConcerningChange
from frontdesk.changelog.of_client import changes_of_client
from frontdesk.changelog.types import ChangeKind
from frontdesk.changelog.versions import ChangelogEntry
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.field_types import CalendarDate
from frontdesk.http.pagination import DataResponse
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, json_response
from frontdesk.values.api_types import Day
from frontdesk.webhooks.queries import list_client_uses

operations = Endpoints()


class ClientChange(msgspec.Struct):
    where: str
    text: str
    kind: ChangeKind
    breaking: bool
    uses: list[str]


class ClientChangelogEntry(msgspec.Struct):
    id: str
    date: Day
    title: str
    breaking: bool
    changes: list[ClientChange]


class ClientChangelogQuery(msgspec.Struct):
    since: CalendarDate | None = None


@operations.get("/changelog/me", response=DataResponse[list[ClientChangelogEntry]])
async def get_client_changelog(request: Request, query: ClientChangelogQuery) -> Response:
    """List the changes of this API that concern this client, newest first.

    These are changes of operations that it has called and of events that its active webhooks get, each with which of
    them it concerns, and changes that concern every client. A first call is counted within two seconds.
    """
    uses = await request.fetch(list_client_uses())
    since = date.min if query.since is None else query.since.day
    found = [_entry(*one) for one in changes_of_client(uses, since)]
    return json_response(DataResponse(found))


def _entry(entry: ChangelogEntry, changes: list[ConcerningChange]) -> ClientChangelogEntry:
    shown = [
        ClientChange(one.change.where, one.change.text, one.change.kind, one.change.breaking, one.uses)
        for one in changes
    ]
    return ClientChangelogEntry(entry.id, str(entry.date), entry.title, any(one.breaking for one in shown), shown)
