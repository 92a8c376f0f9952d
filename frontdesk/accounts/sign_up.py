"""Signing up: a new user with a business of their own, where the operator allows it."""

from typing import NamedTuple
from uuid import UUID

from frontdesk.accounts.user_queries import find_account, insert_membership
from frontdesk.accounts.users import PreparedUser, add_user
from frontdesk.auth.throttle import consume_attempt_or_raise, subject
from frontdesk.auth.types import Role
from frontdesk.net.addresses import address_prefix
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.queries import taken_slugs
from frontdesk.tenants.register import register_tenant
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


async def is_slug_taken(conn: Connection, slug: str | None) -> bool:
    """It is no secret: every business is found under its slug."""
    return bool(slug and await taken_slugs(conn, [slug]))


async def is_email_known(conn: Connection, email: str) -> bool:
    """For the form, where no mail can be sent that only the owner of the address reads."""
    return await find_account(conn, email) is not None


async def sign_up(conn: Connection, user: PreparedUser, new: NewTenant, address: str, *, proven: bool) -> SignedUp:
    """The user, the business, its branch, its payment methods and the membership of its owner, or nothing."""
    async with conn.transaction():
        user_id = await add_user(conn, user, proven=proven)
        tenant_id = await register_tenant(conn, new, Actor("user", user_id, address))
        await insert_membership(conn, tenant_id, user_id, Role.OWNER)
    return SignedUp(user_id, tenant_id)
