"""Times that are held, read together with schedules. To others they are busy."""

from collections.abc import Iterable
from datetime import UTC, datetime
from enum import Enum
from typing import NamedTuple
from uuid import UUID

import msgspec

from frontdesk.availability.types import StaffSchedule


class Holds(Enum):
    """Which holds of others count."""

    NONE = "false"  # the front desk is served first
    OF_CLIENTS = "h.client_id IS NOT NULL"
    ALL = "true"  # those of the public page too


class _HeldTime(NamedTuple):
    staff_id: UUID
    busy_from: float
    busy_until: float
    is_own: bool
    item_id: UUID | None  # None: of the public page
    starts_at: float | None


class OwnHold(NamedTuple):
    """The hold that an order names."""

    staff_id: UUID
    item_id: UUID
    start: datetime


_DECODER = msgspec.json.Decoder(list[_HeldTime])


def held_column(holds: Holds, own: str = "NULL::uuid") -> str:
    """`own` is the hold that the caller names. There are few holds, so all of the business are read."""
    if holds is Holds.NONE:
        return "NULL::text AS held"
    return f"""(SELECT json_agg(json_build_array(
                    h.staff_id, extract(epoch FROM lower(h.busy)), extract(epoch FROM upper(h.busy)),
                    coalesce(h.id = {own} AND h.client_id = context.caller_id, false), h.item_id,
                    extract(epoch FROM h.starts_at)))
                FROM holds h WHERE h.tenant_id = $1 AND h.expires_at > clock_timestamp() AND {holds.value})::text
            AS held"""


def with_held(schedules: Iterable[StaffSchedule], held: str | None) -> list[StaffSchedule]:
    """`held` is the column."""
    times: dict[UUID, list[tuple[datetime, datetime]]] = {}
    for time in _DECODER.decode(held) if held else ():
        if not time.is_own:
            times.setdefault(time.staff_id, []).append((_instant(time.busy_from), _instant(time.busy_until)))
    return [
        schedule._replace(held=times[schedule.staff_id]) if schedule.staff_id in times else schedule
        for schedule in schedules
    ]


def own_hold(held: str | None) -> OwnHold | None:
    for time in _DECODER.decode(held) if held else ():
        if time.is_own and time.item_id is not None and time.starts_at is not None:
            return OwnHold(time.staff_id, time.item_id, _instant(time.starts_at))
    return None


def _instant(epoch: float) -> datetime:
    return datetime.fromtimestamp(epoch, UTC)
