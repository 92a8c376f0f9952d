"""A link that sets a new password once. An operator creates it and gives it to the user."""

from datetime import timedelta
from uuid import UUID

from frontdesk.auth.credentials import new_reset_token
from frontdesk.auth.password_rules import password_error
from frontdesk.auth.session_queries import delete_sessions
from frontdesk.auth.sessions import Connect
from frontdesk.auth.throttle import address_subject, consume_attempt_or_raise
from frontdesk.auth.types import ResetLink
from frontdesk.auth.user_queries import find_reset, update_password, update_reset, use_reset
from frontdesk.errors import invalid, not_found
from frontdesk.postgres.pool import Connection
from frontdesk.security.passwords import hash_password
from frontdesk.security.secrets import hash_secret

RESET_LIFETIME = timedelta(days=1)
MAX_ATTEMPTS = 30  # per minute and address, as for signing in


async def create_reset(conn: Connection, user_id: UUID) -> str:
    """Returns the secret of the link, which is shown once; an earlier link becomes invalid."""
    token = new_reset_token()
    if not await update_reset(conn, user_id, hash_secret(token), RESET_LIFETIME):
        raise not_found("person")
    return token


async def get_reset(conn: Connection, token: str) -> ResetLink:
    link = await find_reset(conn, hash_secret(token))
    if link is None:
        raise not_found("link: it was used or is over")
    return link


async def reset_password(connect: Connect, token: str, password: str, address: str) -> UUID:
    """Sets the password and ends all sessions of the user. The link cannot be used again."""
    async with connect() as conn:
        await consume_attempt_or_raise(conn, address_subject(address), MAX_ATTEMPTS)
        link = await get_reset(conn, token)
    error = password_error(password, (link.email, link.name))
    if error:
        raise invalid({"password": [error]})
    hashed = await hash_password(password)
    async with connect() as conn, conn.transaction():
        if not await use_reset(conn, link.user_id, hash_secret(token)):
            raise not_found("link: it was used or is over")
        await update_password(conn, link.user_id, hashed)
        await delete_sessions(conn, link.user_id, but=None)
    return link.user_id
