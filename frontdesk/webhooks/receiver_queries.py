"""Statements for the health of a webhook's receiver."""

from datetime import timedelta
from uuid import UUID

from frontdesk.postgres.pool import Connection
from frontdesk.problems import Problem, encode_problem


async def mark_healthy(conn: Connection, tenant_id: UUID, webhook_id: UUID) -> None:
    await conn.execute(
        """
        UPDATE webhooks SET failing_since = NULL, paused_until = NULL
        WHERE tenant_id = $1 AND id = $2 AND (failing_since IS NOT NULL OR paused_until IS NOT NULL)
        """,
        tenant_id,
        webhook_id,
    )


async def mark_failing(conn: Connection, tenant_id: UUID, webhook_id: UUID, rest: float) -> None:
    """Pauses deliveries for `rest` seconds, for example because of Retry-After."""
    paused_until = "now() + make_interval(secs => $3)" if rest > 0 else "paused_until"
    await conn.execute(
        f"""
        UPDATE webhooks SET failing_since = least(failing_since, now()), paused_until = {paused_until}
        WHERE tenant_id = $1 AND id = $2 AND (failing_since IS NULL OR $3::float8 > 0)
        """,
        tenant_id,
        webhook_id,
        rest,
    )


async def disable_webhook(
    conn: Connection, tenant_id: UUID, webhook_id: UUID, reason: Problem, *, failing_for: timedelta = timedelta(0)
) -> bool:
    """Returns whether it was enabled. Its deliveries stay in the queue, in case it is enabled again."""
    disabled = await conn.fetchval(
        """
        UPDATE webhooks SET disabled_at = now(), disabled_reason = $3, updated_at = now()
        WHERE tenant_id = $1 AND id = $2 AND disabled_at IS NULL
          AND ($4 = interval '0' OR failing_since < now() - $4::interval)
        RETURNING true
        """,
        tenant_id,
        webhook_id,
        encode_problem(reason),
        failing_for,
    )
    return bool(disabled)
