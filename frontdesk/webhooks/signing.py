"""Standard Webhooks: the three headers with which a receiver verifies origin, integrity and age of a message."""

import base64
import hashlib
import hmac
import os
from collections.abc import Iterable

SECRET_PREFIX = "whsec_"  # noqa: S105 - by which a secret is recognised, not one
_SECRET_BYTES = 32
_AGENT = "Frontdesk-Webhooks/1.0"


def new_signing_secret() -> str:
    return SECRET_PREFIX + base64.b64encode(os.urandom(_SECRET_BYTES)).decode()


def is_signing_secret(text: str) -> bool:
    """Whether receivers can compute with it."""
    encoded = text.removeprefix(SECRET_PREFIX)
    try:
        return text.startswith(SECRET_PREFIX) and bool(base64.b64decode(encoded, validate=True))
    except ValueError:
        return False


def delivery_headers(message_id: str, timestamp: int, body: bytes, secrets: Iterable[str]) -> dict[str, str]:
    """All headers of a delivery but those of the connection."""
    signed = sign(message_id, timestamp, body, secrets)
    return {"content-type": "application/json", "user-agent": _AGENT, **signed}


def sign(message_id: str, timestamp: int, body: bytes, secrets: Iterable[str]) -> dict[str, str]:
    """One signature for each secret, because during a rotation the receiver may know either."""
    signed = b"%s.%d.%s" % (message_id.encode(), timestamp, body)
    signatures = " ".join(f"v1,{_signature(secret, signed)}" for secret in secrets)
    return {"webhook-id": message_id, "webhook-timestamp": str(timestamp), "webhook-signature": signatures}


def _signature(secret: str, signed: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(SECRET_PREFIX))
    return base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
