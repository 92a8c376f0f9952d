from collections.abc import Iterator
from datetime import date

import msgspec

from frontdesk.apis.openapi.changelog.concerning import ConcerningChange, concerning
from frontdesk.apis.openapi.changelog.types import ChangeKind
from frontdesk.apis.openapi.changelog.versions import ChangelogEntry, entries
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.field_types import CalendarDate
from frontdesk.http.pagination import DataResponse
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, json_response
from frontdesk.values.api_types import Day
from frontdesk.webhooks.queries import ClientUses, list_client_uses

operations = Endpoints()

INTERFACE, _PREFIX = "open-api", "/open-api/v1"


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
    published = [entry for entry in entries() if entry.date is not None and entry.date >= since]
    found = [_entry(*one) for one in concerning(published, INTERFACE, set(_names(uses)))]
    return json_response(DataResponse(found))


def _names(uses: ClientUses) -> Iterator[str]:
    """As the changelog names them."""
    for route in uses.routes:
        method, _, path = route.partition(" ")
        yield f"{method} {path.removeprefix(_PREFIX)}"
    for kind in uses.events:
        yield f"event {kind}"


def _entry(entry: ChangelogEntry, changes: list[ConcerningChange]) -> ClientChangelogEntry:
    shown = [
        ClientChange(one.change.where, one.change.text, one.change.kind, one.change.breaking, one.uses)
        for one in changes
    ]
    return ClientChangelogEntry(entry.id, str(entry.date), entry.title, any(one.breaking for one in shown), shown)
