from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Annotated, Any
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.apis.problems import answer_text
from frontdesk.auth.scopes import Scope
from frontdesk.availability.check import days_to_read
from frontdesk.availability.db_errors import check_failed
from frontdesk.availability.documents import (
    Availability,
    CustomerAtStart,
    DayAvailabilityExplanation,
    ExplainedStart,
    NamedStaff,
    NearestStart,
    OpenHours,
    OrderAtStart,
    StaffAtStart,
    StaffAvailabilityExplanation,
    StartReason,
    UnavailableRange,
)
from frontdesk.availability.explain import explain_start
from frontdesk.availability.explained_facts import StartFacts
from frontdesk.availability.explained_queries import start_facts
from frontdesk.availability.find_slots import (
    AvailabilityQuery,
    AvailabilityResult,
    checked,
    find_slots,
    look_up,
    minute_that_counts,
    to_schedule,
)
from frontdesk.availability.held import Holds
from frontdesk.availability.problems import AvailabilityProblem
from frontdesk.availability.queries import get_service, read_service
from frontdesk.availability.slots import DayExplanation
from frontdesk.availability.start_problems import StartProblem
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.field_types import CalendarDate, Count, DateTimeInput
from frontdesk.http.pagination import DataResponse
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, encode
from frontdesk.postgres.write import as_failure
from frontdesk.problems import Problem
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


_DAY = timedelta(days=1)


class AvailabilityExplainRequest(msgspec.Struct):
    service_id: UUID
    start: DateTimeInput
    staff_id: UUID | None = None
    quantity: Count | None = 1
    option_id: UUID | None = None


@operations.post(
    "/availability/explain",
    scope=Scope.ORDERS_WRITE,
    writes=False,
    response=DataResponse[ExplainedStart],
    errors=[Code.VALIDATION_ERROR, Code.AVAILABILITY_CHECK_FAILED],
)
async def explain_availability(request: Request, body: AvailabilityExplainRequest) -> Response:
    """Explain why a service is not offered at a start time, for each staff member.

    A start is in the slots of `POST /availability` exactly if it is `bookable` here. Orders are named with the scope
    `orders:read`, their customers with `customers:read` too, and staff members with `staff:read`.
    """
    now, start, quantity = current_time(), body.start.written, body.quantity or 1
    days = days_to_read(start, now)
    with as_failure(check_failed):
        row = await request.fetch(
            get_service(body.service_id, body.option_id, body.staff_id, quantity, days, Holds.OF_CLIENTS)
        )
    found = read_service(row)
    question = AvailabilityQuery(
        body.service_id, None, start.date(), 1, quantity, search_on=False, explain=False, option_id=body.option_id
    )
    service = checked(question, found._replace(active=True) if found else None)
    scheduled = to_schedule(service, quantity)
    may_read = request.caller.scopes - request.caller.budgeted_scopes  # what is read here is not counted
    tenant = request.caller.tenant
    around = start.replace(tzinfo=get_zone(tenant.timezone)) if start.tzinfo is None else start
    longest = timedelta(minutes=max(scheduled.candidates.values(), default=0))
    with as_failure(check_failed):
        facts = await request.fetch(
            start_facts(
                body.service_id,
                body.staff_id,
                around - _DAY,
                around + min(longest, 7 * _DAY) + _DAY,
                Holds.OF_CLIENTS,
                with_orders=Scope.ORDERS_READ in may_read,
                with_customers=Scope.CUSTOMERS_READ in may_read,
            )
        )
    if body.staff_id is not None and not facts.staff:
        raise Problem(AvailabilityProblem.UNKNOWN_STAFF, "staff_id")
    is_sold = found is not None and found.active
    explained = explain_start(
        tenant,
        [scheduled],
        {provider.staff_id: provider for provider in service.providers},
        start,
        now,
        facts=facts,
        always=[] if is_sold else [Problem(StartProblem.NOT_FOR_SALE)],
    )
    names = facts if Scope.STAFF_READ in may_read else None
    answer = ExplainedStart(
        _local(explained.start),
        explained.is_offered,
        [_at_start(provider.staff_id, provider.problems, names) for provider in explained.providers],
        [NearestStart(_local(other.start), other.staff_id) for other in explained.nearest],
    )
    return Response(encode(DataResponse(answer)))


def _at_start(staff_id: UUID, problems: Iterable[Problem], names: StartFacts | None) -> StaffAtStart:
    reasons = [_reason(problem.kind.name.lower(), answer_text(problem), problem.values) for problem in problems]
    return StaffAtStart(NamedStaff(staff_id, names.name_of(staff_id) if names else None), not reasons, reasons)


_NOTES = ("closed_day", "other_hours")  # that of time off is nobody's business


def _reason(code: str, message: str, values: Mapping[str, Any]) -> StartReason:
    def moment(name: str) -> str | None:
        found: datetime | None = values.get(name)
        return None if found is None else _local(found)

    day = values.get("day")
    return StartReason(
        code,
        message,
        date=None if day is None else day.isoformat(),
        note=values.get("note") if code in _NOTES else None,
        hours=[OpenHours(_local(opens), _local(closes)) for opens, closes in values.get("hours", ())],
        start=moment("start"),
        end=moment("end"),
        until=moment("until") or moment("closes"),
        minutes=values.get("minutes"),
        starts=[_local(start) for start in values.get("nearest", ())],
        order=_order_at_start(values),
    )


def _order_at_start(values: Mapping[str, Any]) -> OrderAtStart | None:
    number, customer = values.get("order_number"), values.get("customer")
    if number is None:
        return None
    shown = None if customer is None else CustomerAtStart(customer.id, customer.first_name, customer.last_name)
    return OrderAtStart(values["order_id"], str(number), shown)


def _local(local: datetime) -> str:
    return local.isoformat(timespec="seconds")
