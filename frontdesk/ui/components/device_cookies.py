"""The cookies of a session and of a device on which an account is known."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta

from frontdesk.accounts.known_devices import add_to_device_cookie, read_device_cookie
from frontdesk.accounts.sessions import REMEMBER_ME_LIFETIME
from frontdesk.accounts.user_queries import find_security_version
from frontdesk.postgres.pool import Connection
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.cookies import DEVICE, SESSION, VISITOR, clear_cookie, set_cookie

Address = Annotated[str, Meta(max_length=4000)]


async def set_session_cookie(context: PageContext, token: str, user_id: UUID, *, remember_me: bool) -> None:
    set_cookie(
        context.request, SESSION, token, seconds=int(REMEMBER_ME_LIFETIME.total_seconds()) if remember_me else None
    )
    clear_cookie(context.request, VISITOR)
    await keep_device(context, user_id)


async def keep_device(context: PageContext, user_id: UUID) -> None:
    """The account is known on this device from now on, also after its password or a second factor has changed."""
    secret_box, cookie = context.request.resources.secret_box, context.cookie(DEVICE)
    version = await context.call(find_security_version, user_id)
    if read_device_cookie(secret_box, cookie, user_id, version) is None:
        set_cookie(context.request, DEVICE, add_to_device_cookie(secret_box, cookie, user_id, version))


async def known_device(context: PageContext, conn: Connection, user_id: UUID) -> bytes | None:
    version = await find_security_version(conn, user_id)
    return read_device_cookie(context.request.resources.secret_box, context.cookie(DEVICE), user_id, version)
