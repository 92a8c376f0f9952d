"""Moving one appointment of an order to another time or provider, or making it shorter or longer.

The other services of the order keep their providers and follow one another, so all of them move. The rules are those of
`reschedule.py`; here all of them are checked at once, so that a person sees what prevents a move and what does not.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from frontdesk.availability.check import ServiceToSchedule, find_problems, nearest_starts
from frontdesk.availability.db_errors import check_failed
from frontdesk.availability.slots import Reason
from frontdesk.errors import WireError, invalid
from frontdesk.orders.queries.order_state import OrderToSchedule, lock_resources, order_to_move
from frontdesk.orders.reschedule import RequestedProvider, own_times, plan_reschedule
from frontdesk.orders.types import BookedService
from frontdesk.postgres.write import Call, Look
from frontdesk.tenants.types import TenantContext

STEP_MINUTES = 5  # the calendar's smallest unit
MAX_MINUTES = 12 * 60


class Move(NamedTuple):
    line_id: UUID
    start: datetime  # of this line; a local time without an offset
    staff_id: UUID
    minutes: int | None = None  # None: as before, or as long as another provider needs


class FreeTime(NamedTuple):
    start: datetime  # of the line, local
    staff_id: UUID


class MoveCheck(NamedTuple):
    start: datetime
    end: datetime
    performs: bool
    problems: dict[UUID, list[Reason]]  # by line
    refusal: WireError | None
    free: list[FreeTime]  # the nearest times, if it is refused


def look_at_move(order_id: UUID, move: Move) -> Look[OrderToSchedule]:
    query = order_to_move(order_id, move.start, datetime.now(UTC), move.staff_id)
    return Look(query, lock_resources(order_id), check_failed)


def plan_move(tenant: TenantContext, seen: OrderToSchedule, move: Move) -> Call:
    _check_minutes(move.minutes)
    start = _order_start(tenant, seen.booked, move)
    return plan_reschedule(tenant, seen, start, [RequestedProvider(move.line_id, move.staff_id, move.minutes)])


def check_move(tenant: TenantContext, seen: OrderToSchedule, move: Move) -> MoveCheck:
    """What `plan_move` would say, with every reason."""
    service = _service(seen.booked, move.line_id)
    start, minutes = tenant.to_utc(move.start, "start"), _minutes(service, move)
    performs = move.staff_id in (service.staff_id, *service.candidates)
    refusal = _refusal(tenant, seen, move)
    return MoveCheck(
        start,
        start + timedelta(minutes=minutes),
        performs,
        _problems(tenant, seen, move),
        refusal,
        [] if refusal is None else _free_times(tenant, seen, move, performs=performs),
    )


def _refusal(tenant: TenantContext, seen: OrderToSchedule, move: Move) -> WireError | None:
    try:
        plan_move(tenant, seen, move)
    except WireError as error:
        return error
    return None


def _problems(tenant: TenantContext, seen: OrderToSchedule, move: Move) -> dict[UUID, list[Reason]]:
    services = _to_schedule(seen.booked, move, {move.staff_id: _minutes(_service(seen.booked, move.line_id), move)})
    start, own = _order_start(tenant, seen.booked, move), own_times(seen.booked)
    found = find_problems(tenant, services, seen.schedules, start, datetime.now(UTC), own=own)
    return {service.line_id: why for service, why in zip(seen.booked, found, strict=True)}


def _free_times(tenant: TenantContext, seen: OrderToSchedule, move: Move, *, performs: bool) -> list[FreeTime]:
    """The nearest times of the provider; if they do not perform the service, of those who do."""
    service = _service(seen.booked, move.line_id)
    staff = [move.staff_id] if performs else [service.staff_id]
    is_first = service is seen.booked[0]
    if not performs and is_first:
        staff = list(service.candidates)
    candidates = {staff_id: _minutes(service, move._replace(staff_id=staff_id)) for staff_id in staff}
    services = _to_schedule(seen.booked, move, candidates)
    start, own = _order_start(tenant, seen.booked, move), own_times(seen.booked)
    before = _minutes_before(seen.booked, move.line_id)
    found = nearest_starts(tenant, services, seen.schedules, start, datetime.now(UTC), own=own)
    return [
        FreeTime(datetime.fromisoformat(one["start"]) + before, UUID(one["staff_id"]) if is_first else staff[0])
        for one in found
    ]


def _to_schedule(services: Sequence[BookedService], move: Move, candidates: dict[UUID, int]) -> list[ServiceToSchedule]:
    """The services with their providers, the moved one with the given candidates."""
    return [
        ServiceToSchedule(
            candidates if service.line_id == move.line_id else {service.staff_id: service.minutes},
            service.buffer_before,
            service.buffer_after,
        )
        for service in services
    ]


def _service(services: Sequence[BookedService], line_id: UUID) -> BookedService:
    for service in services:
        if service.line_id == line_id:
            return service
    raise invalid({"line": ["is not a service line of this order"]})


def _minutes(service: BookedService, move: Move) -> int:
    """With the same provider a service takes as long as it was booked; with another one as long as they need."""
    if move.minutes is not None:
        return move.minutes
    is_same = move.staff_id == service.staff_id
    return service.minutes if is_same else service.candidates.get(move.staff_id, service.minutes)


def _order_start(tenant: TenantContext, services: Sequence[BookedService], move: Move) -> datetime:
    return tenant.to_utc(move.start, "start") - _minutes_before(services, move.line_id)


def _minutes_before(services: Sequence[BookedService], line_id: UUID) -> timedelta:
    """Of the services that are performed before the line."""
    place = services.index(_service(services, line_id))
    return timedelta(minutes=sum(service.minutes for service in services[:place]))


def _check_minutes(minutes: int | None) -> None:
    if minutes is not None and (minutes % STEP_MINUTES or not STEP_MINUTES <= minutes <= MAX_MINUTES):
        raise invalid(
            {"minutes": [f"Enter a duration from {STEP_MINUTES} to {MAX_MINUTES} minutes, in steps of {STEP_MINUTES}."]}
        )
