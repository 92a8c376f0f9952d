"""What a booking would be, before it is made: its free times of a day, who performs it, and what it costs."""

from datetime import date, datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from frontdesk.availability.check import assign_staff
from frontdesk.availability.day import clock_of, plan_of
from frontdesk.availability.external_calendars import is_busy_in_external_calendar
from frontdesk.availability.free_starts import free_starts
from frontdesk.availability.schedule import FreeStart
from frontdesk.availability.types import ServiceToSchedule
from frontdesk.availability.window import DAY
from frontdesk.orders.lines import CatalogSnapshot, line_problems, price_order
from frontdesk.orders.pricing import Priced
from frontdesk.orders.queries.order_context import OrderInputs
from frontdesk.orders.types import OrderRequest, Source
from frontdesk.problems import Problem, raise_all
from frontdesk.values.tenant_context import TenantContext
from frontdesk.values.time import get_zone


class BookingPreview(NamedTuple):
    starts: list[FreeStart]  # of the day
    night: list[FreeStart]  # after midnight, within hours that began on the day
    chosen: FreeStart | None  # the start of the order, if it is free
    problem: Problem | None  # why it is not
    staff: list[UUID | None]  # who performs each line; None: not decided
    minutes: list[int]  # of each line; the least if the provider is not decided
    priced: Priced
    busy_elsewhere: list[UUID]  # those who perform it, though a calendar elsewhere says that they are busy
    catalog_prices: Priced  # without the prices that were entered, and without a discount


def preview_booking(
    tenant: TenantContext, order: OrderRequest, inputs: OrderInputs, now: datetime, *, has_time: bool
) -> BookingPreview:
    """`order.start` is a local time. Without a time only its day is used."""
    if order.start is None:
        raise AssertionError("a booking has a day")
    catalog = CatalogSnapshot(inputs.context, order)
    raise_all(line_problems(order, catalog))
    services = [catalog.service_to_schedule(line) for line in order.lines]
    starts = list(free_starts(tenant, services, inputs.schedules, order.start.date(), now))
    chosen = problem = None
    if has_time:
        try:
            chosen = _find(tenant, services, order, starts, inputs, now)
        except Problem as found:
            problem = found
    staff = [line.staff_id for line in order.lines]
    if chosen is not None:
        staff = [booked.staff_id for booked in chosen.assigned]
    plain = order._replace(lines=[line._replace(unit_amount=None) for line in order.lines], discount=None)
    return BookingPreview(
        starts,
        _night(tenant, services, inputs, order.start.date(), now),
        chosen,
        problem,
        staff,
        [_minutes(service, staff_id) for service, staff_id in zip(services, staff, strict=True)],
        price_order(tenant, order, staff, catalog, now),
        [
            assignment.staff_id
            for assignment in chosen.assigned
            if is_busy_in_external_calendar(inputs.schedules, assignment.staff_id, assignment.start, assignment.end)
        ]
        if chosen
        else [],
        price_order(tenant, plain, staff, catalog, now),
    )


def _night(
    tenant: TenantContext, services: list[ServiceToSchedule], inputs: OrderInputs, day: date, now: datetime
) -> list[FreeStart]:
    zone = get_zone(tenant.timezone)
    working = [inputs.schedules[id_] for id_ in services[0].candidates if id_ in inputs.schedules] if services else []
    clock = clock_of(zone, day)
    ends = max((clock.wall(plan_of(schedule, zone, day).ends) for schedule in working), default=DAY)
    if ends <= DAY:
        return []
    after = (0, ends - DAY)
    return list(free_starts(tenant, services, inputs.schedules, day + timedelta(days=1), now, between=after))


def _find(
    tenant: TenantContext,
    services: list[ServiceToSchedule],
    order: OrderRequest,
    starts: list[FreeStart],
    inputs: OrderInputs,
    now: datetime,
) -> FreeStart:
    """The free start at this time; raises the reason if there is none."""
    if order.start is None:
        raise AssertionError("a booking has a day")
    instant = tenant.to_utc(order.start, "start")
    found = next((free for free in starts if free.assigned[0].start == instant), None)
    if found is None:
        at_desk = order.source is Source.DASHBOARD
        assigned = assign_staff(tenant, services, inputs.schedules, instant, now, at_desk=at_desk)
        found = FreeStart(assigned, assigned[-1].end)
    return found


def _minutes(service: ServiceToSchedule, staff_id: UUID | None) -> int:
    least = min(service.candidates.values(), default=0)
    return least if staff_id is None else service.candidates.get(staff_id, least)
