"""Users: members of tenants, and operators of the service."""

import secrets
from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from frontdesk.accounts.member_activity import record_for_member
from frontdesk.accounts.password_rules import check_password, password_problem
from frontdesk.accounts.session_queries import delete_sessions
from frontdesk.accounts.store_password import store_password
from frontdesk.accounts.user_queries import find_account, find_person, insert_membership, insert_user, update_operator
from frontdesk.activity.record import record_activity
from frontdesk.auth.problems import AccountProblem
from frontdesk.auth.types import Role
from frontdesk.net.email_domains import EmailError, canonical_email, normalize_email
from frontdesk.postgres.pool import Connection
from frontdesk.problems import Problem, not_found, or_not_found, raise_all
from frontdesk.security.passwords import hash_password
from frontdesk.tenants.queries import exists_tenant
from frontdesk.tenants.quotas import Quota, lock_quotas, require_within
from frontdesk.values.actor import Actor
from frontdesk.values.ids import uuid7

MAX_NAME_LENGTH = 200


def new_password() -> str:
    """96 random bits, in groups that are easy to read out."""
    return "-".join(secrets.token_hex(3) for _ in range(4))


class PreparedUser(NamedTuple):
    email: str
    name: str
    password_hash: str


async def prepare_user(
    email: str, name: str, password: str, *, own: Sequence[str] = (), known: bool = False
) -> PreparedUser:
    """Validates the user and hashes the password. It is slow, so it must not hold a pooled connection."""
    raise_all(user_problems(email, name, password, own))
    return PreparedUser(canonical_email(email), name.strip(), await hash_password(password, known=known))


def user_problems(email: str, name: str, password: str | None, own: Sequence[str] = ()) -> list[Problem]:
    """`own`: further words of the user that the password must not be made of. Without a password it is asked later."""
    found = [email_problem(email, "email"), name_problem(name, "name")]
    if password is not None:
        found.append(password_problem(password, (email, name, *own), "password"))
    return [problem for problem in found if problem is not None]


async def add_user(conn: Connection, ready: PreparedUser, *, proven: bool) -> UUID:
    """`proven`: the address is verified, by an operator or by a link that was sent to its owner."""
    user_id = uuid7()
    if not await insert_user(conn, user_id, ready.email, ready.name, ready.password_hash, proven=proven):
        raise Problem(AccountProblem.EMAIL_TAKEN, "email")
    return user_id


async def create_user(conn: Connection, email: str, name: str, password: str) -> UUID:
    """Called by an operator, who verifies the address."""
    return await add_user(conn, await prepare_user(email, name, password), proven=True)


async def create_member(
    conn: Connection, tenant_id: UUID, email: str, name: str, password: str, role: Role, actor: Actor
) -> UUID:
    """Creates a user as a member of the tenant."""
    async with conn.transaction():
        user_id = await create_user(conn, email, name, password)
        if not await exists_tenant(conn, tenant_id):
            raise not_found("business")
        limits = await lock_quotas(conn, tenant_id)
        await insert_membership(conn, tenant_id, user_id, role)
        await require_within(conn, tenant_id, limits, Quota.MEMBERS)
        await record_activity(conn, tenant_id, actor, "member.added", user_id, name, None, {"role": role})
    return user_id


async def sign_out_everywhere(conn: Connection, email: str) -> None:
    await delete_sessions(conn, await get_user_id(conn, email), but=None)


async def create_operator(conn: Connection, email: str, name: str, password: str) -> UUID:
    async with conn.transaction():
        user_id = await create_user(conn, email, name, password)
        await update_operator(conn, user_id, is_operator=True)
    return user_id


async def change_password(conn: Connection, email: str, password: str, actor: Actor) -> None:
    """Ends the sessions of the user."""
    check_password(password, (email,), "password")
    user_id, hashed = await get_user_id(conn, email), await hash_password(password)
    async with conn.transaction():
        await store_password(conn, user_id, hashed, keep=None)
        person = await find_person(conn, user_id)
        await record_for_member(conn, user_id, person.name if person else email, actor, "member.password_set")


async def get_user_id(conn: Connection, email: str) -> UUID:
    account = or_not_found(await find_account(conn, email), "person with this e-mail address")
    return account.id


def email_problem(email: str, field: str) -> Problem | None:
    try:
        normalize_email(email)
    except EmailError as error:
        return error.within(field)
    return None


def check_email(email: str, field: str) -> None:
    problem = email_problem(email, field)
    if problem is not None:
        raise problem


def name_problem(name: str, field: str) -> Problem | None:
    if not name.strip() or not name.isprintable():
        return Problem(AccountProblem.NAME_REQUIRED, field)
    return Problem(AccountProblem.NAME_TOO_LONG, field, most=MAX_NAME_LENGTH) if len(name) > MAX_NAME_LENGTH else None
