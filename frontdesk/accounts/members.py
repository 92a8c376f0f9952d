"""The members of a tenant: which roles may invite, change and remove which other roles."""

from collections.abc import Collection
from datetime import timedelta
from uuid import UUID

from frontdesk.accounts.member_queries import (
    delete_member,
    find_member,
    insert_invitation,
    is_member,
    lock_invitation,
    lock_invitations_to,
    lock_owners,
    lock_role,
    update_role,
    withdraw_invitation,
    withdraw_invitations_of,
)
from frontdesk.accounts.user_queries import find_account, insert_membership
from frontdesk.accounts.users import check_email, get_user_id
from frontdesk.activity.record import record_activity
from frontdesk.auth.credentials import new_invitation
from frontdesk.auth.problems import AccountProblem, MemberProblem
from frontdesk.auth.types import Invitation, Member, Role
from frontdesk.net.email_domains import canonical_email
from frontdesk.postgres.pool import Connection
from frontdesk.problems import Problem, SharedProblem, not_found, or_not_found
from frontdesk.security.secrets import hash_secret
from frontdesk.tenants.queries import exists_tenant
from frontdesk.tenants.quotas import Quota, lock_quotas, require_within
from frontdesk.values.actor import SYSTEM, Actor
from frontdesk.values.ids import uuid7

INVITATION_LIFETIME = timedelta(days=7)
# The roles that a role may invite, change and remove.
_BELOW: dict[Role, frozenset[Role]] = {
    Role.OWNER: frozenset(Role),
    Role.MANAGER: frozenset({Role.RECEPTIONIST, Role.CASHIER, Role.PROVIDER}),
    Role.RECEPTIONIST: frozenset(),
    Role.CASHIER: frozenset(),
    Role.PROVIDER: frozenset(),
}


def manageable_roles(role: Role) -> list[Role]:
    return [lower for lower in Role if lower in _BELOW[role]]


def may_withdraw(by: Role, invitation: Invitation) -> bool:
    """A manager cannot withdraw an invitation for an owner or manager, nor one that an owner sent."""
    return invitation.role in _BELOW[by] and (by is Role.OWNER or invitation.sender_role is not Role.OWNER)


async def get_member(conn: Connection, tenant_id: UUID, user_id: UUID) -> Member:
    return or_not_found(await find_member(conn, tenant_id, user_id), "member")


async def change_role(
    conn: Connection, tenant_id: UUID, by: Role, user_id: UUID, seen: Role, role: Role, *, actor: Actor = SYSTEM
) -> None:
    """`seen` is the role that the change was decided on."""
    async with conn.transaction():
        owners = await lock_owners(conn, tenant_id)
        member = await get_member(conn, tenant_id, user_id)
        _require_below(by, member.role, role)
        if member.role is not seen:
            raise Problem(SharedProblem.OUTDATED, subject_id=user_id, tenant_id=None, version=None)
        _require_remaining_owner(owners, user_id, stays=role is Role.OWNER)
        await update_role(conn, tenant_id, user_id, role)
        await record_activity(
            conn, tenant_id, actor, "member.updated", user_id, member.name, {"role": member.role}, {"role": role}
        )
        await _delete_invitations(conn, tenant_id, user_id, still_below=_BELOW[role])


async def remove_member(conn: Connection, tenant_id: UUID, by: Role, user_id: UUID, *, actor: Actor = SYSTEM) -> None:
    """Applies from their next request. Their account and session remain, for other tenants.

    The address of the calendar of a provider ends too.
    """
    async with conn.transaction():
        owners = await lock_owners(conn, tenant_id)
        member = await get_member(conn, tenant_id, user_id)
        _require_below(by, member.role)
        _require_remaining_owner(owners, user_id, stays=False)
        await delete_member(conn, tenant_id, member, actor)
        await _delete_invitations(conn, tenant_id, user_id, still_below=())


async def remove_member_as_operator(conn: Connection, tenant_id: UUID, email: str, actor: Actor) -> None:
    await remove_member(conn, tenant_id, Role.OWNER, await get_user_id(conn, email), actor=actor)


