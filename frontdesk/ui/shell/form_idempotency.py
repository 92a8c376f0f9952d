"""A form that makes something carries an id of its own: sent twice, by a double click or a reload, it acts once."""

import hashlib
from collections.abc import Awaitable, Callable
from uuid import UUID

from frontdesk.errors import Code, WireError
from frontdesk.postgres.idempotency import IdempotencyKey, StoredResponse, claim_key, find_response, store_response
from frontdesk.postgres.pool import Connection
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.i18n import N_

REUSED = N_("This form was sent before, with other values. Load the page again before you send it.")


async def run_form_once(context: PageContext, form_id: UUID, act: Callable[[Connection], Awaitable[str]]) -> str:
    """Where to go on, as the act says; kept in its own transaction, so that the second form leads to the same place."""
    content = context.request.path.encode("utf-8", "surrogatepass") + b"\0" + context.request.raw_body
    ticket = IdempotencyKey(context.person.id, f"form {form_id}", hashlib.sha256(content).digest())
    async with context.connection() as conn:
        kept = await _find(conn, context.tenant_id, ticket)
        if kept is None:
            async with conn.transaction():
                if await claim_key(conn, context.tenant_id, ticket):
                    where = await act(conn)
                    await store_response(conn, context.tenant_id, ticket, StoredResponse(200, where.encode()))
                    return where
            kept = await _find(conn, context.tenant_id, ticket)
    if kept is None:
        raise WireError(Code.IDEMPOTENCY_KEY_IN_USE, REUSED)
    return kept


async def _find(conn: Connection, tenant_id: UUID, ticket: IdempotencyKey) -> str | None:
    try:
        kept = await find_response(conn, tenant_id, ticket)
    except WireError as reused:
        raise WireError(reused.code, REUSED) from reused
    return None if kept is None else kept.body.decode()
