"""Queries for reviews: the queue, decisions, and the use of the sandbox."""

from uuid import UUID

import msgspec

from frontdesk.applications.types import (
    ApplicationStatus,
    ApplicationSummary,
    ConformanceResult,
    ReviewAction,
    ReviewLogEntry,
    SandboxUsage,
    TriedScenario,
    WebhookStats,
)
from frontdesk.auth.request_log_queries import LoggedRequest, ScopeUse
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.records import from_row
from frontdesk.values.clock import machine_time

_MAX_LISTED = 500
_MAX_ERRORS = 10


async def list_applications(conn: Connection, status: ApplicationStatus | None) -> list[ApplicationSummary]:
    """Longest waiting first."""
    rows = await conn.fetch(
        f"""
        SELECT a.id, a.slug, a.name, coalesce(d.name, u.name) AS developer, a.status, a.submitted_at, a.created_at,
               count_businesses(a.id) AS businesses, a.submitted_version
        FROM applications a JOIN users u ON u.id = a.developer_id LEFT JOIN developers d ON d.user_id = u.id
        WHERE ($1::text IS NULL OR a.status = $1) AND NOT a.for_sandboxes
        ORDER BY a.submitted_at NULLS LAST, a.created_at, a.id LIMIT {_MAX_LISTED}
        """,
        status,
    )
    return [
        from_row(ApplicationSummary, row, status=ApplicationStatus(row["status"]), version=row["submitted_version"])
        for row in rows
    ]


async def find_application_id(conn: Connection, slug: str) -> UUID | None:
    application_id: UUID | None = await conn.fetchval("SELECT id FROM applications WHERE slug = $1", slug)
    return application_id


async def update_status(
    conn: Connection, application_id: UUID, status: ApplicationStatus, reason: str | None, *, approved: bool = False
) -> None:
    await conn.execute(
        """
        UPDATE applications SET
            status = $2, review_reason = $3, updated_at = now(),
            submitted_at = CASE WHEN $2 = 'in_review' THEN $5::timestamptz ELSE submitted_at END,
            approved_at = CASE WHEN $4 AND approved_version IS NOT NULL THEN $5 ELSE approved_at END
        WHERE id = $1
        """,
        application_id,
        status.value,
        reason,
        approved,
        machine_time(),
    )


async def update_commission_note(conn: Connection, application_id: UUID, note: str | None) -> bool:
    return await conn.execute_one(
        "UPDATE applications SET commission_note = $2, updated_at = now() WHERE id = $1", application_id, note
    )


async def insert_review_action(
    conn: Connection,
    step_id: UUID,
    application_id: UUID,
    step: ReviewAction,
    reason: str | None,
    by: UUID | None,
    version: int | None,
) -> None:
    await conn.execute(
        """
        INSERT INTO application_reviews (id, application_id, step, reason, performed_by, version)
        VALUES ($1, $2, $3, $4, $5, $6)
        """,
        step_id,
        application_id,
        step,
        reason,
        by,
        version,
    )


async def list_review_actions(conn: Connection, application_id: UUID) -> list[ReviewLogEntry]:
    rows = await conn.fetch(
        """
        SELECT r.step, r.version, r.reason, u.name, r.performed_at
        FROM application_reviews r LEFT JOIN users u ON u.id = r.performed_by
        WHERE r.application_id = $1 ORDER BY r.performed_at DESC, r.id DESC
        """,
        application_id,
    )
    return [ReviewLogEntry(ReviewAction(row["step"]), *row[1:]) for row in rows]


async def suspend_installs(conn: Connection, application_id: UUID) -> list[tuple[UUID, UUID]]:
    """At every tenant. Returns the tenants and the installs."""
    rows = await conn.fetch(
        """
        UPDATE installs SET disconnected_at = now(), suspended_at = now()
        WHERE application_id = $1 AND disconnected_at IS NULL AND tenant_id IS NOT NULL RETURNING tenant_id, id
        """,
        application_id,
    )
    await _update_clients(conn, application_id)
    return [(row["tenant_id"], row["id"]) for row in rows]


async def resume_installs(conn: Connection, application_id: UUID) -> list[tuple[UUID, UUID]]:
    """At every tenant that has not disconnected it. Returns the tenants and the installs."""
    rows = await conn.fetch(
        """
        UPDATE installs SET disconnected_at = NULL, suspended_at = NULL
        WHERE application_id = $1 AND suspended_at IS NOT NULL AND tenant_id IS NOT NULL RETURNING tenant_id, id
        """,
        application_id,
    )
    await _update_clients(conn, application_id)
    return [(row["tenant_id"], row["id"]) for row in rows]


