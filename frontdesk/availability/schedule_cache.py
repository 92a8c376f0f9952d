"""The calendars that availability is computed from, as far as they were asked for before.

A timetable (hours, closed days, time off, who performs what) belongs to an edition of the business's books, and is kept
under it. Every request learns the edition that holds now, so what was kept under an earlier one is never looked up.
What somebody has booked belongs to a state of their own calendar: that is asked each time, and read where it changed.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta
from typing import NamedTuple
from uuid import UUID

from frontdesk.availability.queries import get_service, list_booked, list_providers
from frontdesk.availability.types import MAX_LENGTHS, BusyMinutes, Service, StaffSchedule
from frontdesk.availability.window import Window, window_bytes
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.types import TenantContext
from frontdesk.values.cache import BoundedCache, SizedCache


class _CachedService(NamedTuple):
    since: datetime  # what was over before is left out
    service: Service  # as it was when somebody asked


class _CachedProvider(NamedTuple):
    since: datetime
    provider: StaffSchedule


_services: BoundedCache[tuple[TenantContext, UUID, UUID | None], _CachedService] = BoundedCache(2048)
_providers: BoundedCache[tuple[TenantContext, UUID], _CachedProvider] = BoundedCache(8192)
_ENTRY = 500  # bytes of a cache entry, beside its masks


def _booked_bytes(key: tuple[TenantContext, UUID, Window], _booked: BusyMinutes) -> int:
    window = key[2]
    return _ENTRY + window_bytes(window) + (1 + MAX_LENGTHS) * window.size // 8


_booked: SizedCache[tuple[TenantContext, UUID, Window], BusyMinutes] = SizedCache(16 * 1024 * 1024, _booked_bytes)


async def load_service(
    conn: Connection, tenant: TenantContext, service_id: UUID, staff_id: UUID | None, window: Window
) -> Service | None:
    """With all who perform it, or with the one who was named, and what they have booked in the window."""
    key = (tenant, service_id, staff_id)
    kept = _services.get(key)
    if kept is not None and kept.since <= window.origin and kept.service.providers:
        providers = await _with_booked(conn, tenant, kept.service.providers, window)
        return kept.service._replace(providers=providers)
    since = _valid_from(window)
    service = await get_service(conn, tenant.tenant_id, service_id, staff_id, window, since)
    if service is not None and tenant.edition is not None:
        timetables = [provider._replace(booked=BusyMinutes(0, 0)) for provider in service.providers]
        _services.set(key, _CachedService(since, service._replace(providers=timetables)))
    return service


async def load_providers(
    conn: Connection, tenant: TenantContext, staff_ids: Sequence[UUID], window: Window
) -> dict[UUID, StaffSchedule]:
    timetables = cached_schedules(tenant, staff_ids, window)
    if timetables is not None:
        known = await _with_booked(conn, tenant, list(timetables.values()), window)
        return {provider.staff_id: provider for provider in known}
    since = _valid_from(window)
    providers = await list_providers(conn, tenant.tenant_id, staff_ids, window, since)
    if tenant.edition is not None:
        for staff_id, provider in providers.items():
            _providers.set((tenant, staff_id), _CachedProvider(since, provider._replace(booked=BusyMinutes(0, 0))))
    return providers


async def _with_booked(
    conn: Connection, tenant: TenantContext, providers: Sequence[StaffSchedule], window: Window
) -> list[StaffSchedule]:
    staff_ids = [provider.staff_id for provider in providers]
    known = [_booked.get((tenant, staff_id, window)) for staff_id in staff_ids]
    booked = await list_booked(conn, tenant.tenant_id, staff_ids, known, window)
    for staff_id, before in zip(staff_ids, known, strict=True):
        if staff_id in booked and booked[staff_id] is not before:
            _booked.set((tenant, staff_id, window), booked[staff_id])
    return [
        provider._replace(booked=booked[provider.staff_id]) for provider in providers if provider.staff_id in booked
    ]


def cached_schedules(
    tenant: TenantContext, staff_ids: Sequence[UUID], window: Window
) -> dict[UUID, StaffSchedule] | None:
    """As if nothing were booked; None where not all of them are known."""
    found: dict[UUID, StaffSchedule] = {}
    for staff_id in staff_ids:
        kept = _providers.get((tenant, staff_id))
        if kept is None or kept.since > window.origin:
            return None
        found[staff_id] = kept.provider
    return found


def _valid_from(window: Window) -> datetime:
    """Early enough for every later question about today."""
    today = datetime.combine(datetime.now(UTC).date(), time(), tzinfo=UTC)
    return min(window.origin, today - timedelta(days=2))
