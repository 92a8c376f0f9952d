"""Proof of an e-mail address on the public page: a code is sent to it and entered in the form."""

import hashlib
import secrets
from typing import NamedTuple
from uuid import UUID

import msgspec

from frontdesk.messages.secret_data import encrypt_values
from frontdesk.postgres.batched_delete import delete_batch
from frontdesk.postgres.pool import Connection
from frontdesk.security.encryption import SecretBox
from frontdesk.values.phones import digits_of

_DIGITS = 6


class Addressee(NamedTuple):
    email: str
    name: str
    language: str


async def send_contact_code(
    conn: Connection, secret_box: SecretBox, tenant_id: UUID, form_id: UUID, to: Addressee, network: bytes
) -> bool:
    """False if a code was sent a moment ago, or too many were sent to this address."""
    code = "".join(secrets.choice("0123456789") for _ in range(_DIGITS))
    argument = {
        "id": form_id,
        "network": network.hex(),
        "code_hash": _hash(form_id, code).hex(),
        "message": {"kind": "contact_code", **to._asdict(), "data": encrypt_values(secret_box, {"code": code})},
    }
    sent: bool = await conn.fetchval(
        "SELECT send_contact_code($1, $2::jsonb)", tenant_id, msgspec.json.encode(argument).decode()
    )
    return sent


async def check_contact_code(conn: Connection, tenant_id: UUID, form_id: UUID, email: str, code: str) -> bool:
    """Counts a try."""
    argument = {"id": form_id, "email": email, "code_hash": _hash(form_id, digits_of(code)).hex()}
    right: bool = await conn.fetchval(
        "SELECT check_contact_code($1, $2::jsonb)", tenant_id, msgspec.json.encode(argument).decode()
    )
    return right


async def delete_expired_contact_codes(conn: Connection, limit: int) -> int:
    """An hour after they end: until then they count for the limit of their e-mail address."""
    return await delete_batch(conn, "contact_codes", "expires_at < now() - interval '1 hour'", limit)


def _hash(form_id: UUID, code: str) -> bytes:
    return hashlib.sha256(form_id.bytes + code.encode()).digest()