async def _update_clients(conn: Connection, application_id: UUID) -> None:
    """Copies disconnected_at of the installs to their clients, which every request reads."""
    await conn.execute(
        """
        UPDATE api_clients c SET disconnected_at = i.disconnected_at FROM installs i
        WHERE i.application_id = $1 AND c.tenant_id = i.tenant_id AND c.install_id = i.id
          AND c.disconnected_at IS DISTINCT FROM i.disconnected_at
        """,
        application_id,
    )


async def find_sandbox_usage(conn: Connection, application_id: UUID) -> SandboxUsage:
    """Requests in the developer's sandbox, by clients of this application, disconnected ones included."""
    sandbox_id = await conn.fetchval(
        "SELECT d.sandbox_id FROM developers d JOIN applications a ON a.developer_id = d.user_id WHERE a.id = $1",
        application_id,
    )
    clients = await conn.fetchval(
        """
        SELECT coalesce(array_agg(c.id), '{}') FROM installs i
        JOIN api_clients c ON c.tenant_id = $1 AND c.install_id = i.id
        WHERE i.tenant_id = $1 AND i.application_id = $2
        """,
        sandbox_id,
        application_id,
    )
    uses = await _list_uses(conn, sandbox_id, clients)
    return SandboxUsage(
        bool(clients),
        uses,
        await _find_arrival(conn, sandbox_id, clients),
        await _list_errors(conn, sandbox_id, clients),
        await _find_conformance(conn, sandbox_id, clients),
    )


async def _find_conformance(conn: Connection, tenant_id: UUID | None, clients: list[UUID]) -> ConformanceResult | None:
    """The newest report."""
    row = await conn.fetchrow(
        """
        SELECT kit, passed, failed, skipped, scenarios::text AS scenarios, created_at FROM conformance_reports
        WHERE tenant_id = $1 AND client_id = ANY ($2) ORDER BY created_at DESC LIMIT 1
        """,
        tenant_id,
        clients,
    )
    if row is None:
        return None
    scenarios = msgspec.json.decode(row["scenarios"], type=list[TriedScenario])
    return ConformanceResult(row["kit"], row["passed"], row["failed"], row["skipped"], scenarios, row["created_at"])


async def _find_arrival(conn: Connection, tenant_id: UUID | None, clients: list[UUID]) -> WebhookStats:
    """Counts the last attempt of each delivery."""
    row = await conn.fetchrow(
        """
        SELECT count(*) FILTER (WHERE v.state = 'delivered') AS arrived,
               max(t.attempted_at) FILTER (WHERE v.state = 'delivered') - make_interval(secs => coalesce(
                   (SELECT clock_ahead FROM tenants WHERE id = $1), 0)) AS arrived_at, -- at the time of the machine
               count(*) FILTER (WHERE v.state <> 'delivered' AND v.attempts > 0) AS failed,
               (array_agg(coalesce(t.error, t.status::text) ORDER BY t.attempted_at DESC)
                   FILTER (WHERE v.state <> 'delivered' AND v.attempts > 0))[1] AS failure
        FROM webhooks w JOIN webhook_deliveries v ON v.tenant_id = $1 AND v.webhook_id = w.id
        LEFT JOIN LATERAL (
            SELECT attempted_at, status, error FROM webhook_attempts x
            WHERE x.tenant_id = $1 AND x.delivery_id = v.id ORDER BY attempted_at DESC LIMIT 1) t ON true
        WHERE w.tenant_id = $1 AND w.client_id = ANY ($2)
        """,
        tenant_id,
        clients,
    )
    if row is None:
        raise RuntimeError("a count gives one row")
    return WebhookStats(*row)


async def _list_uses(conn: Connection, tenant_id: UUID | None, clients: list[UUID]) -> dict[str, ScopeUse]:
    rows = await conn.fetch(
        """
        SELECT scope, sum(uses)::bigint, min(first_used_at), max(last_used_at) FROM scope_usage
        WHERE tenant_id = $1 AND caller_id = ANY ($2) GROUP BY scope
        """,
        tenant_id,
        clients,
    )
    return {row["scope"]: ScopeUse(*row) for row in rows}


async def _list_errors(conn: Connection, tenant_id: UUID | None, clients: list[UUID]) -> list[LoggedRequest]:
    rows = await conn.fetch(
        f"""
        SELECT at, route, status, microseconds, request_id, error FROM request_log
        WHERE tenant_id = $1 AND caller_id = ANY ($2) AND status >= 400 ORDER BY at DESC LIMIT {_MAX_ERRORS}
        """,
        tenant_id,
        clients,
    )
    return [LoggedRequest(*row) for row in rows]
