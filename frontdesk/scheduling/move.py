"""Moving services of an order to another time or provider, or making them shorter or longer.

Services that one provider performs one after another are one block of the calendar and move together. The other
services of the order keep their providers and follow one another, so all of them move. The rules are those of
`reschedule.py`; here all of them are checked at once, so that a person sees what prevents a move and what does not.
"""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from frontdesk.availability.check import find_problems, nearest_starts
from frontdesk.availability.db_errors import check_failed
from frontdesk.availability.external_calendars import is_busy_in_external_calendar, without_external_calendars
from frontdesk.availability.slots import Reason
from frontdesk.availability.types import ServiceToSchedule
from frontdesk.orders.problems import BookingProblem, OrderProblem
from frontdesk.orders.queries.order_state import OrderToSchedule, lock_resources, order_to_move
from frontdesk.orders.types import ScheduledService
from frontdesk.postgres.act import Act, Context, FunctionCall
from frontdesk.postgres.query import Query
from frontdesk.problems import Problem, check_version
from frontdesk.scheduling.reschedule import RequestedProvider, RescheduleOrder, current_times
from frontdesk.values.actor import SYSTEM
from frontdesk.values.clock import current_time
from frontdesk.values.tenant_context import TenantContext

STEP_MINUTES = 5  # the calendar's smallest unit
MAX_MINUTES = 12 * 60


class Move(NamedTuple):
    line_ids: tuple[UUID, ...]  # one, or several that follow one another
    start: datetime  # of the first line; a local time without an offset
    staff_id: UUID
    minutes: int | None = None  # of the last line; None: as before, or as long as another provider needs


class MoveTarget(NamedTuple):
    start: datetime  # of the line, local
    staff_id: UUID


class PlannedTime(NamedTuple):
    """When and by whom a service would be performed."""

    start: datetime
    end: datetime
    staff_id: UUID


class MoveCheck(NamedTuple):
    start: datetime
    end: datetime
    performs: dict[UUID, bool]  # by moved line
    times: dict[UUID, PlannedTime]  # by line, of the whole order
    problems: dict[UUID, list[Reason]]  # by line
    refusal: Problem | None
    free: list[MoveTarget]  # the nearest times, if it is refused
    can_be_forced: bool  # it can be moved there on purpose
    busy_elsewhere: bool  # a calendar elsewhere says so of the provider, who can be booked nevertheless


class MoveBooking(Act[OrderToSchedule], frozen=True):
    """`version` is that of the order that the calendar showed."""

    order_id: UUID
    move: Move
    version: int | None = None
    notify: bool | None = None
    anyway: bool = False

    def load(self) -> Query[OrderToSchedule]:
        return order_to_move(self.order_id, self.move.start, current_time(), self.move.staff_id).locking(
            lock_resources(self.order_id)
        )

    def decide(self, context: Context[OrderToSchedule]) -> FunctionCall:
        order, move = context.loaded.order, self.move
        check_version(self.version, order.version, order.id)
        _check_minutes(move.minutes)
        start = _order_start(context.tenant, context.loaded.booked, move)
        last = move.line_ids[-1]
        providers = [RequestedProvider(i, move.staff_id, move.minutes if i == last else None) for i in move.line_ids]
        act = RescheduleOrder(self.order_id, start, providers, at_desk=True, notify=self.notify, anyway=self.anyway)
        return act.decide(context)

    def failure(self) -> Callable[[], Problem]:
        return check_failed


def check_move(tenant: TenantContext, loaded: OrderToSchedule, move: Move) -> MoveCheck:
    """What the move would be refused for, with every reason."""
    moved = [_service(loaded.booked, line_id) for line_id in move.line_ids]
    performs = {service.line_id: move.staff_id in (service.staff_id, *service.candidates) for service in moved}
    refusal = _refusal(tenant, loaded, MoveBooking(loaded.order.id, move))
    times = _times(tenant, loaded.booked, move)
    return MoveCheck(
        times[move.line_ids[0]].start,
        times[move.line_ids[-1]].end,
        performs,
        times,
        _problems(tenant, loaded, move),
        refusal,
        [] if refusal is None else _free_times(tenant, loaded, move, performs=all(performs.values())),
        refusal is not None and _refusal(tenant, loaded, MoveBooking(loaded.order.id, move, anyway=True)) is None,
        is_busy_in_external_calendar(
            loaded.schedules, move.staff_id, times[move.line_ids[0]].start, times[move.line_ids[-1]].end
        ),
    )


