"""The mailed link to all coming bookings of an e-mail address."""

from uuid import UUID

import msgspec

from frontdesk.messages.secret_data import encrypt_values
from frontdesk.postgres.batched_delete import delete_batch
from frontdesk.postgres.pool import Connection
from frontdesk.security.encryption import SecretBox
from frontdesk.security.secrets import hash_secret, new_secret

_PREFIX = "fdb_"


async def send_list_link(
    conn: Connection, secret_box: SecretBox, tenant_id: UUID, path: str, email: str, language: str
) -> None:
    """Nothing is sent to an address without coming bookings. `path` is that of the list, without the token."""
    token = new_secret(_PREFIX)
    argument = {
        "token_hash": hash_secret(token).hex(),
        "message": {
            "kind": "bookings_link",
            "email": email,
            "name": None,
            "language": language,
            "data": encrypt_values(secret_box, {"link": f"{path}/{token}"}),
        },
    }
    await conn.fetchval("SELECT send_bookings_link($1, $2::jsonb)", tenant_id, msgspec.json.encode(argument).decode())


async def delete_expired_list_links(conn: Connection, limit: int) -> int:
    return await delete_batch(conn, "booking_list_links", "expires_at < now()", limit)
