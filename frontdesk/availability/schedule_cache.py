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
from frontdesk.availability.types import MOST_LENGTHS, Booked, Provider, Service
from frontdesk.availability.window import Window, window_bytes
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.types import Business
from frontdesk.values.cache import Memory, SizedCache


class _KeptService(NamedTuple):
    since: datetime  # what was over before is left out
    service: Service  # as it was when somebody asked


class _KeptProvider(NamedTuple):
    since: datetime
    provider: Provider


_services: Memory[tuple[Business, UUID, UUID | None], _KeptService] = Memory(2048)
_providers: Memory[tuple[Business, UUID], _KeptProvider] = Memory(8192)
_ENTRY = 500  # bytes of a cache entry, beside its masks


def _booked_bytes(key: tuple[Business, UUID, Window], _booked: Booked) -> int:
    window = key[2]
    return _ENTRY + window_bytes(window) + (1 + MOST_LENGTHS) * window.size // 8


_booked: SizedCache[tuple[Business, UUID, Window], Booked] = SizedCache(16 * 1024 * 1024, _booked_bytes)


async def look_up_service(
    conn: Connection, business: Business, service_id: UUID, staff_id: UUID | None, window: Window
) -> Service | None:
    """With all who perform it, or with the one who was named, and what they have booked in the window."""
    key = (business, service_id, staff_id)
    kept = _services.recall(key)
    if kept is not None and kept.since <= window.origin and kept.service.providers:
        providers = await _with_booked(conn, business, kept.service.providers, window)
        return kept.service._replace(providers=providers)
    since = _since(window)
    service = await get_service(conn, business.tenant_id, service_id, staff_id, window, since)
    if service is not None and business.edition is not None:
        timetables = [provider._replace(booked=Booked(0, 0)) for provider in service.providers]
        _services.keep(key, _KeptService(since, service._replace(providers=timetables)))
    return service


async def look_up_providers(
    conn: Connection, business: Business, staff_ids: Sequence[UUID], window: Window
) -> dict[UUID, Provider]:
    timetables = recall_timetables(business, staff_ids, window)
    if timetables is not None:
        known = await _with_booked(conn, business, list(timetables.values()), window)
        return {provider.staff_id: provider for provider in known}
    since = _since(window)
    providers = await list_providers(conn, business.tenant_id, staff_ids, window, since)
    if business.edition is not None:
        for staff_id, provider in providers.items():
            _providers.keep((business, staff_id), _KeptProvider(since, provider._replace(booked=Booked(0, 0))))
    return providers


async def _with_booked(
    conn: Connection, business: Business, providers: Sequence[Provider], window: Window
) -> list[Provider]:
    staff_ids = [provider.staff_id for provider in providers]
    known = [_booked.get((business, staff_id, window)) for staff_id in staff_ids]
    booked = await list_booked(conn, business.tenant_id, staff_ids, known, window)
    for staff_id, before in zip(staff_ids, known, strict=True):
        if staff_id in booked and booked[staff_id] is not before:
            _booked.put((business, staff_id, window), booked[staff_id])
    return [
        provider._replace(booked=booked[provider.staff_id]) for provider in providers if provider.staff_id in booked
    ]


def recall_timetables(business: Business, staff_ids: Sequence[UUID], window: Window) -> dict[UUID, Provider] | None:
    """As if nothing were booked; None where not all of them are known."""
    found: dict[UUID, Provider] = {}
    for staff_id in staff_ids:
        kept = _providers.recall((business, staff_id))
        if kept is None or kept.since > window.origin:
            return None
        found[staff_id] = kept.provider
    return found


def _since(window: Window) -> datetime:
    """Early enough for every later question about today."""
    today = datetime.combine(datetime.now(UTC).date(), time(), tzinfo=UTC)
    return min(window.origin, today - timedelta(days=2))
