"""A value that leaves the server and comes back unchanged: in a cookie, a hidden field or a link. Nothing is stored."""

import base64
import binascii
import time
from datetime import timedelta

from frontdesk.security.encryption import DecryptionFailed, SecretBox

_TIME_BYTES = 8


def encrypt_token(secret_box: SecretBox, kind: str, value: bytes, lifetime: timedelta | None = None) -> str:
    """Encrypted and authenticated. `kind` keeps a text of one use from being taken for one of another."""
    ends_at = 0 if lifetime is None else int(time.time() + lifetime.total_seconds())
    encrypted = secret_box.encrypt(kind.encode() + b"\0" + ends_at.to_bytes(_TIME_BYTES, "big") + value)
    return base64.urlsafe_b64encode(encrypted).rstrip(b"=").decode()


def decrypt_token(secret_box: SecretBox, kind: str, text: str) -> bytes | None:
    """None if it was not encrypted here for this use, or its time is over."""
    try:
        opened = secret_box.decrypt(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except (DecryptionFailed, ValueError, binascii.Error):
        return None
    found, _, rest = opened.partition(b"\0")
    ends_at = int.from_bytes(rest[:_TIME_BYTES], "big")
    if found != kind.encode() or (ends_at and ends_at < time.time()):
        return None
    return rest[_TIME_BYTES:]
