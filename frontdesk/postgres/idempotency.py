"""Responses that are stored with what their requests wrote, so that a repeated request gets the same response."""

from typing import NamedTuple
from uuid import UUID

from asyncpg import Record

from frontdesk.postgres.batched_delete import delete_batch
from frontdesk.postgres.pool import Connection

STORED_HOURS = 24
STORED_COLUMNS = """stored.fingerprint AS stored_fingerprint, stored.status AS stored_status,
    stored.body AS stored_body, stored.secret AS stored_secret"""


class StoredResponse(NamedTuple):
    fingerprint: bytes  # of the request
    status: int
    body: bytes
    secret: bytes | None  # encrypted


def find_stored_sql(caller: str, key: str) -> str:
    """Finds the stored response; `caller` and `key` are SQL, and `$1` is the tenant."""
    return f"""SELECT r.fingerprint, r.status, r.body, r.secret, r.created_at FROM idempotency_records r
            WHERE r.tenant_id = $1 AND r.caller_id = {caller} AND r.key = {key}
              AND r.created_at > now() - interval '{STORED_HOURS} hours'"""


def stored_response(row: Record | None) -> StoredResponse | None:
    if row is None or row["stored_fingerprint"] is None:
        return None
    return StoredResponse(row["stored_fingerprint"], row["stored_status"], row["stored_body"], row["stored_secret"])


async def find_response(conn: Connection, tenant_id: UUID, caller_id: UUID, key: str) -> StoredResponse | None:
    row = await conn.fetchrow(
        f"SELECT {STORED_COLUMNS} FROM ({find_stored_sql('$2', '$3')}) stored", tenant_id, caller_id, key
    )
    return stored_response(row)


async def delete_expired_responses(conn: Connection, limit: int) -> int:
    """Of all tenants: responses are stored for a day, as the documentation says."""
    expired = f"created_at <= now() - interval '{STORED_HOURS} hours'"
    return await delete_batch(conn, "idempotency_records", expired, limit)
