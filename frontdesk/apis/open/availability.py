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
from frontdesk.availability.find_slots import (
    AvailabilityQuery,
    AvailabilityResult,
    find_slots,
    look_up,
    minute_that_counts,
)
from frontdesk.availability.held import Holds
from frontdesk.availability.queries import read_service
from frontdesk.availability.slots import DayExplanation
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.field_types import CalendarDate, Count
from frontdesk.http.pagination import DataResponse
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, encode
from frontdesk.postgres.write import as_failure
from frontdesk.values.cache import SizedCache
from frontdesk.values.clock import current_time
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
    option_id: UUID | None = None


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
        option_id=body.option_id,
    )
    now = current_time()
    with as_failure(check_failed):
        found = await request.fetch(look_up(question, now, Holds.OF_CLIENTS))
    zone = request.caller.tenant.timezone
    key = (zone, question, minute_that_counts(question, now), () if found is None else found.values)
    encoded = _bodies.get(key)
    if encoded is None:
        encoded = encode(DataResponse(_published(find_slots(get_zone(zone), question, read_service(found), now))))
        _bodies.set(key, encoded)
    return Response(encoded)


_Key = tuple[str, AvailabilityQuery, int | None, tuple[object, ...]]


def _entry_bytes(key: _Key, body: bytes) -> int:
    return 2000 + len(body) + sum(_length(value) for value in key[3])


def _length(value: object) -> int:
    if isinstance(value, tuple):
        return sum(50 + _length(part) for part in value)
    return len(value) if isinstance(value, str | bytes) else 0


# Many customers ask for the same days of a service. The key has everything that the response depends on, as it was just
# read; while none of it changes, the response is the same.
_bodies: SizedCache[_Key, bytes] = SizedCache(8 * 1024 * 1024, _entry_bytes)


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
