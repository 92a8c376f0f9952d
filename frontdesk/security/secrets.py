"""Random secrets. Only their hashes are stored; some contain the id of their tenant."""

import binascii
import hashlib
import os
from uuid import UUID

from frontdesk.values.ids import uuid_from_int

_SECRET_BYTES = 32
_ENCODED_LENGTH = {16: 22, 32: 43, 48: 64}  # bytes -> base64url characters without padding


_TO_URL_SAFE = bytes.maketrans(b"+/", b"-_")
_FROM_URL_SAFE = bytes.maketrans(b"-_+/", b"+/**")  # + and / are not part of the URL-safe alphabet


def _encode(raw: bytes) -> str:
    return binascii.b2a_base64(raw, newline=False).translate(_TO_URL_SAFE).rstrip(b"=").decode()


def _decode(text: str, size: int) -> bytes | None:
    """Only the text that `_encode` writes. A text with bits to spare has several forms, of which it writes one."""
    if len(text) != _ENCODED_LENGTH[size] or not text.isascii():
        return None
    try:
        raw = binascii.a2b_base64(text.encode().translate(_FROM_URL_SAFE) + b"=" * (-len(text) % 4), strict_mode=True)
    except binascii.Error:
        return None
    return raw if len(raw) == size and (size % 3 == 0 or _encode(raw) == text) else None


def new_secret(prefix: str) -> str:
    return prefix + _encode(os.urandom(_SECRET_BYTES))


def new_tenant_secret(prefix: str, tenant_id: UUID) -> str:
    """A secret that contains its tenant's id, so that it is looked up in that tenant's rows only."""
    return prefix + _encode(tenant_id.bytes + os.urandom(_SECRET_BYTES))


def tenant_of_secret(prefix: str, secret: str) -> UUID | None:
    """The tenant id in the secret, or None if the text is not such a secret."""
    raw = _decode(secret.removeprefix(prefix), 48) if secret.startswith(prefix) else None
    return uuid_from_int(int.from_bytes(raw[:16], "big")) if raw else None


def encode_id_pair(prefix: str, first: UUID, second: UUID) -> str:
    return prefix + _encode(first.bytes + second.bytes)


def decode_id_pair(prefix: str, text: str) -> tuple[UUID, UUID] | None:
    raw = _decode(text.removeprefix(prefix), 32) if text.startswith(prefix) else None
    return (UUID(bytes=raw[:16]), UUID(bytes=raw[16:])) if raw else None


def encode_id(prefix: str, value: UUID) -> str:
    return prefix + _encode(value.bytes)


def decode_id(prefix: str, text: str) -> UUID | None:
    raw = _decode(text.removeprefix(prefix), 16) if text.startswith(prefix) else None
    return UUID(bytes=raw) if raw else None


def hash_secret(secret: str) -> bytes:
    """SHA-256 is enough: a secret has 256 random bits, so it cannot be guessed."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()
