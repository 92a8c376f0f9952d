"""One attempt to deliver an event: builds, signs and posts the request, and classifies the result."""

import time
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from frontdesk.auth.customer_reads import NOBODY, ShownCustomers
from frontdesk.auth.scopes import WILDCARD, Scope
from frontdesk.net.outbound_http import BeforeSend, OutboundClient, OutboundResponse, RequestFailed
from frontdesk.net.safe_url import UrlRejected, parse_url
from frontdesk.security.encryption import DecryptionFailed, SecretBox
from frontdesk.values.clock import current_time
from frontdesk.values.ids import uuid7
from frontdesk.webhooks.delivery_queries import Attempt, ClaimedDelivery
from frontdesk.webhooks.documents import event_document
from frontdesk.webhooks.event_types import READ_SCOPES, EventType
from frontdesk.webhooks.payloads import complete_data, thin_data
from frontdesk.webhooks.retries import TIME_LIMIT, next_delay, read_retry_after
from frontdesk.webhooks.shown_customers import customers_in_event
from frontdesk.webhooks.signing import delivery_headers

_GONE = 410
_ABOUT_CUSTOMERS = ("customer.", "order.", "message.")


class AttemptResult(NamedTuple):
    attempt: Attempt
    delivered: bool
    reached_receiver: bool  # False if nothing was sent, because of a missing scope or an internal error
    gone: bool = False
    customers: ShownCustomers = NOBODY  # whom the receiver was shown
    retry_after: float | None = None

    @property
    def tenant_id(self) -> UUID:
        return self.attempt.delivery.tenant_id


async def attempt_delivery(
    delivery: ClaimedDelivery, client: OutboundClient, secret_box: SecretBox, origin: str, before_send: BeforeSend
) -> AttemptResult:
    began_at, began = current_time(), time.monotonic()
    missing = _missing_scope(delivery)
    if missing:
        reason = f"not sent: the client no longer has {missing}"
        attempt = record(delivery, began_at, 0, None, error=reason, state="dead")
        return AttemptResult(attempt, delivered=False, reached_receiver=False)
    reply, error = None, None
    try:
        reply = await _post(delivery, client, secret_box, origin, before_send)
    except RequestFailed as failed:
        error = str(failed)
    except UrlRejected:
        error = "the URL is not valid"
    except DecryptionFailed:
        error = "the signing secret cannot be decrypted: rotate it, or restore the encryption key of the service"
    result = _classify(delivery, began_at, round((time.monotonic() - began) * 1000), reply, error)
    return result if reply is None else result._replace(customers=_shown_customers(delivery, origin))


def _shown_customers(delivery: ClaimedDelivery, origin: str) -> ShownCustomers:
    """Whatever the receiver has answered."""
    return customers_in_event(_sent_data(delivery, origin)) if delivery.type.startswith(_ABOUT_CUSTOMERS) else NOBODY


def internal_failure(delivery: ClaimedDelivery) -> AttemptResult:
    """An error of this service; the delivery is retried on the same schedule."""
    delay = next_delay(delivery.attempts + 1, None)
    state = "dead" if delay is None else "due"
    error = "not sent because of an internal error"
    failed = record(delivery, current_time(), 0, None, error=error, state=state, delay=delay or 0.0)
    return AttemptResult(failed, delivered=False, reached_receiver=False)


def _missing_scope(delivery: ClaimedDelivery) -> Scope | None:
    """The scope may have been revoked since the event was emitted."""
    return next((scope for scope in READ_SCOPES[EventType(delivery.type)] if not _may(delivery, scope)), None)


def _may(delivery: ClaimedDelivery, scope: Scope) -> bool:
    return scope in delivery.scopes or WILDCARD in delivery.scopes


async def _post(
    delivery: ClaimedDelivery, client: OutboundClient, secret_box: SecretBox, origin: str, before_send: BeforeSend
) -> OutboundResponse:
    body = write_body(delivery, origin)
    secrets = [secret_box.decrypt(delivery.secret).decode()]
    # The previous secret cannot be decrypted if it was rotated because the encryption key was lost.
    if delivery.previous_secret and secret_box.can_decrypt(delivery.previous_secret):
        secrets.append(secret_box.decrypt(delivery.previous_secret).decode())
    headers = delivery_headers(str(delivery.event_id), int(time.time()), body, secrets)
    return await client.post(parse_url(delivery.url), headers, body, limit=TIME_LIMIT, before_send=before_send)


def write_body(delivery: ClaimedDelivery, origin: str) -> bytes:
    """The same document as in GET /events, or its ids."""
    data = _sent_data(delivery, origin)
    return event_document(
        delivery.event_id, delivery.type, delivery.created_at, delivery.tenant_id, delivery.sequence, data
    ).encode()


def _sent_data(delivery: ClaimedDelivery, origin: str) -> str:
    if delivery.is_thin:
        return thin_data(delivery.type, delivery.data)
    return complete_data(delivery.type, delivery.data, origin, contacts=_may(delivery, Scope.CUSTOMERS_READ))


def _classify(
    delivery: ClaimedDelivery, began_at: datetime, milliseconds: int, reply: OutboundResponse | None, error: str | None
) -> AttemptResult:
    if reply is not None and 200 <= reply.status < 300:
        attempt = record(delivery, began_at, milliseconds, reply, error=None, state="delivered")
        return AttemptResult(attempt, delivered=True, reached_receiver=True)
    retry_after = read_retry_after(reply.retry_after) if reply else None
    delay = next_delay(delivery.attempts + 1, retry_after)
    state = "dead" if delay is None else "due"
    failed = record(delivery, began_at, milliseconds, reply, error=error, state=state, delay=delay or 0.0)
    gone = reply is not None and reply.status == _GONE
    return AttemptResult(failed, delivered=False, reached_receiver=True, gone=gone, retry_after=retry_after)


def record(
    delivery: ClaimedDelivery,
    began_at: datetime,
    milliseconds: int,
    reply: OutboundResponse | None,
    *,
    error: str | None,
    state: str,
    delay: float = 0.0,
) -> Attempt:
    status = reply.status if reply else None
    body = reply.body.decode(errors="replace").replace("\x00", "\ufffd") if reply else None
    return Attempt(delivery, uuid7(), began_at, milliseconds, status, body, error, state, delay)
