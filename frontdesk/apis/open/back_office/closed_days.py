"""Days on which a branch is closed."""

from datetime import date, timedelta
from uuid import UUID

import msgspec

from frontdesk.apis.affected_bookings import compare_bookings
from frontdesk.apis.open.back_office.hour_exceptions import DayQuery
from frontdesk.auth.scopes import Scope
from frontdesk.http.dates import check_period
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.field_types import CalendarDate, LongText
from frontdesk.http.pagination import DataResponse
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, data_response
from frontdesk.staff.absence_queries import get_closed_days
from frontdesk.staff.documents import ClosedDays
from frontdesk.staff.exceptions import MAX_CLOSED_DAYS, AddClosedDays, DeleteClosedDay

operations = Endpoints()


class ClosedDaysCreate(msgspec.Struct):
    from_: CalendarDate = msgspec.field(name="from")
    to: CalendarDate | None = None
    note: LongText | None = None


@operations.get(
    "/branches/{uuid}/closed-days",
    scope=Scope.BRANCHES_READ,
    response=DataResponse[ClosedDays],
    errors=[Code.NOT_FOUND],
)
async def list_closed_days(request: Request, uuid: UUID) -> Response:
    """List the days from today on on which a branch is closed."""
    return data_response(await request.fetch(get_closed_days(uuid)))


@operations.post(
    "/branches/{uuid}/closed-days",
    scope=Scope.SETTINGS_WRITE,
    response=DataResponse[ClosedDays],
    status=201,
    compare=compare_bookings,
    fields={"until": "to"},
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR],
)
def create_closed_days(uuid: UUID, body: ClosedDaysCreate) -> AddClosedDays:
    """Close a branch on a day, or on all days until another one.

    A day that is closed already gets the new note. Bookings of these days stay; `affected_bookings` has them.
    """
    check_period(body.from_, body.to)
    first = body.from_.day
    last = body.to.day if body.to else first
    return AddClosedDays(uuid, _days(first, last), body.note)


@operations.delete(
    "/branches/{uuid}/closed-days",
    scope=Scope.SETTINGS_WRITE,
    status=204,
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR],
)
def delete_closed_day(uuid: UUID, query: DayQuery) -> DeleteClosedDay:
    """Open a branch again on a day. A day that is not closed stays as it is."""
    return DeleteClosedDay(uuid, query.day.day)


def _days(first: date, last: date) -> list[date]:
    """One more than an act takes, if there are more."""
    return [first + timedelta(days=n) for n in range(min((last - first).days, MAX_CLOSED_DAYS) + 1)]
