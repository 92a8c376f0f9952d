"""What a writing request answered, kept beside what it made, so that a retry makes nothing and gets the same answer."""

from uuid import UUID

import asyncpg
import msgspec

from frontdesk.errors import Code, WireError
from frontdesk.postgres.batched_delete import delete_batch
from frontdesk.postgres.pool import Connection


class IdempotencyKey(msgspec.Struct, frozen=True):
    """The caller's name for one request, and a fingerprint of what the request is."""

    caller_id: UUID
    key: str
    fingerprint: bytes


class StoredResponse(msgspec.Struct, frozen=True):
    status: int
    body: bytes


async def find_response(conn: Connection, tenant_id: UUID, ticket: IdempotencyKey) -> StoredResponse | None:
    """The kept answer of the same request; 422 when the key was spent on another one."""
    row = await conn.fetchrow(
        """
        SELECT fingerprint, status, body FROM idempotency_records
        WHERE tenant_id = $1 AND caller_id = $2 AND key = $3 AND created_at > now() - interval '24 hours'
        """,
        tenant_id,
        ticket.caller_id,
        ticket.key,
    )
    if row is None:
        return None
    if row["fingerprint"] != ticket.fingerprint:
        raise WireError(
            Code.IDEMPOTENCY_KEY_REUSED,
            "This Idempotency-Key was used for a different request. Use a new key for a new request.",
        )
    return StoredResponse(row["status"], row["body"])


async def claim_key(conn: Connection, tenant_id: UUID, ticket: IdempotencyKey) -> bool:
    """The first thing in the request's transaction: whoever sends the same key meanwhile waits here for its end.

    False when the other one has finished in the meantime, and its answer is to be looked up.
    """
    try:
        claimed = await conn.fetchval(
            """
            INSERT INTO idempotency_records AS r (tenant_id, caller_id, key, fingerprint, status, body)
            VALUES ($1, $2, $3, $4, 0, '')
            ON CONFLICT (tenant_id, caller_id, key) DO UPDATE
                SET fingerprint = excluded.fingerprint, status = 0, body = '', created_at = now()
                WHERE r.created_at <= now() - interval '24 hours'
            RETURNING true
            """,
            tenant_id,
            ticket.caller_id,
            ticket.key,
            ticket.fingerprint,
        )
    except asyncpg.LockNotAvailableError as waiting:
        raise WireError(
            Code.IDEMPOTENCY_KEY_IN_USE,
            "A request with this Idempotency-Key is still in progress. Try again shortly.",
            headers={"retry-after": "1"},
        ) from waiting
    return bool(claimed)


async def store_response(conn: Connection, tenant_id: UUID, ticket: IdempotencyKey, answer: StoredResponse) -> None:
    await conn.execute(
        "UPDATE idempotency_records SET status = $4, body = $5 WHERE tenant_id = $1 AND caller_id = $2 AND key = $3",
        tenant_id,
        ticket.caller_id,
        ticket.key,
        answer.status,
        answer.body,
    )


async def delete_expired_responses(conn: Connection, most: int) -> int:
    """Of everybody: kept for a day, as the interface promises."""
    return await delete_batch(conn, "idempotency_records", "created_at <= now() - interval '24 hours'", most)
