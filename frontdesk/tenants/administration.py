"""Administration of tenants by operators: plan and suspension."""

from uuid import UUID

from frontdesk.errors import invalid, not_found
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.queries import update_plan, update_suspended
from frontdesk.tenants.types import Plan

MAX_REASON_LENGTH = 500


async def change_plan(conn: Connection, tenant_id: UUID, plan: Plan) -> None:
    if not await update_plan(conn, tenant_id, plan):
        raise not_found("business")


async def suspend_tenant(conn: Connection, tenant_id: UUID, reason: str = "") -> None:
    """Applies from the next request of its users, tokens and keys. Suspending again changes only the reason."""
    if len(reason) > MAX_REASON_LENGTH or not reason.strip().isprintable():
        raise invalid({"reason": [f"must have at most {MAX_REASON_LENGTH} printable characters"]})
    if not await update_suspended(conn, tenant_id, suspended=True, reason=reason.strip() or None):
        raise not_found("business")


async def resume_tenant(conn: Connection, tenant_id: UUID) -> None:
    if not await update_suspended(conn, tenant_id, suspended=False):
        raise not_found("business")
