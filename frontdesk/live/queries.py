"""Statements for open pages: which tenants have new events, and what these are about."""

from collections.abc import Sequence
from uuid import UUID

from asyncpg import Record

from frontdesk.live.types import EventsAfter, LiveEvent
from frontdesk.postgres.pool import Connection

MAX_EVENTS = 500  # read at once; a page that is further behind is loaded again

# Events are numbered without gaps, in the order in which they become visible: a reader that has seen number n has seen
# all before it. An order is named by its event, or by its transaction.
_EVENTS = f"""
    SELECT e.sequence, e.type, e.actor_id, e.order_id,
           coalesce(e.previous_staff_ids, '{{}}') || ARRAY(
               SELECT b.staff_id FROM bookings b WHERE b.tenant_id = $1 AND b.order_id = e.order_id) AS staff_ids,
           array_remove(
               ARRAY[left(e.data #>> '{{order,start}}', 10), left(e.data ->> 'previous_start', 10)], NULL) AS days
    FROM (
        SELECT *, coalesce(data #>> '{{order,id}}', data #>> '{{transaction,order,id}}')::uuid AS order_id
        FROM events
        WHERE tenant_id = $1 AND sequence > $2 AND (type LIKE 'order.%' OR type = 'transaction.created')
        ORDER BY sequence LIMIT {MAX_EVENTS}
    ) e
    ORDER BY e.sequence"""


async def last_sequences(conn: Connection, tenant_ids: Sequence[UUID]) -> dict[UUID, int]:
    """Of all given tenants in one statement, which reads one short row of each."""
    rows = await conn.fetch(
        "SELECT tenant_id, value FROM tenant_counters WHERE tenant_id = ANY ($1) AND name = 'events'", tenant_ids
    )
    return {row["tenant_id"]: row["value"] for row in rows}


async def list_events_after(conn: Connection, tenant_id: UUID, after: int) -> list[LiveEvent]:
    return [_event(row) for row in await conn.fetch(_EVENTS, tenant_id, after)]


async def find_events_after(conn: Connection, tenant_id: UUID, after: int) -> EventsAfter:
    """For a page that last received event `after`. Too long ago, or after a restored backup: it starts again."""
    last = (await last_sequences(conn, [tenant_id])).get(tenant_id, 0)
    if not last - MAX_EVENTS <= after <= last:
        return EventsAfter(last, [], is_complete=False)
    events = await list_events_after(conn, tenant_id, after) if after < last else []
    return EventsAfter(last, events, is_complete=True)


def _event(row: Record) -> LiveEvent:
    return LiveEvent(
        row["sequence"], row["type"], row["order_id"], row["actor_id"], frozenset(row["staff_ids"]), row["days"]
    )
