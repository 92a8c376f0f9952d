"""Management of users by operators: who may sign in, and who is an operator. The last operator cannot be removed."""

from uuid import UUID

from frontdesk.accounts.member_activity import record_for_member
from frontdesk.accounts.session_queries import delete_sessions
from frontdesk.accounts.user_queries import find_user, lock_operators, update_disabled, update_operator
from frontdesk.auth.problems import OperatorProblem
from frontdesk.auth.types import User
from frontdesk.postgres.pool import Connection
from frontdesk.problems import Problem, or_not_found
from frontdesk.values.actor import Actor


async def get_user(conn: Connection, user_id: UUID) -> User:
    return or_not_found(await find_user(conn, user_id), "person")


async def disable_user(conn: Connection, user_id: UUID, actor: Actor) -> None:
    """Ends their sessions. After they are enabled again they have to sign in."""
    async with conn.transaction():
        await _require_remaining_operator(conn, user_id)
        user = await get_user(conn, user_id)
        await update_disabled(conn, user_id, disabled=True)
        await delete_sessions(conn, user_id, but=None)
        if user.disabled_at is None:
            await record_for_member(conn, user_id, user.name, actor, "member.disabled")


async def enable_user(conn: Connection, user_id: UUID, actor: Actor) -> None:
    async with conn.transaction():
        user = await get_user(conn, user_id)
        await update_disabled(conn, user_id, disabled=False)
        if user.disabled_at is not None:
            await record_for_member(conn, user_id, user.name, actor, "member.enabled")


async def grant_operator(conn: Connection, user_id: UUID) -> None:
    user = await get_user(conn, user_id)
    if user.disabled_at is not None:
        raise Problem(OperatorProblem.DISABLED, "user")
    if user.email_verified_at is None:
        raise Problem(OperatorProblem.EMAIL_NOT_VERIFIED, "user")
    await update_operator(conn, user_id, is_operator=True)


async def revoke_operator(conn: Connection, user_id: UUID) -> None:
    async with conn.transaction():
        await get_user(conn, user_id)
        await _require_remaining_operator(conn, user_id)
        await update_operator(conn, user_id, is_operator=False)


async def _require_remaining_operator(conn: Connection, leaving: UUID) -> None:
    if await lock_operators(conn) == [leaving]:
        raise Problem(OperatorProblem.LAST_ONE, "user")
