"""Sessions, and the management of one's own sessions and password."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import timedelta
from uuid import UUID

import msgspec

from frontdesk.accounts.password_rules import check_password
from frontdesk.accounts.session_queries import (
    delete_session,
    find_password,
    find_session,
    insert_session,
    update_tenant,
)
from frontdesk.accounts.store_password import store_password
from frontdesk.auth.credentials import new_session_token
from frontdesk.auth.problems import AccountProblem
from frontdesk.auth.throttle import consume_attempt_or_raise, subject
from frontdesk.auth.types import UserSession
from frontdesk.postgres.pool import Connection
from frontdesk.problems import Problem, not_found
from frontdesk.security.passwords import hash_password, verify_password
from frontdesk.security.secrets import hash_secret
from frontdesk.values.ids import uuid7

IDLE_LIFETIME = timedelta(hours=12)
REMEMBER_ME_LIFETIME = timedelta(days=30)
RECENT = timedelta(minutes=15)  # security settings ask again after this time
PASSWORD_CHANGES = 10  # per minute
_MAX_AGENT_LENGTH = 300
# Hashing is slow and queued. A request that held a connection meanwhile would block other requests, so it uses one
# connection before hashing and one after.
Connect = Callable[[], AbstractAsyncContextManager[Connection]]


class SignInAttempt(msgspec.Struct, frozen=True):
    email: str
    password: str
    remember_me: bool
    address: str
    user_agent: str
    devices: str | None = None  # the cookie with the accounts that have signed in on this device
    device: bytes | None = None  # if this account has
    remembered: str | None = None  # the cookie of a device that skips the second factor


async def open_session(conn: Connection, user_id: UUID, attempt: SignInAttempt, *, at: UUID | None = None) -> str:
    """For a new user, who has no second factor yet."""
    return await insert_new_session(conn, uuid7(), user_id, attempt, at=at)


async def insert_new_session(
    conn: Connection,
    session_id: UUID,
    user_id: UUID,
    attempt: SignInAttempt,
    *,
    at: UUID | None,
    skips_factor: bool = False,
) -> str:
    """Returns its token. `at`: the current tenant; by default the only one that the user is a member of.

    `skips_factor`: the second factor was not asked for on a remembered device. Security settings ask for it.
    """
    token = new_session_token()
    await insert_session(
        conn,
        session_id,
        user_id,
        token_hash=hash_secret(token),
        remember_me=attempt.remember_me,
        lifetime=REMEMBER_ME_LIFETIME if attempt.remember_me else IDLE_LIFETIME,
        address=attempt.address,
        user_agent=attempt.user_agent[:_MAX_AGENT_LENGTH],
        tenant_id=at,
        is_recent=not skips_factor,
    )
    return token


async def find_signed_in(conn: Connection, token: str, address: str) -> UserSession | None:
    return await find_session(conn, hash_secret(token), address, idle=IDLE_LIFETIME, recent=RECENT)


async def end_user_session(conn: Connection, user_id: UUID, session_id: UUID) -> None:
    if not await delete_session(conn, user_id, session_id):
        raise not_found("session")


async def choose_tenant(conn: Connection, signed_in: UserSession, tenant_id: UUID) -> None:
    if not await update_tenant(conn, signed_in.user.id, signed_in.session_id, tenant_id):
        raise not_found("business")


async def change_own_password(connect: Connect, signed_in: UserSession, current: str, new: str) -> None:
    """Requires the old password. Ends all other sessions, because one of them may be an attacker's."""
    tenant_name = (signed_in.current_tenant.name,) if signed_in.current_tenant else ()
    async with connect() as conn:
        await consume_attempt_or_raise(conn, subject("password change", str(signed_in.user.id)), PASSWORD_CHANGES)
        password_hash = await find_password(conn, signed_in.user.id)
    check_password(new, (signed_in.user.email, signed_in.user.name, *tenant_name), "new_password")
    if not await verify_password(current, password_hash, known=True):
        raise Problem(AccountProblem.NOT_YOUR_PASSWORD, "current_password")
    hashed = await hash_password(new, known=True)
    async with connect() as conn, conn.transaction():
        await store_password(conn, signed_in.user.id, hashed, keep=signed_in.session_id)
