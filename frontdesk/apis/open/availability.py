import datetime as dt
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.auth.scopes import Scope
from frontdesk.availability.db_errors import check_failed
from frontdesk.availability.documents import (
    Availability,
    DayAvailabilityExplanation,
    StaffAvailabilityExplanation,
    UnavailableRange,
)
from frontdesk.availability.find_slots import AvailabilityQuery, AvailabilityResult, find_slots, look_up
from frontdesk.availability.slots import DayExplanation
from frontdesk.errors import Code
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.field_types import CalendarDate, Count
from frontdesk.http.pagination import DataResponse
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, json_response
from frontdesk.postgres.write import as_failure
from frontdesk.values.time import get_zone

operations = Endpoints()


class AvailabilityRequest(msgspec.Struct):
    service_id: UUID
    date: CalendarDate
    staff_id: UUID | None = None
    quantity: Count | None = 1
    visible_days: Annotated[int, Meta(ge=1, le=30)] | None = 7
    next_availability: bool | None = False
    explain: bool | None = False


@operations.post(
    "/availability",
    scope=Scope.ORDERS_WRITE,
    writes=False,
    response=DataResponse[Availability],
    errors=[Code.VALIDATION_ERROR, Code.AVAILABILITY_CHECK_FAILED],
)
async def search_availability(request: Request, body: AvailabilityRequest) -> Response:
    """Search the available time slots of a service."""
    question = AvailabilityQuery(
        service_id=body.service_id,
        staff_id=body.staff_id,
        first=body.date.day,
        days=body.visible_days or 7,
        quantity=body.quantity or 1,
        search_on=bool(body.next_availability),
        explain=bool(body.explain),
    )
    now = dt.datetime.now(dt.UTC)
    with as_failure(check_failed):
        service = await request.fetch(look_up(question, now))
    offer = find_slots(get_zone(request.caller.tenant.timezone), question, service, now)
    return json_response(DataResponse(_published(offer)))


def _published(offer: AvailabilityResult) -> Availability:
    if offer.explanations is None:
        return Availability(offer.slots)
    return Availability(
        offer.slots,
        [
            StaffAvailabilityExplanation(staff_id, {day: _explained(why) for day, why in days.items()})
            for staff_id, days in offer.explanations.items()
        ],
    )


def _explained(day: DayExplanation) -> DayAvailabilityExplanation:
    return DayAvailabilityExplanation(day.reason, [UnavailableRange(r.reason, r.first, r.last) for r in day.refusals])
