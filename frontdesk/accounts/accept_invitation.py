"""Accepting an invitation. One form serves new and existing users, so it does not reveal whether an account exists."""

from typing import NamedTuple
from uuid import UUID

import msgspec

from frontdesk.accounts.email_verification import verify_by_invitation
from frontdesk.accounts.invitation_mail import MAILED
from frontdesk.accounts.member_queries import accept_invitation, find_invitation, find_member
from frontdesk.accounts.sessions import Connect, SignInAttempt
from frontdesk.accounts.sign_in import on_device
from frontdesk.accounts.user_queries import find_account, insert_membership
from frontdesk.accounts.users import PreparedUser, add_user, prepare_user
from frontdesk.activity.record import record_activity
from frontdesk.auth.credentials import tenant_of_invitation
from frontdesk.auth.problems import AccountProblem, LinkProblem, MemberProblem
from frontdesk.auth.throttle import consume_sign_in, refund_sign_in
from frontdesk.auth.types import Account, PendingInvitation
from frontdesk.postgres.pool import Connection
from frontdesk.problems import Problem
from frontdesk.security.encrypted_token import decrypt_token
from frontdesk.security.encryption import SecretBox
from frontdesk.security.passwords import verify_password
from frontdesk.security.secrets import hash_secret
from frontdesk.tenants.quotas import Quota, lock_quotas, require_within
from frontdesk.values.actor import Actor


async def get_pending_invitation(conn: Connection, secret_box: SecretBox, token: str, proof: str) -> PendingInvitation:
    """`proof` is in the mailed link only. The member who invites sees a link without it."""
    tenant_id = tenant_of_invitation(token)
    offer = await find_invitation(conn, tenant_id, hash_secret(token)) if tenant_id else None
    if offer is None:
        raise Problem(LinkProblem.INVITATION)
    is_mailed = decrypt_token(secret_box, MAILED, proof) == hash_secret(token)
    return msgspec.structs.replace(offer, proves_email=offer.proves_email and is_mailed)


async def accept_as_existing_user(
    conn: Connection, offer: PendingInvitation, user_id: UUID, email: str, address: str
) -> None:
    """Only for the account with the invited address, so that a leaked link cannot be used."""
    if email != offer.email:
        raise Problem(MemberProblem.OTHER_EMAIL_INVITED)
    async with conn.transaction():
        if offer.proves_email:
            await verify_by_invitation(conn, user_id)
        await _accept(conn, offer, user_id, address)


class Joined(NamedTuple):
    user_id: UUID
    account: Account | None  # that was there before; its second factor is still to be asked for


async def accept_with_password(
    connect: Connect, secret_box: SecretBox, offer: PendingInvitation, attempt: SignInAttempt, name: str
) -> Joined:
    """With the password of an account with this address, that account joins; any other password creates an account.

    Both cases verify one hash. An account that has not verified the address does not prevent a new one.
    """
    async with connect() as conn:
        account = await find_account(conn, offer.email)
        attempt = on_device(secret_box, attempt, account)
        await consume_sign_in(conn, offer.email, attempt.address, attempt.device)
    known = attempt.device is not None
    usable = account.password_hash if account and not account.is_disabled else None
    if await verify_password(attempt.password, usable, known=known) and account:
        async with connect() as conn:
            await accept_as_existing_user(conn, offer, account.id, offer.email, attempt.address)
            await refund_sign_in(conn, offer.email, attempt.address, attempt.device)
        return Joined(account.id, account)
    ready = await prepare_user(offer.email, name, attempt.password, own=(offer.business_name,), known=known)
    async with connect() as conn:
        return Joined(await _join_as_new(conn, offer, ready, attempt.address), None)


async def _join_as_new(conn: Connection, offer: PendingInvitation, ready: PreparedUser, address: str) -> UUID:
    async with conn.transaction():
        try:
            user_id = await add_user(conn, ready, proven=offer.proves_email)
        except Problem as taken:
            raise Problem(AccountProblem.NOT_PASSWORD_OF_ACCOUNT, "password") from taken
        await _accept(conn, offer, user_id, address)
    return user_id


async def _accept(conn: Connection, offer: PendingInvitation, user_id: UUID, address: str) -> None:
    limits = await lock_quotas(conn, offer.tenant_id)
    if not await accept_invitation(conn, offer.tenant_id, offer.id):
        raise Problem(LinkProblem.INVITATION)
    if await find_member(conn, offer.tenant_id, user_id) is None:
        await insert_membership(conn, offer.tenant_id, user_id, offer.role)
        await require_within(conn, offer.tenant_id, limits, Quota.MEMBERS)
        await record_activity(
            conn,
            offer.tenant_id,
            Actor("user", user_id, address),
            "member.joined",
            user_id,
            offer.email,
            None,
            {"role": offer.role},
        )
