"""Verifying the e-mail address of an account: by a link that is opened while signed in."""

from datetime import timedelta
from uuid import UUID

from frontdesk.auth.credentials import new_email_token
from frontdesk.auth.user_queries import find_account, update_email_verification, verify_email, verify_email_by_link
from frontdesk.errors import Code, WireError, invalid, not_found
from frontdesk.postgres.pool import Connection
from frontdesk.security.secrets import hash_secret

LINK_LIFETIME = timedelta(days=7)
_TAKEN = "Another account has verified this e-mail address. Sign in with that account."


async def create_verification(conn: Connection, email: str) -> str:
    """Returns the secret of the link; an earlier link of the account becomes invalid."""
    account = await find_account(conn, email)
    if account is None:
        raise not_found("person with this e-mail address")
    if account.is_proven:
        raise invalid({"email": ["is already verified"]})
    token = new_email_token()
    await update_email_verification(conn, account.id, hash_secret(token), LINK_LIFETIME)
    return token


async def verify_by_link(conn: Connection, user_id: UUID, token: str) -> None:
    """Only while signed in to the account of the link, so that an attacker cannot trick the owner into verifying it."""
    done = await verify_email_by_link(conn, user_id, hash_secret(token))
    if done is None:
        raise WireError(Code.VALIDATION_ERROR, _TAKEN)
    if not done:
        raise not_found("link: it was used, is over or belongs to another account")


async def verify_by_invitation(conn: Connection, user_id: UUID) -> None:
    if not await verify_email(conn, user_id):
        raise WireError(Code.VALIDATION_ERROR, _TAKEN)
