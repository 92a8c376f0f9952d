"""Days on which a branch or a staff member has other hours."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.apis.affected_bookings import compare_bookings
from frontdesk.apis.open.entered_fields import ClockTime, Version, minute_of
from frontdesk.auth.scopes import Scope
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.field_types import CalendarDate, LongText
from frontdesk.http.pagination import DataResponse
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, data_response
from frontdesk.staff.absence_queries import list_hour_exceptions
from frontdesk.staff.documents import HourException
from frontdesk.staff.exceptions import ExceptionFields, ResetHoursOfDay, SetHoursOfDay
from frontdesk.staff.hour_types import DAY, HoursOwner
from frontdesk.values.ids import uuid7

operations = Endpoints()

_FIELDS = {"days.#": "intervals"}
_SETS = [Code.NOT_FOUND, Code.VALIDATION_ERROR, Code.VERSION_CONFLICT]
_RESETS = [Code.NOT_FOUND, Code.VALIDATION_ERROR]


class HoursIntervalEntry(msgspec.Struct):
    """An end that is not after the start is on the next day."""

    from_: ClockTime = msgspec.field(name="from")
    to: ClockTime


class HoursOfDay(msgspec.Struct):
    day: CalendarDate
    intervals: Annotated[list[HoursIntervalEntry], Meta(max_length=8)]
    note: LongText | None = None
    version: Version | None = None


class DayQuery(msgspec.Struct):
    day: CalendarDate


@operations.get(
    "/branches/{uuid}/hour-exceptions",
    scope=Scope.BRANCHES_READ,
    response=DataResponse[list[HourException]],
    errors=[Code.NOT_FOUND],
)
async def list_branch_exceptions(request: Request, uuid: UUID) -> Response:
    """List the days from today on on which a branch has other hours, except closed days."""
    return data_response(await request.fetch(list_hour_exceptions(HoursOwner(uuid))))


@operations.put(
    "/branches/{uuid}/hour-exceptions",
    scope=Scope.SETTINGS_WRITE,
    response=DataResponse[HourException],
    compare=compare_bookings,
    fields=_FIELDS,
    errors=_SETS,
)
def set_branch_exception(uuid: UUID, body: HoursOfDay) -> SetHoursOfDay:
    """Set the hours of a branch on one day, in the place of its usual hours.

    Bookings that are outside the new hours stay; `affected_bookings` has them.
    """
    return _set(HoursOwner(uuid), body)


@operations.delete(
    "/branches/{uuid}/hour-exceptions", scope=Scope.SETTINGS_WRITE, status=204, fields=_FIELDS, errors=_RESETS
)
def delete_branch_exception(uuid: UUID, query: DayQuery) -> ResetHoursOfDay:
    """Give a day of a branch its usual hours again."""
    return ResetHoursOfDay(HoursOwner(uuid), query.day.day)


@operations.get(
    "/staff/{uuid}/hour-exceptions",
    scope=Scope.STAFF_READ,
    response=DataResponse[list[HourException]],
    errors=[Code.NOT_FOUND],
)
async def list_staff_exceptions(request: Request, uuid: UUID) -> Response:
    """List the days from today on on which a staff member has other hours."""
    return data_response(await request.fetch(list_hour_exceptions(HoursOwner(staff_id=uuid))))


@operations.put(
    "/staff/{uuid}/hour-exceptions",
    scope=Scope.STAFF_WRITE,
    response=DataResponse[HourException],
    compare=compare_bookings,
    fields=_FIELDS,
    errors=_SETS,
)
def set_staff_exception(uuid: UUID, body: HoursOfDay) -> SetHoursOfDay:
    """Set the hours of a staff member on one day, in the place of their usual hours.

    Bookings that are outside the new hours stay; `affected_bookings` has them.
    """
    return _set(HoursOwner(staff_id=uuid), body)


@operations.delete("/staff/{uuid}/hour-exceptions", scope=Scope.STAFF_WRITE, status=204, errors=_RESETS)
def delete_staff_exception(uuid: UUID, query: DayQuery) -> ResetHoursOfDay:
    """Give a day of a staff member their usual hours again."""
    return ResetHoursOfDay(HoursOwner(staff_id=uuid), query.day.day)


def _set(owner: HoursOwner, body: HoursOfDay) -> SetHoursOfDay:
    minutes = [_interval(entry) for entry in body.intervals]
    return SetHoursOfDay(owner, uuid7(), ExceptionFields(body.day.day, minutes, body.note), body.version)


def _interval(entry: HoursIntervalEntry) -> tuple[int, int]:
    start, end = minute_of(entry.from_), minute_of(entry.to)
    return start, end if end > start else end + DAY
