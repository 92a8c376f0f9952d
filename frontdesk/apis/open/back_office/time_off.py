"""Time off of staff."""

from typing import Literal
from uuid import UUID

import msgspec

from frontdesk.apis.affected_bookings import compare_bookings
from frontdesk.apis.changes import ChangesQuery, read_list
from frontdesk.apis.open.entered_fields import Version
from frontdesk.auth.scopes import Scope
from frontdesk.http.dates import check_period
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.field_types import CalendarDate, DateTimeInput, LongText
from frontdesk.http.pagination import DataResponse, PageResponse
from frontdesk.http.request import Request
from frontdesk.http.responses import Response
from frontdesk.staff.absence_queries import TimeOffFilter, list_time_off
from frontdesk.staff.documents import TimeOff
from frontdesk.staff.time_off import AddTimeOff, DecideTimeOff
from frontdesk.values.ids import uuid7

operations = Endpoints()

_DECIDES = [Code.NOT_FOUND, Code.VALIDATION_ERROR, Code.VERSION_CONFLICT]


class TimeOffQuery(ChangesQuery, kw_only=True):
    staff_id: UUID | None = None
    status: Literal["requested", "approved", "declined"] | None = None
    from_: CalendarDate | None = msgspec.field(name="from", default=None)
    to: CalendarDate | None = None


class TimeOffCreate(msgspec.Struct):
    start: DateTimeInput
    end: DateTimeInput
    note: LongText | None = None
    status: Literal["requested", "approved"] | None = "approved"


class TimeOffDecision(msgspec.Struct):
    version: Version | None = None


@operations.get(
    "/time-off",
    scope=Scope.STAFF_READ,
    response=PageResponse[TimeOff],
    takes_fields=True,
    errors=[Code.VALIDATION_ERROR],
)
async def list_all_time_off(request: Request, query: TimeOffQuery) -> Response:
    """List time off by its start, at most a year of it: from a day on, which is today by default.

    With `updated_since` it is time off of any day. What calendars elsewhere say is not among it.
    """
    filter_ = TimeOffFilter(query.staff_id, query.status, *check_period(query.from_, query.to))
    return await read_list(request, query, lambda since: list_time_off(filter_, query.request(), since))


@operations.post(
    "/staff/{uuid}/time-off",
    scope=Scope.STAFF_WRITE,
    response=DataResponse[TimeOff],
    status=201,
    creates="time_off",
    compare=compare_bookings,
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR],
)
def create_time_off(uuid: UUID, body: TimeOffCreate) -> AddTimeOff:
    """Add time off of a staff member.

    From then on the time is not offered, unless `status` is `requested`. Bookings in it stay; `affected_bookings`
    has them.
    """
    status = body.status or "approved"
    return AddTimeOff(uuid, uuid7(), body.start.written, body.end.written, body.note, status)


@operations.post(
    "/time-off/{uuid}/approve",
    scope=Scope.STAFF_WRITE,
    response=DataResponse[TimeOff],
    compare=compare_bookings,
    errors=_DECIDES,
)
def approve_time_off(uuid: UUID, body: TimeOffDecision) -> DecideTimeOff:
    """Approve time off, which from then on takes the time.

    Bookings in it stay; `affected_bookings` has them.
    """
    return DecideTimeOff(uuid, "approved", body.version)


@operations.post("/time-off/{uuid}/decline", scope=Scope.STAFF_WRITE, response=DataResponse[TimeOff], errors=_DECIDES)
def decline_time_off(uuid: UUID, body: TimeOffDecision) -> DecideTimeOff:
    """Decline time off, which takes no time then."""
    return DecideTimeOff(uuid, "declined", body.version)


@operations.delete("/time-off/{uuid}", scope=Scope.STAFF_WRITE, status=204, errors=[Code.NOT_FOUND])
def delete_time_off(uuid: UUID) -> DecideTimeOff:
    """Delete time off; the time is free again."""
    return DecideTimeOff(uuid, None)
