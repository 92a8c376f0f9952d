"""The act of becoming a developer: a sandbox of one's own, and its credentials, told once."""

from uuid import UUID

from frontdesk.applications.queries.applications import insert_developer
from frontdesk.auth.throttle import address_prefix, consume_attempt_or_raise, subject
from frontdesk.auth.users import PreparedUser, add_user, name_error
from frontdesk.demo_data.create import Sandbox, create_sandbox
from frontdesk.errors import Code, WireError, invalid
from frontdesk.postgres.pool import Connection

TRIES_OF_ADDRESS, TRIES_OF_ALL = 3, 20  # a minute; of all, so that many addresses do not fill the disk either


async def consume_sign_up(conn: Connection, company: str, address: str) -> None:
    """Before anything that costs: a password takes long to hash, and a sandbox is some thousand rows."""
    fault = name_error(company)
    if fault:
        raise invalid({"company": [fault]})
    await consume_attempt_or_raise(conn, subject("sign-up address", address_prefix(address)), TRIES_OF_ADDRESS)
    await consume_attempt_or_raise(conn, subject("sign-up of all"), TRIES_OF_ALL)


async def sign_up_developer(conn: Connection, new: PreparedUser, company: str) -> tuple[UUID, Sandbox]:
    async with conn.transaction():
        user_id = await add_user(conn, new, proven=False)
        return user_id, await _settle(conn, user_id, company)


async def become_developer(conn: Connection, user_id: UUID, company: str) -> Sandbox:
    """Somebody who can sign in already."""
    async with conn.transaction():
        return await _settle(conn, user_id, company)


async def _settle(conn: Connection, user_id: UUID, company: str) -> Sandbox:
    sandbox = await create_sandbox(conn, owner_id=user_id)
    if not await insert_developer(conn, user_id, company.strip(), sandbox.tenant_id):
        raise WireError(Code.VALIDATION_ERROR, "You are already a developer.")
    return sandbox
