"""Signing in: the password, then a second factor if the account has one. A passkey does both."""

from typing import NamedTuple
from uuid import UUID

import msgspec

from frontdesk.accounts.account_mail import encrypted_link, may_send, send_account_mail
from frontdesk.accounts.device_names import describe_device
from frontdesk.accounts.known_devices import is_remembered, read_device_cookie
from frontdesk.accounts.pending_sign_ins import begin_pending
from frontdesk.accounts.session_queries import delete_session, find_session_info, is_in_use
from frontdesk.accounts.sessions import Connect, SignInAttempt, insert_new_session
from frontdesk.accounts.user_queries import find_account, find_person
from frontdesk.auth.problems import SignInProblem
from frontdesk.auth.throttle import consume_sign_in, refund_sign_in
from frontdesk.auth.types import Account, SessionInfo
from frontdesk.postgres.pool import Connection
from frontdesk.problems import Problem, or_not_found
from frontdesk.security.encrypted_token import decrypt_token, encrypt_token
from frontdesk.security.encryption import SecretBox
from frontdesk.security.passwords import verify_password
from frontdesk.values.ids import uuid7

_NOTICE = "new device"


class SignInResult(NamedTuple):
    """What the browser gets: the token of a session, or of a sign-in that waits for the second factor."""

    token: str
    user_id: UUID
    is_pending: bool


async def sign_in(connect: Connect, secret_box: SecretBox, attempt: SignInAttempt, next_path: str) -> SignInResult:
    """Each attempt is counted before the password is verified, so that concurrent attempts cannot exceed the limit; a
    correct password refunds the attempt.
    """
    async with connect() as conn:
        account = await find_account(conn, attempt.email)
        attempt = on_device(secret_box, attempt, account)
        await consume_sign_in(conn, attempt.email, attempt.address, attempt.device)
    usable = account.password_hash if account and not account.is_disabled else None
    known = attempt.device is not None
    if not await verify_password(attempt.password, usable, known=known) or account is None:
        raise Problem(SignInProblem.WRONG_CREDENTIALS)
    async with connect() as conn:
        await refund_sign_in(conn, attempt.email, attempt.address, attempt.device)
        return await enter(conn, secret_box, account, attempt, next_path)


def on_device(secret_box: SecretBox, attempt: SignInAttempt, account: Account | None) -> SignInAttempt:
    """With the device, if this account has signed in on it before."""
    if account is None:
        return attempt
    device = read_device_cookie(secret_box, attempt.devices, account.id, account.security_version)
    return msgspec.structs.replace(attempt, device=device)


async def enter(
    conn: Connection,
    secret_box: SecretBox,
    account: Account,
    attempt: SignInAttempt,
    next_path: str,
    *,
    at: UUID | None = None,
) -> SignInResult:
    """After the right password. `at`: the tenant to open."""
    remembered = is_remembered(secret_box, attempt.remembered, account.id, account.security_version)
    if account.has_second_factor and not remembered:
        token = await begin_pending(conn, account.id, remember_me=attempt.remember_me, next_path=next_path, at=at)
        return SignInResult(token, account.id, is_pending=True)
    token = await begin_session(conn, secret_box, account.id, attempt, at=at, skips_factor=account.has_second_factor)
    return SignInResult(token, account.id, is_pending=False)


async def begin_session(
    conn: Connection,
    secret_box: SecretBox,
    user_id: UUID,
    attempt: SignInAttempt,
    *,
    at: UUID | None = None,
    skips_factor: bool = False,
) -> str:
    """Returns its token, which is new with each sign-in. Notifies the owner if the device is new."""
    session_id = uuid7()
    async with conn.transaction():
        token = await insert_new_session(conn, session_id, user_id, attempt, at=at, skips_factor=skips_factor)
        if attempt.device is None and await is_in_use(conn, user_id, session_id):
            await _tell_owner(conn, secret_box, user_id, session_id, attempt)
    return token


async def _tell_owner(
    conn: Connection, secret_box: SecretBox, user_id: UUID, session_id: UUID, attempt: SignInAttempt
) -> None:
    person = await find_person(conn, user_id)
    if person is None or not await may_send(conn, "new_device", person.email):
        return
    link = f"/end-session?token={encrypt_token(secret_box, _NOTICE, session_id.bytes)}"
    data = {"device": describe_device(attempt.user_agent), "address": attempt.address}
    await send_account_mail(conn, "new_device", person, {**data, **encrypted_link(secret_box, link)})


async def get_noticed_session(conn: Connection, secret_box: SecretBox, token: str) -> tuple[UUID, SessionInfo]:
    """The session that a new-device notice is about, and its user."""
    named = decrypt_token(secret_box, _NOTICE, token)
    return or_not_found(await find_session_info(conn, UUID(bytes=named)) if named else None, "session: it has ended")


async def end_noticed_session(conn: Connection, secret_box: SecretBox, token: str) -> None:
    user_id, session = await get_noticed_session(conn, secret_box, token)
    await delete_session(conn, user_id, session.id)
