"""The starts at which services that follow one another fit, and why there are none."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from uuid import UUID

from frontdesk.availability.check import schedule_of
from frontdesk.availability.schedule import FreeStart
from frontdesk.availability.slots import Reason
from frontdesk.availability.types import ServiceToSchedule, StaffSchedule
from frontdesk.availability.window import DAY
from frontdesk.values.tenant_context import TenantContext

WHOLE_DAY = (0, DAY)


def free_starts(
    tenant: TenantContext,
    services: Sequence[ServiceToSchedule],
    schedules: Mapping[UUID, StaffSchedule],
    first: date,
    now: datetime,
    *,
    days: int = 1,
    between: tuple[int, int] = WHOLE_DAY,
) -> Iterator[FreeStart]:
    """The starts that `assign_staff` accepts on some days, in order; `between` is in minutes from midnight."""
    return schedule_of(tenant, services, schedules, first, now, days=days).free_starts(between)


def why_none(
    tenant: TenantContext,
    service: ServiceToSchedule,
    schedules: Mapping[UUID, StaffSchedule],
    first: date,
    now: datetime,
    *,
    days: int = 1,
    between: tuple[int, int] = WHOLE_DAY,
) -> Reason:
    """Why a service has no free start on all of these days."""
    return schedule_of(tenant, [service], schedules, first, now, days=days).why_none(between)
