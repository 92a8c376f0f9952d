"""Every new password, however it is set, has the same consequences."""

from uuid import UUID

from frontdesk.accounts.account_mail import send_account_mail
from frontdesk.accounts.second_factor_queries import delete_pending_of
from frontdesk.accounts.session_queries import delete_sessions
from frontdesk.accounts.user_queries import find_person, update_password
from frontdesk.postgres.pool import Connection


async def store_password(conn: Connection, user_id: UUID, password_hash: str, *, keep: UUID | None) -> None:
    """Ends all sessions but one, because one of them may be an attacker's, and notifies the owner by mail."""
    await update_password(conn, user_id, password_hash)
    await delete_sessions(conn, user_id, but=keep)
    await delete_pending_of(conn, user_id)
    person = await find_person(conn, user_id)
    if person is not None:
        await send_account_mail(conn, "password_changed", person, {})
