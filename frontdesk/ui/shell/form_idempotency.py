"""Each form that creates something has an id, so that a double click or a reload submits it once."""

import hashlib
from collections.abc import Awaitable, Callable
from uuid import UUID

from frontdesk.errors import Code, WireError
from frontdesk.postgres.idempotency import IdempotencyKey, StoredResponse, claim_key, find_response, store_response
from frontdesk.postgres.pool import Connection
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.i18n import N_

REUSED = N_("This form was already submitted with other values. Reload the page before you submit it again.")


async def submit_once(context: PageContext, form_id: UUID, act: Callable[[Connection], Awaitable[str]]) -> str:
    """Returns the path to redirect to, as `act` returns it; a repeated form is redirected to the same path."""
    content = context.request.path.encode("utf-8", "surrogatepass") + b"\0" + context.request.raw_body
    key = IdempotencyKey(context.user.id, f"form {form_id}", hashlib.sha256(content).digest())
    async with context.connection() as conn:
        stored = await _find_path(conn, context.tenant_id, key)
        if stored is None:
            async with conn.transaction():
                if await claim_key(conn, context.tenant_id, key):
                    path = await act(conn)
                    await store_response(conn, context.tenant_id, key, StoredResponse(200, path.encode()))
                    return path
            stored = await _find_path(conn, context.tenant_id, key)
    if stored is None:
        raise WireError(Code.IDEMPOTENCY_KEY_IN_USE, REUSED)
    return stored


async def _find_path(conn: Connection, tenant_id: UUID, key: IdempotencyKey) -> str | None:
    try:
        stored = await find_response(conn, tenant_id, key)
    except WireError as error:
        raise WireError(error.code, REUSED) from error
    return None if stored is None else stored.body.decode()
