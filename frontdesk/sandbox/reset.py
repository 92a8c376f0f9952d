"""Makes a sandbox what it was when it was made: demo data of today, the real time, no faults.

Members, API clients, keys, webhooks and snapshots stay. Earlier events are gone, and their sequence goes on.
"""

from uuid import UUID

import asyncpg

from frontdesk.activity.record import record_activity
from frontdesk.demo_data.create import insert_demo_data
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.write import Outdated
from frontdesk.problems import Problem
from frontdesk.sandbox.problems import SandboxProblem
from frontdesk.sandbox.queries import settle_sandbox
from frontdesk.values.actor import Actor


async def reset_sandbox(conn: Connection, tenant_id: UUID, actor: Actor) -> None:
    """In one transaction, at the real time. What others write meanwhile may come in its way."""
    try:
        async with conn.transaction():
            if not await settle_sandbox(conn, tenant_id):
                raise Problem(SandboxProblem.NOT_A_SANDBOX)
            await insert_demo_data(conn, tenant_id)
            await record_activity(conn, tenant_id, actor, "sandbox.reset", tenant_id, "")
    except asyncpg.IntegrityConstraintViolationError as overtaken:
        raise Outdated from overtaken
