"""What applications really do: scopes in use, errors, webhooks that arrive. Counted over all businesses."""

from typing import NamedTuple
from uuid import UUID

from frontdesk.postgres.batched_delete import delete_batch
from frontdesk.postgres.pool import Connection


class Vitals(NamedTuple):
    used_scopes: frozenset[str]
    requests: int
    errors: int
    webhooks: int
    failing_webhooks: int

    @property
    def error_rate(self) -> float | None:
        """In percent; None before the first request."""
        return 100 * self.errors / self.requests if self.requests else None

    @property
    def arrival_rate(self) -> float | None:
        return 100 * (self.webhooks - self.failing_webhooks) / self.webhooks if self.webhooks else None


async def refresh_vitals(conn: Connection, limit: int) -> int:
    """Computes a few that are older than a day again, because each reads all installs. Returns how many."""
    refreshed: int = await conn.fetchval("SELECT refresh_vitals(least($1::integer, 20))", limit)
    return refreshed


async def list_vitals(conn: Connection, application_ids: list[UUID]) -> dict[UUID, Vitals]:
    rows = await conn.fetch(
        """
        SELECT application_id, used_scopes, requests, errors, webhooks, failing_webhooks FROM application_vitals
        WHERE application_id = ANY ($1)
        """,
        application_ids,
    )
    return {row[0]: Vitals(frozenset(row[1]), *row[2:]) for row in map(tuple, rows)}


async def delete_old_days(conn: Connection, limit: int) -> int:
    return await delete_batch(conn, "application_days", "day < current_date - 60", limit)
