"""Links and codes of a message are secrets: encrypted while it waits, removed when it has been sent."""

import base64
from collections.abc import Mapping

import msgspec

from frontdesk.security.encryption import SecretBox


def encrypt_values(secret_box: SecretBox, values: Mapping[str, str]) -> dict[str, str]:
    """A part of the `data` of `queue_message` and `queue_account_message`: {"link": "/reset/…"} or {"code": "…"}."""
    return {"encrypted": base64.b64encode(secret_box.encrypt(msgspec.json.encode(dict(values)))).decode()}


def decrypt_values(secret_box: SecretBox, secret: bytes) -> dict[str, str]:
    return msgspec.json.decode(secret_box.decrypt(secret), type=dict[str, str])
