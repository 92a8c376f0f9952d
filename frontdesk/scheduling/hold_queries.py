"""Statements for holds: times that customers have chosen and not booked yet, on the public page or elsewhere."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.availability.types import Assignment, StaffSchedule
from frontdesk.postgres.batched_delete import delete_batch
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import Query, found
from frontdesk.values.tenant_context import TenantContext
from frontdesk.values.time import get_zone, to_local


class Hold(NamedTuple):
    staff_id: UUID
    start: datetime
    end: datetime
    is_of_form: bool  # of the form that asks


Holds = Sequence[Hold]


def live_holds(form_id: UUID | None = None) -> Query[list[Hold]]:
    """All of the tenant. There are few, because each address and each provider's day has a small limit."""
    return Query(
        """
        SELECT array_agg(staff_id) AS staff, array_agg(lower(busy)) AS starts, array_agg(upper(busy)) AS ends,
               array_agg(id IS NOT DISTINCT FROM $2::uuid) AS own
        FROM (SELECT * FROM holds WHERE tenant_id = $1 AND expires_at > clock_timestamp() ORDER BY id, place) h
        """,
        (form_id,),
        _holds,
    )


def _holds(row: Record | None) -> list[Hold]:
    if row is None or row["staff"] is None:
        return []
    return [Hold(*values) for values in zip(row["staff"], row["starts"], row["ends"], row["own"], strict=True)]


def with_holds(schedules: Mapping[UUID, StaffSchedule], holds: Holds) -> Mapping[UUID, StaffSchedule]:
    """What others hold is not free, as if it were time off."""
    changed = dict(schedules)
    for hold in holds:
        if not hold.is_of_form and hold.staff_id in changed:
            schedule = changed[hold.staff_id]
            changed[hold.staff_id] = schedule._replace(time_off=[*schedule.time_off, (hold.start, hold.end)])
    return changed


class _Placed(msgspec.Struct):
    until: datetime | None


async def place_hold(
    conn: Connection, tenant: TenantContext, hold_id: UUID, network: bytes, times: Sequence[Assignment]
) -> datetime | None:
    """Until when the times are held; None if a limit is reached."""
    zone = get_zone(tenant.timezone)
    argument = {
        "id": hold_id,
        "network": network.hex(),
        "times": [
            {
                "staff_id": assignment.staff_id,
                "busy_from": assignment.busy_from,
                "busy_until": assignment.busy_until,
                "day": to_local(assignment.busy_from, zone).date(),
            }
            for assignment in times
        ],
    }
    placed = await conn.fetchval(
        "SELECT place_hold($1, $2::jsonb)::text", tenant.tenant_id, msgspec.json.encode(argument).decode()
    )
    return msgspec.json.decode(placed, type=_Placed).until


async def release_hold(conn: Connection, tenant_id: UUID, hold_id: UUID) -> None:
    await conn.execute(
        "UPDATE holds SET expires_at = now() WHERE tenant_id = $1 AND id = $2 AND expires_at > now()",
        tenant_id,
        hold_id,
    )


def hold_of_client(hold_id: UUID) -> Query[UUID]:
    """Its id, if the API client that asks has placed it."""
    return Query(
        "SELECT h.id FROM holds h WHERE h.tenant_id = $1 AND h.id = $2 AND h.client_id = context.caller_id LIMIT 1",
        (hold_id,),
        found("hold", lambda row: row["id"]),
    )


async def delete_expired_holds(conn: Connection, limit: int) -> int:
    """An hour after they end: until then they count for the limit of their network."""
    return await delete_batch(conn, "holds", "expires_at < now() - interval '1 hour'", limit)
