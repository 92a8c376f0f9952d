"""Which free time suits an entry of the waiting list, and why none does."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Literal, NamedTuple
from uuid import UUID

from frontdesk.availability.free_starts import free_starts, why_none
from frontdesk.availability.queries import Days
from frontdesk.availability.schedule import FreeStart
from frontdesk.availability.slots import Reason
from frontdesk.availability.types import ServiceToSchedule, StaffSchedule
from frontdesk.values.tenant_context import TenantContext
from frontdesk.values.time import get_zone, to_local
from frontdesk.waiting_list.types import HOURS, WaitingEntry, WaitingService

SEARCH_DAYS = 31  # no later day is searched
Problem = Reason | Literal["over", "off_sale", "nobody", "later"]


class Fit(NamedTuple):
    entry: WaitingEntry
    start: FreeStart | None
    problem: Problem | None  # if there is no start


def days_to_search(first: date, days: int = SEARCH_DAYS) -> Days:
    return Days.around(first, days)


def find_fit(
    tenant: TenantContext,
    entry: WaitingEntry,
    schedules: Mapping[UUID, StaffSchedule],
    now: datetime,
    *,
    shown: tuple[date, date] | None = None,
) -> Fit:
    """The first free start that suits: from today on, and only of the days that are shown."""
    today = to_local(now, get_zone(tenant.timezone)).date()
    first, last = max(entry.first_day, today), min(entry.last_day, today + timedelta(days=SEARCH_DAYS - 1))
    if shown is not None:
        first, last = max(first, shown[0]), min(last, shown[1])
    problem = _problem(entry, today)
    if problem is not None or first > last:
        return Fit(entry, None, problem or "later")
    services = [_to_schedule(entry, service) for service in entry.services]
    days, between = (last - first).days + 1, HOURS[entry.part_of_day]
    found = next(free_starts(tenant, services, schedules, first, now, days=days, between=between), None)
    if found is not None:
        return Fit(entry, found, None)
    reason = why_none(tenant, services[0], schedules, first, now, days=days, between=between)
    return Fit(entry, None, "over" if reason == "past" else reason)


def _problem(entry: WaitingEntry, today: date) -> Problem | None:
    if entry.last_day < today:
        return "past"
    if not all(service.on_sale for service in entry.services):
        return "off_sale"
    return None if all(service.candidates for service in entry.services) else "nobody"


def _to_schedule(entry: WaitingEntry, service: WaitingService) -> ServiceToSchedule:
    """The provider who is wanted performs all that they can."""
    staff = entry.staff_id
    candidates = {staff: service.candidates[staff]} if staff in service.candidates else service.candidates
    return ServiceToSchedule(candidates, service.buffer_before, service.buffer_after)
