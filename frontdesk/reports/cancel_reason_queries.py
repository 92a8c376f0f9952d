"""Why appointments were canceled, by the day of the appointment."""

from datetime import datetime
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

import msgspec

from frontdesk.postgres.pool import Connection


class CanceledFor(NamedTuple):
    reason: dict[str, str] | None  # by language; None: none was chosen
    orders: int
    total: Decimal


async def list_cancel_reasons(
    conn: Connection, tenant_id: UUID, start: datetime, end: datetime, branch_id: UUID | None
) -> list[CanceledFor]:
    rows = await conn.fetch(
        """
        SELECT o.cancel_reason::text AS reason, count(*)::integer AS orders, sum(o.total) AS total
        FROM orders o
        WHERE o.tenant_id = $1 AND o.status = 'canceled' AND o.starts_at >= $2 AND o.starts_at < $3
          AND ($4::uuid IS NULL OR o.branch_id = $4)
        GROUP BY o.cancel_reason::text ORDER BY 2 DESC, 1
        """,
        tenant_id,
        start,
        end,
        branch_id,
    )
    return [
        CanceledFor(
            None if row["reason"] is None else msgspec.json.decode(row["reason"], type=dict[str, str]),
            row["orders"],
            row["total"],
        )
        for row in rows
    ]
