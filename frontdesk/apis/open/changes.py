"""Lists of what has changed since a moment, for applications that keep a copy."""

from collections.abc import Callable
from uuid import UUID

import msgspec

from frontdesk.apis.references import require_known
from frontdesk.http.dates import required_instant
from frontdesk.http.field_types import DateTimeInput
from frontdesk.http.pagination import PageQuery, list_response
from frontdesk.http.problems import ValueProblem
from frontdesk.http.request import Request
from frontdesk.http.responses import Response
from frontdesk.postgres.changes import begin_of_open_transactions
from frontdesk.postgres.query import Query
from frontdesk.problems import Problem
from frontdesk.values.pagination import ChangesSince, Page
from frontdesk.values.time import format_utc


class ChangesQuery(PageQuery, kw_only=True):
    updated_since: DateTimeInput | None = None
    after: UUID | None = None


class _Changed(msgspec.Struct):
    id: UUID
    updated_at: str


_changed = msgspec.json.Decoder(list[_Changed])


async def read_list(
    request: Request, query: ChangesQuery, listing: Callable[[ChangesSince | None], Query[Page]]
) -> Response:
    """The list, or of it what has changed since a moment, the earliest change first."""
    if query.updated_since is None:
        if query.after is not None:
            raise Problem(ValueProblem.REQUIRED, "updated_since")
        return list_response(request, query, require_known(await request.fetch(listing(None))))
    since, next_since = await begin_reading(request, query, query.updated_since, query.after)
    page = require_known(await request.fetch(listing(since)))
    changed = _changed.decode(page.documents)
    beyond = {"updated_since": changed[-1].updated_at, "after": str(changed[-1].id)} if changed else None
    return list_response(request, query, page, beyond, next_since)


async def begin_reading(
    request: Request, query: PageQuery, moment: DateTimeInput, after: UUID | None, field: str = "updated_since"
) -> tuple[ChangesSince, str | None]:
    """What is read, and on the first page the moment with which the next reading begins.

    That moment must be known before the list is read: a change that is committed in between is read again.
    """
    await request.authenticate()
    since = ChangesSince(required_instant(moment, request.caller.tenant.timezone, field), after)
    if after is not None or query.page > 1:
        return since, None
    async with request.connection() as conn:
        return since, format_utc(await begin_of_open_transactions(conn))
