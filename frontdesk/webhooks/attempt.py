"""One attempt to deliver one event: written, signed, posted, and what came of it."""

import time
from datetime import UTC, datetime
from typing import NamedTuple

from frontdesk.auth.scopes import EVERYTHING, Scope
from frontdesk.net.outbound_http import Gate, Poster, PostFailed, Reply
from frontdesk.net.safe_url import Refused, read_url
from frontdesk.security.encryption import SealBroken, Vault
from frontdesk.values.ids import new_id
from frontdesk.webhooks.delivery_queries import Attempt, Claimed
from frontdesk.webhooks.documents import event_document
from frontdesk.webhooks.event_types import READ_SCOPE, Kind
from frontdesk.webhooks.payloads import without_contacts
from frontdesk.webhooks.retries import next_delay, read_retry_after
from frontdesk.webhooks.signing import sign

TIME_LIMIT = 15.0
_AGENT = "Frontdesk-Webhooks/1.0"
_GONE = 410


class Finding(NamedTuple):
    """What an attempt tells about its receiver."""

    attempt: Attempt
    arrived: bool
    told: bool  # whether the receiver had a part in it
    gone: bool = False
    retry_after: float | None = None


async def attempt_delivery(delivery: Claimed, poster: Poster, vault: Vault, gate: Gate) -> Finding:
    began_at, began = datetime.now(UTC), time.monotonic()
    withheld = _withheld(delivery)
    if withheld:
        return Finding(_record(delivery, began_at, 0, None, error=withheld, state="dead"), arrived=False, told=False)
    reply, error = None, None
    try:
        reply = await _post(delivery, poster, vault, gate)
    except PostFailed as failed:
        error = str(failed)
    except Refused as refused:
        error = f"the URL {refused}"
    except SealBroken:
        error = "the signing secret cannot be read: rotate it, or give the service the key it was sealed with"
    return _judge(delivery, began_at, round((time.monotonic() - began) * 1000), reply, error)


def fail_here(delivery: Claimed) -> Finding:
    """Through no fault of the receiver; it is tried again by the same plan."""
    delay = next_delay(delivery.attempts + 1, None)
    state = "dead" if delay is None else "due"
    error = "could not be sent because of a fault in this service"
    failed = _record(delivery, datetime.now(UTC), 0, None, error=error, state=state, delay=delay or 0.0)
    return Finding(failed, arrived=False, told=False)


def _withheld(delivery: Claimed) -> str | None:
    """What was approved when the event was written may have been taken back since."""
    scope = READ_SCOPE[Kind(delivery.type)]
    if scope is None or _may(delivery, scope):
        return None
    return f"not sent: the client no longer has {scope}"


def _may(delivery: Claimed, scope: Scope) -> bool:
    return scope in delivery.scopes or EVERYTHING in delivery.scopes


async def _post(delivery: Claimed, poster: Poster, vault: Vault, gate: Gate) -> Reply:
    body = write_body(delivery)
    secrets = [vault.open(delivery.secret).decode()]
    if delivery.previous_secret and vault.opens(delivery.previous_secret):  # one rotation heals after a lost key
        secrets.append(vault.open(delivery.previous_secret).decode())
    headers = {
        "content-type": "application/json",
        "user-agent": _AGENT,
        **sign(str(delivery.event_id), int(time.time()), body, secrets),
    }
    return await poster.post(read_url(delivery.url), headers, body, limit=TIME_LIMIT, gate=gate)


def write_body(delivery: Claimed) -> bytes:
    """The same as GET /events tells."""
    data = delivery.data
    if not _may(delivery, Scope.CUSTOMERS_READ):
        data = without_contacts(delivery.type, data)
    return event_document(
        delivery.event_id, delivery.type, delivery.created_at, delivery.tenant_id, delivery.sequence, data
    ).encode()


def _judge(delivery: Claimed, began_at: datetime, milliseconds: int, reply: Reply | None, error: str | None) -> Finding:
    if reply is not None and 200 <= reply.status < 300:
        arrived = _record(delivery, began_at, milliseconds, reply, error=None, state="delivered")
        return Finding(arrived, arrived=True, told=True)
    retry_after = read_retry_after(reply.retry_after) if reply else None
    delay = next_delay(delivery.attempts + 1, retry_after)
    state = "dead" if delay is None else "due"
    failed = _record(delivery, began_at, milliseconds, reply, error=error, state=state, delay=delay or 0.0)
    gone = reply is not None and reply.status == _GONE
    return Finding(failed, arrived=False, told=True, gone=gone, retry_after=retry_after)


def _record(
    delivery: Claimed,
    began_at: datetime,
    milliseconds: int,
    reply: Reply | None,
    *,
    error: str | None,
    state: str,
    delay: float = 0.0,
) -> Attempt:
    status = reply.status if reply else None
    answer = reply.body.decode(errors="replace").replace("\x00", "\ufffd") if reply else None
    return Attempt(delivery, new_id(), began_at, milliseconds, status, answer, error, state, delay)
