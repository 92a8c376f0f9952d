"""Random secrets that name their owner, and the only form in which they are kept: a hash."""

import base64
import binascii
import hashlib
import hmac
import os
from uuid import UUID

_SECRET_BYTES = 32
_BODY = {16: 22, 32: 43, 48: 64}  # bytes -> base64url characters without padding


def _encode(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _decode(text: str, size: int) -> bytes | None:
    if len(text) != _BODY[size] or not text.isascii():
        return None
    try:
        raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None
    return raw if len(raw) == size and _encode(raw) == text else None


def new_secret(prefix: str) -> str:
    return prefix + _encode(os.urandom(_SECRET_BYTES))


def new_tenant_secret(prefix: str, tenant_id: UUID) -> str:
    """A secret that carries its business, so that its look-up needs no table shared by all businesses."""
    return prefix + _encode(tenant_id.bytes + os.urandom(_SECRET_BYTES))


def tenant_of_secret(prefix: str, secret: str) -> UUID | None:
    """The business that an owned secret names, or None when the text cannot be one."""
    raw = _decode(secret.removeprefix(prefix), 48) if secret.startswith(prefix) else None
    return UUID(bytes=raw[:16]) if raw else None


def encode_id_pair(prefix: str, first: UUID, second: UUID) -> str:
    return prefix + _encode(first.bytes + second.bytes)


def decode_id_pair(prefix: str, text: str) -> tuple[UUID, UUID] | None:
    raw = _decode(text.removeprefix(prefix), 32) if text.startswith(prefix) else None
    return (UUID(bytes=raw[:16]), UUID(bytes=raw[16:])) if raw else None


def hash_secret(secret: str) -> bytes:
    """SHA-256 is enough here: the secrets have 256 random bits, so there is nothing to guess."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()


def hashes_equal(left: bytes, right: bytes) -> bool:
    return hmac.compare_digest(left, right)
