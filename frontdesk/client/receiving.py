"""Webhooks as they arrive: is this one from the service, whole and recent?"""

import hmac
import re
import time
from collections.abc import Iterable
from typing import Any, Protocol

import msgspec

from frontdesk.client.asking import decode
from frontdesk.client.failures import InvalidResponse, InvalidSignature
from frontdesk.webhooks.documents import Event
from frontdesk.webhooks.signing import sign

TOLERANCE_SECONDS = 300
_SECONDS = re.compile(r"[0-9]{1,12}")


class Headers(Protocol):
    """Of any library: whatever has names and values."""

    def items(self) -> Iterable[tuple[str, Any]]: ...


def verify_webhook(body: bytes, headers: Headers, *secrets: str) -> Event:
    """The event, when the body as it came was signed with one of the secrets and not long ago; else NotGenuine."""
    sent = {name.lower(): str(value) for name, value in headers.items()}
    moment = sent.get("webhook-timestamp", "")
    if not _SECONDS.fullmatch(moment):
        raise InvalidSignature("the header webhook-timestamp is missing or no number")
    if abs(time.time() - int(moment)) > TOLERANCE_SECONDS:
        raise InvalidSignature("the webhook was signed more than five minutes ago, or lies in the future")
    expected = sign(sent.get("webhook-id", ""), int(moment), body, secrets)["webhook-signature"].encode().split()
    given = sent.get("webhook-signature", "").encode().split()
    if not any(hmac.compare_digest(one, ours) for one in given for ours in expected):
        raise InvalidSignature("the webhook's signature matches none of the given secrets")
    try:
        return decode(body, Event)
    except msgspec.DecodeError as wrong:
        raise InvalidResponse(f"the webhook {sent['webhook-id']}: {wrong}") from wrong
