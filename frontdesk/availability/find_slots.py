"""What a business can offer: the free starts of a service over some days, and why not the others."""

from datetime import date, datetime
from typing import NamedTuple
from uuid import UUID

from frontdesk.availability.hours import open_and_start_masks
from frontdesk.availability.queries import exists_staff
from frontdesk.availability.schedule_cache import load_service
from frontdesk.availability.slots import Calendar, DayExplanation, explain_by_day, not_before, start_mask
from frontdesk.availability.types import Service, StaffSchedule
from frontdesk.availability.window import DAY, Window, bits_of_day, by_day, first_bit_after, mask_of_range, window_of
from frontdesk.errors import invalid
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.types import TenantContext
from frontdesk.values.time import get_zone, to_local

MAX_VISIBLE_DAYS = 7 * DAY  # no appointment is longer than a week
SEARCH_DAYS = 90


class AvailabilityQuery(NamedTuple):
    service_id: UUID
    staff_id: UUID | None
    first: date
    days: int
    quantity: int
    search_on: bool  # begin at the first later day that has something, when the first has nothing
    explain: bool


class AvailabilityResult(NamedTuple):
    slots: dict[str, list[str]]
    explanations: dict[UUID, dict[str, DayExplanation]] | None


async def find_slots(
    conn: Connection, tenant: TenantContext, question: AvailabilityQuery, now: datetime
) -> AvailabilityResult:
    """The free starts, day by day; over all providers of the service when none is named.

    Starts are local times. Of an hour that the clocks repeat only the first is offered; the second can be booked with
    its offset.
    """
    if question.search_on:
        today = to_local(now, get_zone(tenant.timezone)).date()
        question = question._replace(first=max(question.first, today))
    window, service = await _look(conn, tenant, question, question.days)
    mask = _union(window, service, question.quantity, now)
    if question.search_on and not bits_of_day(mask, window.days[0]):
        later = await _first_later_day(conn, tenant, question, now)
        if later is not None:
            question = question._replace(first=later)
            window, service = await _look(conn, tenant, question, question.days)
            mask = _union(window, service, question.quantity, now)
    return AvailabilityResult(
        by_day(window, mask), _explanations(window, service, question, now) if question.explain else None
    )


def calendar_of(provider: StaffSchedule, window: Window, grid: int) -> Calendar:
    opened, ticks = open_and_start_masks(provider.hours, window, provider.closed, grid)
    away = 0
    for start, end in provider.time_off:
        away |= mask_of_range(window, start, end)
    return Calendar(opened, ticks, away, provider.booked.minutes)


async def _look(
    conn: Connection, tenant: TenantContext, question: AvailabilityQuery, days: int
) -> tuple[Window, Service]:
    """Most appointments end within a day; only a longer one makes the window longer and asks a second time."""
    zone = get_zone(tenant.timezone)
    window = window_of(zone, question.first, days, DAY)
    service = await load_service(conn, tenant, question.service_id, question.staff_id, window)
    if service is None:
        raise invalid({"service_id": ["is not a service of this business"]})
    if not service.active:
        raise invalid({"service_id": ["is not available for sale"]})
    if question.staff_id is not None and not service.providers:
        raise await _unsuitable(conn, tenant.tenant_id, question.staff_id)
    lengths = [_length(service, provider, question.quantity) for provider in service.providers]
    longest = max((length for length in lengths if length <= MAX_VISIBLE_DAYS), default=0)
    if longest > DAY:
        window = window_of(zone, question.first, days, longest)
        service = await load_service(conn, tenant, question.service_id, question.staff_id, window) or service
    return window, service


async def _unsuitable(conn: Connection, tenant_id: UUID, staff_id: UUID) -> Exception:
    known = await exists_staff(conn, tenant_id, staff_id)
    return invalid(
        {"staff_id": ["does not perform this service" if known else "is not a staff member of this business"]}
    )


async def _first_later_day(
    conn: Connection, tenant: TenantContext, question: AvailabilityQuery, now: datetime
) -> date | None:
    window, service = await _look(conn, tenant, question, SEARCH_DAYS + 1)
    mask = _union(window, service, question.quantity, now)
    return next((day.date for day in window.days[1:] if bits_of_day(mask, day)), None)


def _length(service: Service, provider: StaffSchedule, quantity: int) -> int:
    return quantity * (provider.own_duration or service.duration)


def _union(window: Window, service: Service, quantity: int, now: datetime) -> int:
    mask = 0
    for provider in service.providers:
        length = _length(service, provider, quantity)
        if length <= MAX_VISIBLE_DAYS:
            mask |= _fitting(provider, window, length, service.grid)
    return not_before(mask & window.named, first_bit_after(window, now))


def _fitting(provider: StaffSchedule, window: Window, length: int, grid: int) -> int:
    """All starts of the window, past ones too. Found out once for each state of the provider's calendar."""
    known = provider.booked.fitting
    mask = known.get((length, grid))
    if mask is None:
        mask = start_mask(calendar_of(provider, window, grid), length)
        provider.booked.cache_starts(length, grid, mask)
    return mask


def _explanations(
    window: Window, service: Service, question: AvailabilityQuery, now: datetime
) -> dict[UUID, dict[str, DayExplanation]]:
    earliest, explanations = first_bit_after(window, now), {}
    for provider in service.providers:
        length = _length(service, provider, question.quantity)
        calendar = calendar_of(provider, window, service.grid)
        explanations[provider.staff_id] = explain_by_day(
            window,
            calendar._replace(grid=calendar.grid & window.named),
            provider.closed,
            length if length <= MAX_VISIBLE_DAYS else window.size + 1,  # longer than anything that is open
            earliest,
        )
    return explanations
