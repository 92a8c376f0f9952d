"""A device on which an account has signed in before. Its cookies are authenticated, so nothing is stored."""

import hashlib
import secrets
from datetime import timedelta
from uuid import UUID

from frontdesk.net.email_domains import canonical_email
from frontdesk.security.encryption import SecretBox
from frontdesk.security.sealed_text import seal, unseal

REMEMBER_FACTOR = timedelta(days=30)
_KIND, _REMEMBERED = "known device", "remembered device"
_ID_BYTES, _VERSION_BYTES = 16, 8
_MAX_ACCOUNTS = 8  # the computer of a reception is used by several people


def add_to_device_cookie(secret_box: SecretBox, cookie: str | None, email: str) -> str:
    """The last account comes first; the oldest is forgotten."""
    added = seal(secret_box, _KIND, secrets.token_bytes(_ID_BYTES) + _account(email))
    return ".".join([added, *_entries(cookie)][:_MAX_ACCOUNTS])


def read_device_cookie(secret_box: SecretBox, cookie: str | None, email: str) -> bytes | None:
    """The device's id, if this account has signed in on it."""
    account = _account(email)
    for entry in _entries(cookie):
        known = unseal(secret_box, _KIND, entry)
        if known is not None and known[_ID_BYTES:] == account:
            return known[:_ID_BYTES]
    return None


def new_remembered_cookie(secret_box: SecretBox, user_id: UUID, security_version: int) -> str:
    """Skips the second factor on this device, until the password or a second factor changes."""
    return seal(secret_box, _REMEMBERED, _remembered(user_id, security_version), REMEMBER_FACTOR)


def is_remembered(secret_box: SecretBox, cookie: str | None, user_id: UUID, security_version: int) -> bool:
    return unseal(secret_box, _REMEMBERED, cookie or "") == _remembered(user_id, security_version)


def _remembered(user_id: UUID, security_version: int) -> bytes:
    return user_id.bytes + security_version.to_bytes(_VERSION_BYTES, "big")


def _entries(cookie: str | None) -> list[str]:
    return (cookie or "").split(".")[:_MAX_ACCOUNTS]


def _account(email: str) -> bytes:
    return hashlib.sha256(canonical_email(email).encode("utf-8", "surrogatepass")).digest()
