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
    refreshed: int = await conn.fetchval(
        """
        WITH due AS (
            SELECT a.id FROM applications a LEFT JOIN application_vitals v ON v.application_id = a.id
            WHERE a.approved_version IS NOT NULL AND coalesce(v.computed_at < now() - interval '1 day', true)
            ORDER BY v.computed_at NULLS FIRST, a.id LIMIT least($1, 20)
        ), written AS (
            INSERT INTO application_vitals (application_id, used_scopes, requests, errors, webhooks, failing_webhooks,
                computed_at)
            SELECT due.id, used.scopes, days.requests, days.errors, hooks.total, hooks.failing, now()
            FROM due, LATERAL (
                SELECT coalesce(array_agg(DISTINCT u.scope), '{}') AS scopes FROM installs i
                JOIN api_clients c ON c.tenant_id = i.tenant_id AND c.install_id = i.id
                JOIN scope_usage u ON u.tenant_id = c.tenant_id AND u.caller_id = c.id
                WHERE i.application_id = due.id AND u.scope <> '' AND u.last_used_at > now() - interval '90 days'
            ) used, LATERAL (
                SELECT coalesce(sum(d.requests), 0)::bigint AS requests, coalesce(sum(d.errors), 0)::bigint AS errors
                FROM application_days d WHERE d.application_id = due.id AND d.day > current_date - 30
            ) days, LATERAL (
                SELECT count(*) AS total,
                    count(*) FILTER (WHERE w.disabled_at IS NOT NULL OR w.failing_since IS NOT NULL) AS failing
                FROM installs i
                JOIN api_clients c ON c.tenant_id = i.tenant_id AND c.install_id = i.id
                JOIN webhooks w ON w.tenant_id = c.tenant_id AND w.client_id = c.id
                WHERE i.application_id = due.id AND i.disconnected_at IS NULL
            ) hooks
            ON CONFLICT (application_id) DO UPDATE SET used_scopes = excluded.used_scopes,
                requests = excluded.requests, errors = excluded.errors, webhooks = excluded.webhooks,
                failing_webhooks = excluded.failing_webhooks, computed_at = excluded.computed_at
            RETURNING 1
        )
        SELECT count(*) FROM written
        """,
        limit,
    )
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
