"""The signature check agrees with an independent implementation of Standard Webhooks."""

import time
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from hypothesis import given, settings, strategies as st
from standardwebhooks import Webhook

from frontdesk.webhooks.signing import new_signing_secret
from frontdesk_client import InvalidResponse, InvalidSignature, sign_webhook, verify_webhook

SECRET, OTHER = new_signing_secret(), new_signing_secret()
EVENT_ID = "01920000-0000-7000-8000-0000000000e1"
BODY = (
    f'{{"id":"{EVENT_ID}","type":"order.created","timestamp":"2026-03-01T09:30:00.123456Z","api_version":"v1",'
    '"tenant_id":"01920000-0000-7000-8000-000000000001","sequence":118,"data":{"total":10.10,"note":"مرحبا"}}'
).encode()


def signed(body: bytes = BODY, *, secret: str = SECRET, late: float = 0) -> dict[str, str]:
    """Headers as the independent implementation writes them."""
    at = datetime.now(UTC) - timedelta(seconds=late)
    signature = Webhook(secret).sign(EVENT_ID, at, body.decode())
    return {
        "webhook-id": EVENT_ID,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": signature,
    }


def test_a_webhook_of_another_implementation_is_accepted_and_decoded() -> None:
    event = verify_webhook(BODY, signed(), SECRET)
    assert (str(event.id), event.type, event.sequence) == (EVENT_ID, "order.created", 118)
    assert str(event.data["total"]) == "10.10"


def test_header_names_are_case_insensitive() -> None:
    assert verify_webhook(BODY, {name.title(): value for name, value in signed().items()}, SECRET)


def test_either_secret_is_accepted_during_a_rotation() -> None:
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
def test_a_changed_header_is_rejected(change: str) -> None:
    headers = {name: value for name, value in {**signed(), **CHANGES[change]}.items() if value is not None}
    with pytest.raises(InvalidSignature):
        verify_webhook(BODY, headers, SECRET)


@pytest.mark.parametrize("late", [-310, 310])
def test_an_old_or_future_timestamp_is_rejected(late: float) -> None:
    with pytest.raises(InvalidSignature, match="five minutes"):
        verify_webhook(BODY, signed(late=late), SECRET)
    assert verify_webhook(BODY, signed(late=late - 20 if late > 0 else late + 20), SECRET)


def test_without_a_secret_every_webhook_is_rejected() -> None:
    with pytest.raises(InvalidSignature):
        verify_webhook(BODY, signed())


@given(st.integers(0, len(BODY) - 1), st.integers(1, 255))
@settings(max_examples=100)
def test_a_changed_byte_is_rejected(index: int, difference: int) -> None:
    changed = bytes([*BODY[:index], BODY[index] ^ difference, *BODY[index + 1 :]])
    with pytest.raises(InvalidSignature):
        verify_webhook(changed, signed(), SECRET)


def test_sign_webhook_writes_what_the_other_implementation_accepts() -> None:
    headers = sign_webhook(EVENT_ID, BODY, OTHER, SECRET)
    for secret in (SECRET, OTHER):
        assert Webhook(secret).verify(BODY, headers)["sequence"] == 118
    assert verify_webhook(BODY, headers, SECRET).sequence == 118


def test_an_event_of_a_newer_server_is_decoded() -> None:
    body = BODY.replace(b"order.created", b"order.archived").replace(b'"sequence"', b'"priority":3,"sequence"')
    assert verify_webhook(body, signed(body), SECRET).type == "order.archived"


def test_a_signed_body_that_is_not_an_event_is_an_invalid_response() -> None:
    body = BODY.replace(b'"sequence":118', b'"sequence":"118"')
    with pytest.raises(InvalidResponse, match=EVENT_ID):
        verify_webhook(body, signed(body), SECRET)
