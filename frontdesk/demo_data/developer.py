"""Makes a user a developer, with a sandbox whose credentials are returned once."""

from uuid import UUID

from frontdesk.accounts.sign_up import consume_sign_up_attempt
from frontdesk.accounts.users import PreparedUser, add_user, name_problem
from frontdesk.applications.queries.applications import insert_developer
from frontdesk.auth.problems import AccountProblem
from frontdesk.auth.rate_limit import DEVELOPER_SANDBOX_RATE
from frontdesk.demo_data.create import Sandbox, create_sandbox
from frontdesk.postgres.pool import Connection
from frontdesk.problems import Problem


async def consume_sign_up(conn: Connection, company: str, address: str) -> None:
    """Called first, because hashing a password and creating a sandbox are expensive."""
    problem = name_problem(company, "company")
    if problem is not None:
        raise problem
    await consume_sign_up_attempt(conn, address)


async def sign_up_developer(conn: Connection, new: PreparedUser, company: str, *, proven: bool) -> tuple[UUID, Sandbox]:
    async with conn.transaction():
        user_id = await add_user(conn, new, proven=proven)
        return user_id, await _create_developer(conn, user_id, company)


async def become_developer(conn: Connection, user_id: UUID, company: str) -> Sandbox:
    """For an existing user."""
    async with conn.transaction():
        return await _create_developer(conn, user_id, company)


async def _create_developer(conn: Connection, user_id: UUID, company: str) -> Sandbox:
    sandbox = await create_sandbox(conn, owner_id=user_id, rate_limit=DEVELOPER_SANDBOX_RATE)
    if not await insert_developer(conn, user_id, company.strip(), sandbox.tenant_id):
        raise Problem(AccountProblem.IS_DEVELOPER)
    return sandbox
