"""Signatures of webhooks (Standard Webhooks): verify them on receipt, create them in tests."""

import base64
import hashlib
import hmac
import re
import time
from collections.abc import Iterable
from typing import Any, Protocol

import msgspec

from frontdesk_client.errors import InvalidResponse, InvalidSignature
from frontdesk_client.models import Event
from frontdesk_client.request import decode

TOLERANCE_SECONDS = 300
_SECRET_PREFIX = "whsec_"  # noqa: S105 - a prefix, not a secret
_TIMESTAMP = re.compile(r"[0-9]{1,12}")


class Headers(Protocol):
    """The header object of any HTTP library: a mapping from names to values."""

    def items(self) -> Iterable[tuple[str, Any]]: ...


def verify_webhook(body: bytes, headers: Headers, *secrets: str) -> Event:
    """Verifies the unmodified body against any of the secrets and returns its event.

    Raises InvalidSignature if no secret matches or the timestamp is more than five minutes from now, and
    InvalidResponse if the signed body is no event.
    """
    received = {name.lower(): str(value) for name, value in headers.items()}
    timestamp = received.get("webhook-timestamp", "")
    if not _TIMESTAMP.fullmatch(timestamp):
        raise InvalidSignature("the webhook-timestamp header is missing or not a number")
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        raise InvalidSignature("the webhook-timestamp header is more than five minutes from now")
    message_id = received.get("webhook-id", "")
    expected = [_signature(secret, message_id, int(timestamp), body) for secret in secrets]
    given = received.get("webhook-signature", "").encode().split()
    if not any(hmac.compare_digest(theirs, ours.encode()) for theirs in given for ours in expected):
        raise InvalidSignature("the webhook-signature header matches none of the secrets")
    try:
        return decode(body, Event)
    except msgspec.DecodeError as error:
        raise InvalidResponse(f"invalid webhook {message_id}: {error}") from error


def sign_webhook(message_id: str, body: bytes, *secrets: str, timestamp: int | None = None) -> dict[str, str]:
    """The headers that Frontdesk sends with a webhook, for tests of a receiver. One signature for each secret."""
    sent_at = int(time.time()) if timestamp is None else timestamp
    signatures = [_signature(secret, message_id, sent_at, body) for secret in secrets]
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(sent_at),
        "webhook-signature": " ".join(signatures),
    }


def _signature(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(_SECRET_PREFIX))
    signed = b"%s.%d.%s" % (message_id.encode(), timestamp, body)
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
