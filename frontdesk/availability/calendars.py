"""The calendars that availability is computed from. Timetables are kept in mind; what is booked is always asked.

A timetable (hours, closed days, time off, who performs what) belongs to an edition of the business's books, and is kept
under it. Every request learns the edition that holds now, so what was kept under an earlier one is never looked up.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta
from typing import NamedTuple
from uuid import UUID

from frontdesk.availability.queries import get_service, list_booked, list_providers
from frontdesk.availability.types import Provider, Service
from frontdesk.availability.window import Window
from frontdesk.kit.db import Connection
from frontdesk.kit.memory import Memory
from frontdesk.tenants.types import Business


class _KeptService(NamedTuple):
    since: datetime  # what was over before is left out
    service: Service  # with nothing booked


class _KeptProvider(NamedTuple):
    since: datetime
    provider: Provider


_services: Memory[tuple[Business, UUID, UUID | None], _KeptService] = Memory(2048)
_providers: Memory[tuple[Business, UUID], _KeptProvider] = Memory(8192)


async def look_up_service(
    conn: Connection, business: Business, service_id: UUID, staff_id: UUID | None, window: Window
) -> Service | None:
    """With all who perform it, or with the one who was named, and what they have booked in the window."""
    key = (business, service_id, staff_id)
    kept = _services.recall(key)
    if kept is not None and kept.since <= window.origin and kept.service.providers:
        staff_ids = [provider.staff_id for provider in kept.service.providers]
        booked = await list_booked(conn, business.tenant_id, staff_ids, window)
        return kept.service._replace(
            providers=[p._replace(booked=booked.get(p.staff_id, 0)) for p in kept.service.providers]
        )
    since = _since(window)
    service = await get_service(conn, business.tenant_id, service_id, staff_id, window, since)
    if service is not None and business.edition is not None:
        timetables = [provider._replace(booked=0) for provider in service.providers]
        _services.keep(key, _KeptService(since, service._replace(providers=timetables)))
    return service


async def look_up_providers(
    conn: Connection, business: Business, staff_ids: Sequence[UUID], window: Window
) -> dict[UUID, Provider]:
    timetables = recall_timetables(business, staff_ids, window)
    if timetables is not None:
        booked = await list_booked(conn, business.tenant_id, staff_ids, window)
        return {staff_id: p._replace(booked=booked.get(staff_id, 0)) for staff_id, p in timetables.items()}
    since = _since(window)
    providers = await list_providers(conn, business.tenant_id, staff_ids, window, since)
    if business.edition is not None:
        for staff_id, provider in providers.items():
            _providers.keep((business, staff_id), _KeptProvider(since, provider._replace(booked=0)))
    return providers


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
