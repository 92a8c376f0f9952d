"""A device on which an account has signed in before. Its cookie is authenticated, so nothing is stored."""

import base64
import binascii
import hashlib
import secrets

from frontdesk.net.email_domains import canonical_email
from frontdesk.security.encryption import DecryptionFailed, SecretBox

_KIND = b"known device\0"
_ID_BYTES = 16


def new_device_cookie(secret_box: SecretBox, email: str) -> str:
    sealed = secret_box.encrypt(_KIND + secrets.token_bytes(_ID_BYTES) + _account(email))
    return base64.urlsafe_b64encode(sealed).decode()


def read_device_cookie(secret_box: SecretBox, cookie: str | None, email: str) -> bytes | None:
    """The device's id, if this account has signed in on it."""
    try:
        text = secret_box.decrypt(base64.urlsafe_b64decode(cookie or ""))
    except (DecryptionFailed, ValueError, binascii.Error):
        return None
    kind, rest = text[: len(_KIND)], text[len(_KIND) :]
    device, account = rest[:_ID_BYTES], rest[_ID_BYTES:]
    return device if kind == _KIND and account == _account(email) else None


def _account(email: str) -> bytes:
    return hashlib.sha256(canonical_email(email).encode("utf-8", "surrogatepass")).digest()
