"""Verifying the e-mail address of an account: by a mailed link that is opened while signed in."""

from datetime import timedelta
from uuid import UUID

import msgspec

from frontdesk.accounts.account_mail import encrypted_link, may_send, send_account_mail
from frontdesk.accounts.user_queries import (
    find_account,
    find_new_email,
    find_person,
    update_email_verification,
    verify_email,
    verify_email_by_link,
)
from frontdesk.accounts.users import check_email
from frontdesk.auth.credentials import new_email_token
from frontdesk.auth.problems import AccountProblem, LinkProblem, ThrottleProblem
from frontdesk.auth.types import SessionUser
from frontdesk.net.email_domains import canonical_email
from frontdesk.postgres.pool import Connection
from frontdesk.problems import Problem, or_not_found
from frontdesk.security.encryption import SecretBox
from frontdesk.security.secrets import hash_secret

LINK_LIFETIME = timedelta(days=7)


async def create_verification(conn: Connection, email: str) -> str:
    """For an operator. Returns the secret of the link; an earlier link of the account becomes invalid."""
    account = or_not_found(await find_account(conn, email), "person with this e-mail address")
    if account.is_proven:
        raise Problem(AccountProblem.EMAIL_VERIFIED, "email")
    return await _new_link(conn, account.id, None)


async def mail_verification(
    conn: Connection, secret_box: SecretBox, user_id: UUID, new_email: str | None = None
) -> bool:
    """To the address of the account, or to the new one that is to replace it. False if it got enough mails for now."""
    person = or_not_found(await find_person(conn, user_id), "person")
    to = msgspec.structs.replace(person, email=new_email) if new_email else person
    if not await may_send(conn, "email_verification", to.email):
        return False
    async with conn.transaction():
        token = await _new_link(conn, user_id, new_email)
        link = encrypted_link(secret_box, f"/verify-email?token={token}")
        await send_account_mail(conn, "email_verification", to, link)
    return True


async def resend_verification(conn: Connection, secret_box: SecretBox, user_id: UUID) -> None:
    if not await mail_verification(conn, secret_box, user_id, await find_new_email(conn, user_id)):
        raise Problem(ThrottleProblem.MAILS)


async def change_email(conn: Connection, secret_box: SecretBox, user: SessionUser, email: str) -> None:
    """The new address replaces the old one when its link is opened.

    Only then does the user learn that another account has it.
    """
    check_email(email, "new_email")
    new = canonical_email(email)
    if new == user.email:
        raise Problem(AccountProblem.SAME_EMAIL, "new_email")
    if not await mail_verification(conn, secret_box, user.id, new):
        raise Problem(ThrottleProblem.MAILS)


async def _new_link(conn: Connection, user_id: UUID, new_email: str | None) -> str:
    token = new_email_token()
    await update_email_verification(conn, user_id, new_email, hash_secret(token), LINK_LIFETIME)
    return token


async def verify_by_link(conn: Connection, user_id: UUID, token: str) -> None:
    """Only while signed in to the account of the link, so that an attacker cannot trick the owner into verifying it.

    The replaced address gets a message: it cannot request a password reset any more.
    """
    async with conn.transaction():
        before = await find_person(conn, user_id)
        done = await verify_email_by_link(conn, user_id, hash_secret(token))
        if done is None:
            raise Problem(AccountProblem.EMAIL_VERIFIED_BY_OTHER)
        after = await find_person(conn, user_id)
        if not done or before is None or after is None:
            raise Problem(LinkProblem.EMAIL_VERIFICATION)
        if before.email != after.email:
            await send_account_mail(conn, "email_changed", before, {})


async def verify_by_invitation(conn: Connection, user_id: UUID) -> None:
    if not await verify_email(conn, user_id):
        raise Problem(AccountProblem.EMAIL_VERIFIED_BY_OTHER)
