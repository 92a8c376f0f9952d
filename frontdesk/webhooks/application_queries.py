"""Statements for the webhooks that are created with the install of an application."""

from collections.abc import Sequence
from uuid import UUID

from frontdesk.postgres.pool import Connection
from frontdesk.problems import Problem, encode_problem
from frontdesk.webhooks.problems import OffReason


async def update_application_secret(conn: Connection, application_id: UUID, encrypted_secret: bytes) -> None:
    """Of all tenants, for the webhooks that came with an install. The previous secret also signs for 24 hours.

    Webhooks that the application created through the API have secrets of their own.
    """
    await conn.execute(
        """
        UPDATE webhooks w SET previous_secret = w.secret, previous_secret_until = now() + interval '24 hours',
               secret = $2, updated_at = now()
        FROM api_clients c
        JOIN installs i ON i.tenant_id = c.tenant_id AND i.id = c.install_id
        JOIN applications a ON a.id = i.application_id
        WHERE i.application_id = $1 AND c.tenant_id = w.tenant_id AND c.id = w.client_id
          AND w.secret = a.webhook_secret
        """,
        application_id,
        encrypted_secret,
    )


async def update_application_webhook(
    conn: Connection, tenant_id: UUID, client_id: UUID, application_id: UUID, url: str | None, events: Sequence[str]
) -> bool:
    """For the webhook that came with the install; False if there is none. Without a URL it is disabled. With another
    URL it is enabled, and earlier failures no longer count."""
    disabled_at = (
        "least(disabled_at, now())"
        if url is None
        else "CASE WHEN $4 = url AND disabled_reason ->> 'kind' <> 'NOT_REQUESTED' THEN disabled_at END"
    )
    done = await conn.execute(
        f"""
        UPDATE webhooks w SET
            url = coalesce($4, url), events = CASE WHEN $4::text IS NULL THEN events ELSE $5 END, updated_at = now(),
            disabled_at = {disabled_at},
            disabled_reason = CASE WHEN $4 IS NULL THEN $6::jsonb
                WHEN $4 = url AND disabled_reason ->> 'kind' <> 'NOT_REQUESTED' THEN disabled_reason END,
            failing_since = CASE WHEN $4 = url THEN failing_since END,
            paused_until = CASE WHEN $4 = url THEN paused_until END
        FROM applications a
        WHERE w.tenant_id = $1 AND w.client_id = $2 AND a.id = $3 AND w.secret = a.webhook_secret
        """,
        tenant_id,
        client_id,
        application_id,
        url,
        list(events),
        encode_problem(Problem(OffReason.NOT_REQUESTED)),
    )
    return done != "UPDATE 0"
