"""Signing up: a new user with a business of their own, where the operator allows it."""

from typing import NamedTuple
from uuid import UUID

from frontdesk.auth.throttle import address_prefix, consume_attempt_or_raise, subject
from frontdesk.auth.types import Role
from frontdesk.auth.user_queries import find_account, insert_membership
from frontdesk.auth.users import PreparedUser, add_user
from frontdesk.errors import invalid
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.queries import exists_slug
from frontdesk.tenants.register import SLUG_TAKEN, register_tenant
from frontdesk.tenants.types import NewTenant
from frontdesk.values.actor import Actor

MAX_PER_ADDRESS, MAX_TOTAL = 3, 20  # per minute; the total limits sign-ups from many addresses


class SignedUp(NamedTuple):
    user_id: UUID
    tenant_id: UUID


async def consume_sign_up_attempt(conn: Connection, address: str) -> None:
    """Called first, because hashing a password is expensive."""
    await consume_attempt_or_raise(conn, subject("sign-up address", address_prefix(address)), MAX_PER_ADDRESS)
    await consume_attempt_or_raise(conn, subject("sign-up of all"), MAX_TOTAL)


async def require_unused(conn: Connection, email: str, slug: str | None) -> None:
    """Both at once, so that the form shows both errors. The constraints decide in the end."""
    errors = {}
    if slug and await exists_slug(conn, slug):
        errors["slug"] = [SLUG_TAKEN]
    if await find_account(conn, email) is not None:
        errors["email"] = ["There is an account with this e-mail address. Sign in with it."]
    if errors:
        raise invalid(errors)


async def sign_up(conn: Connection, user: PreparedUser, new: NewTenant, address: str) -> SignedUp:
    """The user, the business, its branch, its payment methods and the membership of its owner, or nothing."""
    async with conn.transaction():
        user_id = await add_user(conn, user, proven=False)
        tenant_id = await register_tenant(conn, new, Actor("user", user_id, address))
        await insert_membership(conn, tenant_id, user_id, Role.OWNER)
    return SignedUp(user_id, tenant_id)