async def add_member(conn: Connection, tenant_id: UUID, email: str, role: Role, actor: Actor) -> None:
    """Called by an operator. A user may be a member of several tenants, with a role in each."""
    account = or_not_found(await find_account(conn, email), "person with this e-mail address")
    if not account.is_proven:
        raise Problem(AccountProblem.EMAIL_NOT_VERIFIED, "email")
    if not await exists_tenant(conn, tenant_id):
        raise not_found("business")
    async with conn.transaction():
        limits = await lock_quotas(conn, tenant_id)
        before = await find_member(conn, tenant_id, account.id)
        await insert_membership(conn, tenant_id, account.id, role)
        if before is None:
            await require_within(conn, tenant_id, limits, Quota.MEMBERS)
            await record_activity(conn, tenant_id, actor, "member.added", account.id, email, None, {"role": role})
        else:
            roles = {"role": before.role}, {"role": role}
            await record_activity(conn, tenant_id, actor, "member.updated", account.id, before.name, *roles)
        await _delete_invitations(conn, tenant_id, account.id, still_below=_BELOW[role])


async def invite(
    conn: Connection,
    tenant_id: UUID,
    sender_id: UUID,
    invitation_id: UUID,
    email: str,
    role: Role,
    *,
    actor: Actor = SYSTEM,
) -> str | None:
    """Returns the secret of the link, which is shown only once; None if the form was already submitted.

    Replaces earlier invitations of the same address that the sender may withdraw.
    """
    address, token = _valid_address(email), new_invitation(tenant_id)
    async with conn.transaction():
        limits = await lock_quotas(conn, tenant_id)
        sender_role = await lock_role(conn, tenant_id, sender_id)
        _require_below(sender_role, role)
        if await is_member(conn, tenant_id, address):
            raise Problem(MemberProblem.IS_MEMBER, "email")
        earlier = await lock_invitations_to(conn, tenant_id, address)
        if not await _insert_invitation(conn, tenant_id, sender_id, invitation_id, token, address, role):
            return None
        for invitation in earlier:
            if sender_role and may_withdraw(sender_role, invitation):
                await withdraw(conn, tenant_id, sender_role, invitation.id, actor=actor)
        await require_within(conn, tenant_id, limits, Quota.PENDING_INVITATIONS)
        await _record_invitation(conn, tenant_id, invitation_id, address, role, actor)
    return token


async def invite_owner(conn: Connection, tenant_id: UUID, operator_id: UUID, email: str, *, actor: Actor) -> str:
    """Called by an operator. Returns the secret of the link, which is shown only once."""
    address, token, invitation_id = _valid_address(email), new_invitation(tenant_id), uuid7()
    async with conn.transaction():
        await _insert_invitation(conn, tenant_id, operator_id, invitation_id, token, address, Role.OWNER)
        await _record_invitation(conn, tenant_id, invitation_id, address, Role.OWNER, actor)
    return token


def _valid_address(email: str) -> str:
    check_email(email, "email")
    return canonical_email(email)


async def _insert_invitation(
    conn: Connection, tenant_id: UUID, sender_id: UUID, invitation_id: UUID, token: str, address: str, role: Role
) -> bool:
    """False if an invitation has this id already."""
    return await insert_invitation(
        conn,
        tenant_id,
        invitation_id,
        token_hash=hash_secret(token),
        email=address,
        role=role,
        invited_by=sender_id,
        lifetime=INVITATION_LIFETIME,
    )


async def _record_invitation(
    conn: Connection, tenant_id: UUID, invitation_id: UUID, address: str, role: Role, actor: Actor
) -> None:
    await record_activity(conn, tenant_id, actor, "invitation.created", invitation_id, address, None, {"role": role})


async def withdraw(conn: Connection, tenant_id: UUID, by: Role, invitation_id: UUID, *, actor: Actor = SYSTEM) -> None:
    async with conn.transaction():
        invitation = or_not_found(await lock_invitation(conn, tenant_id, invitation_id), "invitation")
        if not may_withdraw(by, invitation):
            raise Problem(MemberProblem.WITHDRAWN_BY_OWNER)
        await withdraw_invitation(conn, tenant_id, invitation_id)
        await record_activity(conn, tenant_id, actor, "invitation.withdrawn", invitation_id, invitation.email)


async def _delete_invitations(
    conn: Connection, tenant_id: UUID, user_id: UUID, *, still_below: Collection[Role]
) -> None:
    """Deletes pending invitations that the sender may no longer send."""
    ended = [role for role in Role if role not in still_below]
    await withdraw_invitations_of(conn, tenant_id, user_id, ended)


def _require_below(by: Role | None, *roles: Role) -> None:
    if by is None or not set(roles) <= _BELOW[by]:
        raise Problem(MemberProblem.MANAGED_BY_OWNER)


def _require_remaining_owner(owners: set[UUID], user_id: UUID, *, stays: bool) -> None:
    if not stays and owners == {user_id}:
        raise Problem(MemberProblem.LAST_OWNER, "role")
