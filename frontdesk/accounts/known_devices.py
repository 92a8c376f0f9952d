"""A device on which an account has signed in before. Its cookies are authenticated, so nothing is stored."""

import secrets
from datetime import timedelta
from uuid import UUID

from frontdesk.security.encrypted_token import decrypt_token, encrypt_token
from frontdesk.security.encryption import SecretBox

REMEMBER_FACTOR = timedelta(days=30)
_KIND, _REMEMBERED = "known device", "remembered device"
_ID_BYTES, _VERSION_BYTES = 16, 8
_MAX_ACCOUNTS = 8  # the computer of a reception is used by several people


def add_to_device_cookie(secret_box: SecretBox, cookie: str | None, user_id: UUID, security_version: int) -> str:
    """The last account comes first; the oldest is forgotten."""
    account = _account(user_id, security_version)
    added = encrypt_token(secret_box, _KIND, secrets.token_bytes(_ID_BYTES) + account)
    kept = [entry for entry in _entries(cookie) if not _read(secret_box, entry).startswith(user_id.bytes, _ID_BYTES)]
    return ".".join([added, *kept][:_MAX_ACCOUNTS])


def read_device_cookie(secret_box: SecretBox, cookie: str | None, user_id: UUID, security_version: int) -> bytes | None:
    """The device's id, if this account has signed in on it since the password or a second factor changed."""
    account = _account(user_id, security_version)
    for entry in _entries(cookie):
        known = _read(secret_box, entry)
        if known[_ID_BYTES:] == account:
            return known[:_ID_BYTES]
    return None


def new_remembered_cookie(secret_box: SecretBox, user_id: UUID, security_version: int) -> str:
    """Skips the second factor on this device, until the password or a second factor changes."""
    return encrypt_token(secret_box, _REMEMBERED, _account(user_id, security_version), REMEMBER_FACTOR)


def is_remembered(secret_box: SecretBox, cookie: str | None, user_id: UUID, security_version: int) -> bool:
    return decrypt_token(secret_box, _REMEMBERED, cookie or "") == _account(user_id, security_version)


def _account(user_id: UUID, security_version: int) -> bytes:
    """Not the address: an account keeps its devices when its address changes, and another one does not get them."""
    return user_id.bytes + security_version.to_bytes(_VERSION_BYTES, "big")


def _entries(cookie: str | None) -> list[str]:
    return (cookie or "").split(".")[:_MAX_ACCOUNTS]


def _read(secret_box: SecretBox, entry: str) -> bytes:
    return decrypt_token(secret_box, _KIND, entry) or b""
