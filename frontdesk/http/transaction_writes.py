"""Runs a write whose handler is a coroutine, in one transaction with its Idempotency-Key. To be removed."""

from collections.abc import Awaitable, Callable

import asyncpg

from frontdesk.http.request import Request
from frontdesk.http.responses import Response
from frontdesk.http.writes import IdempotencyKey, Write, _in_use, _replay
from frontdesk.postgres.held_connections import counted_as_held
from frontdesk.postgres.idempotency import StoredResponse, find_response
from frontdesk.postgres.write import waits_for_key


async def run_in_transaction(
    write: Write, request: Request, handle: Callable[..., Awaitable[Response]], key: IdempotencyKey | None, seen: object
) -> Response:
    if isinstance(seen, StoredResponse):
        return _stored(write, seen)
    if key is None:
        with counted_as_held():
            return await handle()
    caller = request.caller
    async with request.pinned_connection() as conn:
        async with conn.transaction():
            try:
                claimed = await conn.fetchval(
                    "SELECT claim_idempotency_key($1, $2, $3, $4)", caller.tenant_id, caller.id, *key
                )
            except asyncpg.LockNotAvailableError as waiting:
                if waits_for_key(waiting):
                    raise _in_use() from waiting
                raise
            if claimed:
                response = await handle()
                await conn.execute(
                    "SELECT store_response($1, $2, $3, $4, $5, NULL, NULL)",
                    caller.tenant_id,
                    caller.id,
                    key.key,
                    response.status,
                    response.body,
                )
                return response
        kept = await find_response(conn, caller.tenant_id, caller.id, key.key)
    if kept is None:
        raise _in_use()
    return _stored(write, kept)


def _stored(write: Write, stored: StoredResponse) -> Response:
    _replay(write, stored)
    return Response(stored.body, stored.status, {"idempotent-replayed": "true"})