def _times(tenant: TenantContext, services: Sequence[ScheduledService], move: Move) -> dict[UUID, PlannedTime]:
    """The services follow one another."""
    times, at = {}, _order_start(tenant, services, move)
    for service in services:
        is_moved = service.line_id in move.line_ids
        end = at + timedelta(minutes=_minutes(service, move) if is_moved else service.minutes)
        times[service.line_id] = PlannedTime(at, end, move.staff_id if is_moved else service.staff_id)
        at = end
    return times


def _refusal(tenant: TenantContext, loaded: OrderToSchedule, act: MoveBooking) -> Problem | None:
    try:
        act.decide(Context(tenant, SYSTEM, loaded))
    except Problem as problem:
        return problem
    return None


def _problems(tenant: TenantContext, loaded: OrderToSchedule, move: Move) -> dict[UUID, list[Reason]]:
    services = _to_schedule(loaded.booked, move, [move.staff_id])
    start, current = _order_start(tenant, loaded.booked, move), current_times(loaded.booked)
    found = find_problems(
        tenant, services, without_external_calendars(loaded.schedules), start, current_time(), current=current
    )
    return {service.line_id: why for service, why in zip(loaded.booked, found, strict=True)}


def _free_times(tenant: TenantContext, loaded: OrderToSchedule, move: Move, *, performs: bool) -> list[MoveTarget]:
    """The nearest times of the provider; if they do not perform the service, of those who do."""
    service = _service(loaded.booked, move.line_ids[0])
    staff = [move.staff_id] if performs else [service.staff_id]
    is_first = service is loaded.booked[0]
    if not performs and is_first and len(move.line_ids) == 1:
        staff = list(service.candidates)
    services = _to_schedule(loaded.booked, move, staff)
    start, current = _order_start(tenant, loaded.booked, move), current_times(loaded.booked)
    before = _minutes_before(loaded.booked, move.line_ids[0])
    found = nearest_starts(tenant, services, loaded.schedules, start, current_time(), current=current)
    return [
        MoveTarget(alternative.start + before, alternative.staff_id if is_first else staff[0]) for alternative in found
    ]


def _to_schedule(services: Sequence[ScheduledService], move: Move, staff: Sequence[UUID]) -> list[ServiceToSchedule]:
    """The services with their providers, those that move with any of `staff`."""
    return [
        ServiceToSchedule(
            {staff_id: _minutes(service, move._replace(staff_id=staff_id)) for staff_id in staff}
            if service.line_id in move.line_ids
            else {service.staff_id: service.minutes},
            service.buffer_before,
            service.buffer_after,
        )
        for service in services
    ]


def _service(services: Sequence[ScheduledService], line_id: UUID) -> ScheduledService:
    for service in services:
        if service.line_id == line_id:
            return service
    raise Problem(OrderProblem.UNKNOWN_SERVICE_LINE, "line")


def _minutes(service: ScheduledService, move: Move) -> int:
    """With the same provider a service takes as long as it was booked; with another one as long as they need."""
    if move.minutes is not None and service.line_id == move.line_ids[-1]:
        return move.minutes
    is_same = move.staff_id == service.staff_id
    return service.minutes if is_same else service.candidates.get(move.staff_id, service.minutes)


def _order_start(tenant: TenantContext, services: Sequence[ScheduledService], move: Move) -> datetime:
    return tenant.to_utc(move.start, "start") - _minutes_before(services, move.line_ids[0])


def _minutes_before(services: Sequence[ScheduledService], line_id: UUID) -> timedelta:
    """Of the services that are performed before the line."""
    index = services.index(_service(services, line_id))
    return timedelta(minutes=sum(service.minutes for service in services[:index]))


def _check_minutes(minutes: int | None) -> None:
    if minutes is not None and (minutes % STEP_MINUTES or not STEP_MINUTES <= minutes <= MAX_MINUTES):
        raise Problem(BookingProblem.WRONG_DURATION, "minutes", least=STEP_MINUTES, most=MAX_MINUTES, step=STEP_MINUTES)
