"""Lists of what has changed since a moment, for applications that keep a copy."""

from collections.abc import Callable
from datetime import datetime
from typing import Annotated, NamedTuple
from uuid import UUID

import msgspec
from msgspec import Meta

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

Position = Annotated[str, Meta(min_length=1, max_length=100)]  # where a page ended: a moment and an id


class ChangesQuery(PageQuery, kw_only=True):
    updated_since: DateTimeInput | None = None
    after: Position | None = None


class ChangedRecord(msgspec.Struct):
    id: UUID
    updated_at: str


class Reading(NamedTuple):
    since: ChangesSince
    next_since: str | None  # on the first page: with what the next reading begins


_changed = msgspec.json.Decoder(list[ChangedRecord])


async def read_list(
    request: Request, query: ChangesQuery, listing: Callable[[ChangesSince | None], Query[Page]]
) -> Response:
    """The list, or of it what has changed since a moment, the earliest change first."""
    if query.updated_since is None:
        if query.after is not None:
            raise Problem(ValueProblem.REQUIRED, "updated_since")
        return list_response(request, query, require_known(await request.fetch(listing(None))))
    reading = await begin_reading(request, query, query.updated_since, query.after, "updated_since")
    page = require_known(await request.fetch(listing(reading.since)))
    changed = _changed.decode(page.documents)
    end = position(changed[-1].updated_at, changed[-1].id) if changed else None
    return list_response(request, query, page, end, reading.next_since)


async def begin_reading(
    request: Request, query: PageQuery, moment: DateTimeInput, after: Position | None, field: str
) -> Reading:
    """The moment of the next reading must be known before the list is read.

    So a change that is committed in between is read again.
    """
    await request.authenticate()
    since = ChangesSince(required_instant(moment, request.caller.tenant.timezone, field))
    if after is not None or query.page > 1:
        return Reading(since if after is None else _behind(after), None)
    async with request.connection() as conn:
        return Reading(since, format_utc(await begin_of_open_transactions(conn)))


def position(moment: str, id_: UUID) -> str:
    return f"{moment}_{id_}"


def _behind(after: Position) -> ChangesSince:
    moment, _, id_ = after.partition("_")
    try:
        return ChangesSince(msgspec.convert(moment, datetime), msgspec.convert(id_, UUID))
    except msgspec.ValidationError:
        raise Problem(ValueProblem.NOT_POSITION, "after") from None
