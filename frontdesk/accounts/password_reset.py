"""A link that sets a new password once: mailed to who asks for it, or given to the user by an operator."""

import asyncio
from datetime import timedelta
from uuid import UUID

from frontdesk.accounts.account_mail import encrypted_link, may_send, send_account_mail
from frontdesk.accounts.member_activity import record_for_member
from frontdesk.accounts.password_rules import check_password
from frontdesk.accounts.sessions import Connect
from frontdesk.accounts.store_password import store_password
from frontdesk.accounts.user_queries import find_account, find_person, find_reset, update_reset, use_reset
from frontdesk.auth.credentials import new_reset_token
from frontdesk.auth.problems import LinkProblem
from frontdesk.auth.throttle import address_subject, consume_attempt_or_raise, subject
from frontdesk.auth.types import ResetLink
from frontdesk.net.addresses import address_prefix
from frontdesk.postgres.pool import Connection
from frontdesk.problems import Problem, not_found
from frontdesk.security.encryption import SecretBox
from frontdesk.security.passwords import hash_password
from frontdesk.security.secrets import hash_secret
from frontdesk.values.actor import Actor

RESET_LIFETIME = timedelta(days=1)  # of a link from an operator
MAILED_LIFETIME = timedelta(hours=1)
MAX_ATTEMPTS = 30  # per minute and address, as for signing in
MAX_REQUESTS = 5  # for mail, per minute and network address
ANSWER_SECONDS = 0.3  # until the answer, with and without an account


async def create_reset(conn: Connection, user_id: UUID, actor: Actor) -> str:
    """Returns the secret of the link, which is shown once; an earlier link becomes invalid."""
    token = new_reset_token()
    async with conn.transaction():
        person = await find_person(conn, user_id)
        if person is None or not await update_reset(conn, user_id, hash_secret(token), RESET_LIFETIME):
            raise not_found("person")
        await record_for_member(conn, user_id, person.name, actor, "member.password_link_created")
    return token


async def request_reset(connect: Connect, secret_box: SecretBox, email: str, address: str) -> None:
    """Mails a link to the account with this address. Neither the response nor its time reveals whether there is one."""
    async with connect() as conn:
        await consume_attempt_or_raise(conn, subject("password reset", address_prefix(address)), MAX_REQUESTS)
    answer = asyncio.create_task(asyncio.sleep(ANSWER_SECONDS))
    async with connect() as conn:
        await _mail_reset(conn, secret_box, email)
    await answer


async def _mail_reset(conn: Connection, secret_box: SecretBox, email: str) -> None:
    account = await find_account(conn, email)
    person = await find_person(conn, account.id) if account and not account.is_disabled else None
    if person is None or not await may_send(conn, "password_reset", person.email):
        return
    token = new_reset_token()
    async with conn.transaction():
        await update_reset(conn, person.id, hash_secret(token), MAILED_LIFETIME)
        link = encrypted_link(secret_box, f"/reset-password?token={token}")
        await send_account_mail(conn, "password_reset", person, link)


async def get_reset(conn: Connection, token: str) -> ResetLink:
    link = await find_reset(conn, hash_secret(token))
    if link is None:
        raise Problem(LinkProblem.PASSWORD_RESET)
    return link


async def reset_password(connect: Connect, token: str, password: str, address: str) -> UUID:
    """Sets the password and ends all sessions of the user, who gets a message. The link cannot be used again.

    The second factors stay: a mailbox alone must not be enough to sign in.
    """
    async with connect() as conn:
        await consume_attempt_or_raise(conn, address_subject(address), MAX_ATTEMPTS)
        link = await get_reset(conn, token)
    check_password(password, (link.email, link.name), "password")
    hashed = await hash_password(password)
    async with connect() as conn, conn.transaction():
        if not await use_reset(conn, link.user_id, hash_secret(token)):
            raise Problem(LinkProblem.PASSWORD_RESET)
        await store_password(conn, link.user_id, hashed, keep=None)
    return link.user_id
