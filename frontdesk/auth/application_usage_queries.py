"""How many requests the installs of each application send, and how many of them fail, by day."""

from collections.abc import Mapping
from datetime import date
from typing import NamedTuple
from uuid import UUID

from frontdesk.postgres.pool import Connection


class RequestCount(NamedTuple):
    requests: int
    errors: int


async def find_applications_of(conn: Connection, clients: Mapping[UUID, UUID]) -> dict[UUID, UUID]:
    """The application of each API client that an install created; `clients` has the tenant of each."""
    rows = await conn.fetch(
        """
        SELECT c.id, i.application_id FROM unnest($1::uuid[], $2::uuid[]) AS u (tenant_id, client_id)
        JOIN api_clients c ON c.tenant_id = u.tenant_id AND c.id = u.client_id
        JOIN installs i ON i.tenant_id = c.tenant_id AND i.id = c.install_id
        """,
        list(clients.values()),
        list(clients),
    )
    return {row["id"]: row["application_id"] for row in rows}


async def add_requests(conn: Connection, counts: Mapping[tuple[UUID, date], RequestCount]) -> None:
    """Sorted, so that processes that write at once wait for each other and never in a circle."""
    rows = sorted((*key, *count) for key, count in counts.items())
    await conn.execute(
        """
        INSERT INTO application_days AS d (application_id, day, requests, errors)
        SELECT * FROM unnest($1::uuid[], $2::date[], $3::bigint[], $4::bigint[])
        ON CONFLICT (application_id, day) DO UPDATE
        SET requests = d.requests + excluded.requests, errors = d.errors + excluded.errors
        """,
        *([row[column] for row in rows] for column in range(4)),
    )
