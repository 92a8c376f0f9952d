"""Security settings ask who one is again, if that is more than some minutes ago.

By code or passkey if there is a second factor, else by password: a password that was guessed changes nothing.
"""

from frontdesk.accounts.passkeys import InvalidPasskey, Site
from frontdesk.accounts.second_factors import use_code, use_passkey
from frontdesk.accounts.session_queries import find_password, take_challenge, update_authenticated
from frontdesk.accounts.sessions import PASSWORD_CHANGES, Connect
from frontdesk.auth.problems import AccountProblem, SignInProblem
from frontdesk.auth.throttle import consume_attempt_or_raise, subject
from frontdesk.auth.types import UserSession
from frontdesk.postgres.pool import Connection
from frontdesk.problems import Problem
from frontdesk.security.encryption import SecretBox
from frontdesk.security.passwords import verify_password


async def confirm_by_password(connect: Connect, signed_in: UserSession, password: str) -> None:
    if signed_in.user.has_second_factor:
        raise Problem(AccountProblem.CODE_REQUIRED, "code")
    async with connect() as conn:
        await consume_attempt_or_raise(conn, subject("password change", str(signed_in.user.id)), PASSWORD_CHANGES)
        password_hash = await find_password(conn, signed_in.user.id)
    if not await verify_password(password, password_hash, known=True):
        raise Problem(AccountProblem.NOT_YOUR_PASSWORD, "password")
    async with connect() as conn:
        await update_authenticated(conn, signed_in.session_id)


async def confirm_by_code(
    conn: Connection, secret_box: SecretBox, signed_in: UserSession, typed: str, device: bytes | None
) -> None:
    await use_code(conn, secret_box, signed_in.user.id, typed, device)
    await update_authenticated(conn, signed_in.session_id)


async def confirm_by_passkey(conn: Connection, site: Site | None, signed_in: UserSession, answer: str) -> None:
    challenge = await take_challenge(conn, signed_in.session_id)
    try:
        await use_passkey(conn, site if challenge else None, challenge or b"", answer, of=signed_in.user.id)
    except InvalidPasskey as error:
        raise Problem(SignInProblem.PASSKEY_REFUSED) from error
    await update_authenticated(conn, signed_in.session_id)
