"""The time between the password and the second factor. It has a token of its own, which opens no page."""

from datetime import timedelta
from uuid import UUID

from frontdesk.accounts.passkeys import InvalidPasskey, Site, new_challenge
from frontdesk.accounts.second_factor_queries import count_pending_failure, delete_pending, find_pending, insert_pending
from frontdesk.accounts.second_factors import use_code, use_passkey
from frontdesk.auth.credentials import new_pending_token
from frontdesk.auth.problems import FactorProblem, SignInProblem
from frontdesk.auth.types import PendingSignIn
from frontdesk.postgres.pool import Connection
from frontdesk.problems import Problem
from frontdesk.security.encryption import SecretBox
from frontdesk.security.secrets import hash_secret
from frontdesk.values.ids import uuid7

LIFETIME = timedelta(minutes=10)
MAX_FAILURES = 5  # then the password is asked for again


async def begin_pending(
    conn: Connection, user_id: UUID | None, *, remember_me: bool, next_path: str, at: UUID | None = None
) -> str:
    """Returns its token. Without a user, a passkey says who it is."""
    token = new_pending_token()
    await insert_pending(
        conn,
        uuid7(),
        hash_secret(token),
        user_id,
        challenge=new_challenge(),
        tenant_id=at,
        remember_me=remember_me,
        next_path=next_path,
        lifetime=LIFETIME,
    )
    return token


async def find_pending_sign_in(conn: Connection, token: str | None) -> PendingSignIn | None:
    return await find_pending(conn, hash_secret(token), MAX_FAILURES) if token else None


async def finish_with_code(
    conn: Connection, secret_box: SecretBox, pending: PendingSignIn, typed: str, device: bytes | None
) -> UUID:
    """The user, whose session may begin."""
    if pending.user_id is None:
        raise _over()
    try:
        await use_code(conn, secret_box, pending.user_id, typed, device)
    except Problem as problem:
        if problem.kind is FactorProblem.WRONG_CODE:
            await count_pending_failure(conn, pending.id)
        raise
    await _finish(conn, pending)
    return pending.user_id


async def finish_with_passkey(conn: Connection, site: Site | None, pending: PendingSignIn, answer: str) -> UUID:
    try:
        user_id = await use_passkey(conn, site, pending.challenge, answer, of=pending.user_id)
    except InvalidPasskey as error:
        await count_pending_failure(conn, pending.id)
        raise Problem(SignInProblem.PASSKEY_REFUSED) from error
    await _finish(conn, pending)
    return user_id


async def _finish(conn: Connection, pending: PendingSignIn) -> None:
    """Only one of several answers at once begins a session, so a challenge is used once."""
    if not await delete_pending(conn, pending.id):
        raise _over()


def _over() -> Problem:
    return Problem(SignInProblem.OVER)
