"""The people of a business: who may change whose place in it, and how somebody new comes in."""

from datetime import timedelta
from uuid import UUID

from frontdesk.access.credentials import new_invitation, tenant_of_invitation
from frontdesk.access.member_queries import (
    accept_invitation,
    delete_member,
    find_invitation,
    find_member,
    insert_invitation,
    lock_owners,
    update_role,
    withdraw_invitation,
)
from frontdesk.access.types import InvitationOffer, Member, Role
from frontdesk.access.user_queries import insert_membership
from frontdesk.access.users import ReadyUser, add_user, email_fault, get_user_id
from frontdesk.errors import Code, WireError, invalid, not_found
from frontdesk.kit.db import Connection
from frontdesk.kit.emails import canonical_email
from frontdesk.kit.secrets import hash_secret

INVITATION_LIFETIME = timedelta(days=7)
# Whom one may invite, change and remove.
_BELOW: dict[Role, frozenset[Role]] = {
    Role.OWNER: frozenset(Role),
    Role.MANAGER: frozenset({Role.STAFF, Role.CASHIER}),
    Role.STAFF: frozenset(),
    Role.CASHIER: frozenset(),
}


def roles_below(role: Role) -> list[Role]:
    return [one for one in Role if one in _BELOW[role]]


async def get_member(conn: Connection, tenant_id: UUID, user_id: UUID) -> Member:
    member = await find_member(conn, tenant_id, user_id)
    if member is None:
        raise not_found("member")
    return member


async def change_role(conn: Connection, tenant_id: UUID, by: Role, user_id: UUID, role: Role) -> None:
    async with conn.transaction():
        owners = await lock_owners(conn, tenant_id)
        member = await get_member(conn, tenant_id, user_id)
        _require_below(by, member.role, role)
        _require_owner_left(owners, user_id, stays=role is Role.OWNER)
        await update_role(conn, tenant_id, user_id, role)


async def remove_member(conn: Connection, tenant_id: UUID, by: Role, user_id: UUID) -> None:
    """Acts on their next request; their sign-in itself stays, for other businesses and to come back."""
    async with conn.transaction():
        owners = await lock_owners(conn, tenant_id)
        member = await get_member(conn, tenant_id, user_id)
        _require_below(by, member.role)
        _require_owner_left(owners, user_id, stays=False)
        await delete_member(conn, tenant_id, user_id)


async def drop_member(conn: Connection, tenant_id: UUID, email: str) -> None:
    """As the operator of the whole service."""
    await remove_member(conn, tenant_id, Role.OWNER, await get_user_id(conn, email))


async def invite(
    conn: Connection, tenant_id: UUID, by: tuple[UUID, Role], invitation_id: UUID, email: str, role: Role
) -> str | None:
    """The secret of the link, told once; None where this very form was sent before."""
    fault = email_fault(email)
    if fault:
        raise invalid({"email": [fault]})
    _require_below(by[1], role)
    token = new_invitation(tenant_id)
    made = await insert_invitation(
        conn,
        tenant_id,
        invitation_id,
        token_hash=hash_secret(token),
        email=canonical_email(email),
        role=role,
        invited_by=by[0],
        lifetime=INVITATION_LIFETIME,
    )
    return token if made else None


async def withdraw(conn: Connection, tenant_id: UUID, invitation_id: UUID) -> None:
    if not await withdraw_invitation(conn, tenant_id, invitation_id):
        raise not_found("invitation")


async def get_offer(conn: Connection, token: str) -> InvitationOffer:
    tenant_id = tenant_of_invitation(token)
    offer = await find_invitation(conn, tenant_id, hash_secret(token)) if tenant_id else None
    if offer is None:
        raise not_found("invitation: it was used, withdrawn or is over")
    return offer


async def join_as_new(conn: Connection, offer: InvitationOffer, ready: ReadyUser) -> UUID:
    async with conn.transaction():
        user_id = await add_user(conn, ready)
        await _take_up(conn, offer, user_id)
    return user_id


async def join_as_known(conn: Connection, offer: InvitationOffer, user_id: UUID, email: str) -> None:
    """Only whoever the invitation names: a link that went astray opens nothing."""
    if email != offer.email:
        raise WireError(Code.VALIDATION_ERROR, "This invitation is for another e-mail address.")
    async with conn.transaction():
        await _take_up(conn, offer, user_id)


async def _take_up(conn: Connection, offer: InvitationOffer, user_id: UUID) -> None:
    if not await accept_invitation(conn, offer.tenant_id, offer.id, user_id):
        raise not_found("invitation: it was used, withdrawn or is over")
    if await find_member(conn, offer.tenant_id, user_id) is None:
        await insert_membership(conn, offer.tenant_id, user_id, offer.role)


def _require_below(by: Role, *roles: Role) -> None:
    if not set(roles) <= _BELOW[by]:
        raise WireError(Code.INSUFFICIENT_SCOPE, "Only an owner may decide about owners and managers.")


def _require_owner_left(owners: set[UUID], user_id: UUID, *, stays: bool) -> None:
    if not stays and owners == {user_id}:
        raise invalid({"role": ["is the last owner's: make somebody else an owner first"]})
