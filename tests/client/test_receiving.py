"""Webhooks are verified as the independent implementation of the standard signs them."""

import time
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from standardwebhooks import Webhook

from frontdesk.client import InvalidResponse, InvalidSignature, verify_webhook
from frontdesk.webhooks.event_types import EventType
from frontdesk.webhooks.signing import new_signing_secret

SECRET, OTHER = new_signing_secret(), new_signing_secret()
EVENT_ID = "01920000-0000-7000-8000-0000000000e1"
BODY = (
    f'{{"id":"{EVENT_ID}","type":"order.created","timestamp":"2026-03-01T09:30:00.123456Z","api_version":"v1",'
    '"tenant_id":"01920000-0000-7000-8000-000000000001","sequence":118,"data":{"total":10.10,"note":"مرحبا"}}'
).encode()


def signed(body: bytes = BODY, *, secret: str = SECRET, late: float = 0) -> dict[str, str]:
    """As the other implementation does it."""
    at = datetime.now(UTC) - timedelta(seconds=late)
    signature = Webhook(secret).sign(EVENT_ID, at, body.decode())
    return {
        "webhook-id": EVENT_ID,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": signature,
    }


def test_what_another_implementation_signed_is_genuine_and_read() -> None:
    event = verify_webhook(BODY, signed(), SECRET)
    assert (str(event.id), event.type, event.sequence) == (EVENT_ID, EventType.ORDER_CREATED, 118)
    assert str(event.data["total"]) == "10.10"


def test_names_of_headers_have_no_case() -> None:
    assert verify_webhook(BODY, {name.title(): value for name, value in signed().items()}, SECRET)


def test_around_a_rotation_either_secret_on_either_side_will_do() -> None:
    both = signed()
    both["webhook-signature"] = " ".join([signed(secret=OTHER)["webhook-signature"], both["webhook-signature"]])
    assert verify_webhook(BODY, both, SECRET)
    assert verify_webhook(BODY, both, OTHER)
    assert verify_webhook(BODY, signed(), OTHER, SECRET)


CHANGES: dict[str, dict[str, str | None]] = {
    "another id": {"webhook-id": str(uuid4())},
    "no id": {"webhook-id": None},
    "another time": {"webhook-timestamp": str(int(time.time()) - 1)},
    "no time": {"webhook-timestamp": None},
    "a word for a time": {"webhook-timestamp": "soon"},
    "digits of another script": {"webhook-timestamp": "١٢٣"},
    "an endless time": {"webhook-timestamp": "9" * 5000},
    "a time before all time": {"webhook-timestamp": "-1"},
    "no signature": {"webhook-signature": None},
    "an empty signature": {"webhook-signature": ""},
    "nothing signed": {"webhook-signature": "v1,"},
    "not base64": {"webhook-signature": "v1,é"},
    "another secret": {"webhook-signature": signed(secret=OTHER)["webhook-signature"]},
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_header_is_not_genuine(change: str) -> None:
    headers = {name: value for name, value in {**signed(), **CHANGES[change]}.items() if value is not None}
    with pytest.raises(InvalidSignature):
        verify_webhook(BODY, headers, SECRET)


@pytest.mark.parametrize("late", [-310, 310])
def test_what_is_not_recent_is_not_genuine(late: float) -> None:
    with pytest.raises(InvalidSignature, match="five minutes"):
        verify_webhook(BODY, signed(late=late), SECRET)
    assert verify_webhook(BODY, signed(late=late - 20 if late > 0 else late + 20), SECRET)


def test_without_a_secret_nothing_is_genuine() -> None:
    with pytest.raises(InvalidSignature):
        verify_webhook(BODY, signed())


@given(st.integers(0, len(BODY) - 1), st.integers(1, 255))
@settings(max_examples=100)
def test_a_changed_byte_is_not_genuine(place: int, difference: int) -> None:
    changed = bytes([*BODY[:place], BODY[place] ^ difference, *BODY[place + 1 :]])
    with pytest.raises(InvalidSignature):
        verify_webhook(changed, signed(), SECRET)


def test_a_kind_that_this_client_does_not_know_is_genuine_and_unreadable() -> None:
    body = BODY.replace(b"order.created", b"order.imagined")
    with pytest.raises(InvalidResponse, match=EVENT_ID):
        verify_webhook(body, signed(body), SECRET)
