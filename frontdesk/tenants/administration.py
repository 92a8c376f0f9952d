"""Administration of tenants by operators: plan, suspension and deletion."""

from uuid import UUID

from frontdesk.activity.record import record_activity
from frontdesk.postgres.pool import Connection
from frontdesk.problems import Problem, SharedProblem, not_found
from frontdesk.tenants.problems import BusinessProblem
from frontdesk.tenants.queries import get_tenant, mark_deleted, update_plan, update_suspended
from frontdesk.tenants.types import Plan
from frontdesk.values.actor import Actor

MAX_REASON_LENGTH = 500


async def change_plan(conn: Connection, tenant_id: UUID, plan: Plan, actor: Actor, *, seen: Plan | None = None) -> None:
    """`seen` is the plan that the change was decided on; without it, whatever the plan is now."""
    tenant, _ = await get_tenant(conn, tenant_id)
    if seen not in (None, tenant.plan):
        raise Problem(SharedProblem.OUTDATED, subject_id=tenant_id, tenant_id=tenant_id, version=None)
    async with conn.transaction():
        if not await update_plan(conn, tenant_id, plan, before=tenant.plan):
            raise not_found("business")
        before, after = {"plan": tenant.plan}, {"plan": plan}
        await record_activity(conn, tenant_id, actor, "business.updated", tenant_id, tenant.name, before, after)


async def suspend_tenant(conn: Connection, tenant_id: UUID, reason: str, actor: Actor) -> None:
    """Applies from the next request of its users, tokens and keys. Suspending again changes only the reason, which the
    business does not see."""
    if len(reason) > MAX_REASON_LENGTH or not reason.strip().isprintable():
        raise Problem(BusinessProblem.WRONG_REASON, "reason", most=MAX_REASON_LENGTH)
    async with conn.transaction():
        if not await update_suspended(conn, tenant_id, suspended=True, reason=reason.strip() or None):
            raise not_found("business")
        tenant, _ = await get_tenant(conn, tenant_id)
        await record_activity(conn, tenant_id, actor, "business.suspended", tenant_id, tenant.name)


async def delete_tenant(conn: Connection, tenant_id: UUID, typed_name: str, actor: Actor) -> None:
    """What the law requires stays, see the database function. Asks for the name, because nothing brings it back."""
    tenant, _ = await get_tenant(conn, tenant_id)
    if " ".join(typed_name.split()) != " ".join(tenant.name.split()):
        raise Problem(BusinessProblem.OTHER_NAME_TYPED, "name")
    async with conn.transaction():
        await mark_deleted(conn, tenant_id, tenant.name, actor)


async def resume_tenant(conn: Connection, tenant_id: UUID, actor: Actor) -> None:
    async with conn.transaction():
        if not await update_suspended(conn, tenant_id, suspended=False):
            raise not_found("business")
        tenant, _ = await get_tenant(conn, tenant_id)
        await record_activity(conn, tenant_id, actor, "business.resumed", tenant_id, tenant.name)
