"""The receiver of an integrator, as small as it can be: right, and broken in one way each."""

import asyncio
import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

import msgspec

from frontdesk.values.clock import current_time
from frontdesk.webhooks.event_types import EventType
from frontdesk.webhooks.signing import new_signing_secret
from frontdesk_client import FrontdeskError, sign_webhook, verify_webhook
from tests.support.servers.receiver import Received, Receiver, receiving, respond_with

_MANY = 10


class Delivery(NamedTuple):
    received: Received
    secret: str
    handled: "Counter[str]"
    server: Receiver

    @property
    def id(self) -> str:
        return self.received.headers.get("webhook-id", "")

    @property
    def document(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.received.body)
        return found

    def is_genuine(self) -> bool:
        """As the client of the product says it."""
        try:
            verify_webhook(self.received.body, self.received.headers, self.secret)
        except FrontdeskError:
            return False
        return True

    def changed(self, body: bytes, **headers: str) -> "Delivery":
        shown = {name.replace("_", "-"): value for name, value in headers.items()}
        received = msgspec.structs.replace(self.received, body=body, headers={**self.received.headers, **shown})
        return self._replace(received=received)


Answer = Callable[[Delivery], Awaitable[int]]


class Integrator(NamedTuple):
    url: str
    secret: str
    handled_url: str


@asynccontextmanager
async def receiver_that(answer: Answer) -> AsyncIterator[Integrator]:
    """It tells how often it has acted on an event."""
    secret, handled = new_signing_secret(), Counter[str]()

    async def behave(server: Receiver, received: Received, writer: asyncio.StreamWriter) -> None:
        method, target, _ = received.head.split()
        asked = parse_qs(urlsplit(target).query).get("event_id")
        if method == "GET" and asked:
            body = msgspec.json.encode({"times": handled[asked[0]]})
            await respond_with(200, body)(server, received, writer)
        elif method == "HEAD":
            await respond_with(405)(server, received, writer)
        else:
            status = await answer(Delivery(received, secret, handled, server))
            await respond_with(status)(server, received, writer)

    async with receiving(behave) as server:
        yield Integrator(server.url, secret, f"http://127.0.0.1:{server.port}/handled")


async def good(delivery: Delivery) -> int:
    if not delivery.received.head.startswith("POST"):
        return 405
    if not delivery.is_genuine():
        return 401
    delivery.handled[delivery.id] = 1
    return 204


async def ignores_signatures(delivery: Delivery) -> int:
    if not delivery.received.head.startswith("POST"):
        return 405
    delivery.handled[delivery.id] = 1
    return 204


async def ignores_age(delivery: Delivery) -> int:
    headers = delivery.received.headers
    sent_at = headers.get("webhook-timestamp", "")
    if not re.fullmatch("-?[0-9]{1,12}", sent_at):
        return 401
    signed = sign_webhook(delivery.id, delivery.received.body, delivery.secret, timestamp=int(sent_at))
    if signed["webhook-signature"] not in headers.get("webhook-signature", "").split():
        return 401
    delivery.handled[delivery.id] = 1
    return 204


async def reads_the_first_signature(delivery: Delivery) -> int:
    first, *_ = [*delivery.received.headers.get("webhook-signature", "").split(), ""]
    return await good(delivery.changed(delivery.received.body, webhook_signature=first))


async def verifies_what_it_parsed(delivery: Delivery) -> int:
    try:
        parsed = json.dumps(delivery.document, ensure_ascii=False, separators=(",", ":")).encode()
    except ValueError:
        return 400
    except RecursionError:
        return 500
    return await good(delivery.changed(parsed))


async def acts_each_time(delivery: Delivery) -> int:
    status = await good(delivery._replace(handled=Counter()))
    delivery.handled[delivery.id] += status == 204
    return status


async def notes_before_it_verifies(delivery: Delivery) -> int:
    if f"seen {delivery.id}" in delivery.handled:
        return 204 if delivery.is_genuine() else 401
    delivery.handled[f"seen {delivery.id}"] = 1
    return await good(delivery)


async def acts_before_it_verifies(delivery: Delivery) -> int:
    delivery.handled[delivery.id] = 1
    return await good(delivery)


async def knows_all_types(delivery: Delivery) -> int:
    status = await good(delivery)
    return 400 if status == 204 and delivery.document["type"] not in {*EventType} else status


async def knows_all_fields(delivery: Delivery) -> int:
    status = await good(delivery)
    return 422 if status == 204 and "livemode" in delivery.document else status


async def takes_small_bodies(delivery: Delivery) -> int:
    return 413 if len(delivery.received.body) > 100_000 else await good(delivery)


async def knows_three_bytes(delivery: Delivery) -> int:
    status = await good(delivery)
    return 500 if status == 204 and any(character > "\uffff" for character in str(delivery.document)) else status


async def takes_new_events(delivery: Delivery) -> int:
    status = await good(delivery)
    if status != 204:
        return status
    age = current_time() - datetime.fromisoformat(delivery.document["timestamp"])
    return 400 if abs(age.total_seconds()) > 300 else 204


async def drops_older_events(delivery: Delivery) -> int:
    status = await good(delivery._replace(handled=Counter()))
    if status == 204 and delivery.document["sequence"] >= delivery.handled["newest"]:
        delivery.handled["newest"], delivery.handled[delivery.id] = delivery.document["sequence"], 1
    return status


async def breaks_without_a_signature(delivery: Delivery) -> int:
    is_unsigned = delivery.received.head.startswith("POST") and "webhook-signature" not in delivery.received.headers
    return 500 if is_unsigned else await good(delivery)


async def breaks_on_get(delivery: Delivery) -> int:
    return 500 if delivery.received.head.startswith("GET") else await good(delivery)


async def takes_every_digit(delivery: Delivery) -> int:
    sent_at = delivery.received.headers.get("webhook-timestamp", "")
    if sent_at.isdigit():
        try:
            int(sent_at)
        except ValueError:
            return 500
    return await good(delivery)


async def takes_few_at_once(delivery: Delivery) -> int:
    await asyncio.sleep(0.1)
    return 503 if delivery.server.out > _MANY else await good(delivery)


async def thinks_long(delivery: Delivery) -> int:
    await asyncio.sleep(0.2)
    return await good(delivery)


async def redirects(_delivery: Delivery) -> int:
    return 307


REFUSALS = {
    *("wrong-secret", "two-wrong-secrets", "changed-byte", "added-space", "cut-body", "empty-body", "changed-id"),
    *("changed-timestamp", "body-only", "old-timestamp", "future-timestamp", "worded-timestamp", "odd-timestamp"),
    *("no-id", "no-timestamp", "no-signature", "empty-signature", "no-base64", "other-version"),
}
# What each does wrong, and the scenarios that say so.
BROKEN: dict[Answer, set[str]] = {
    ignores_signatures: {*REFUSALS, "after-nonsense", "refused-unhandled"},
    ignores_age: {"old-timestamp", "future-timestamp", "refused-unhandled"},
    reads_the_first_signature: {"rotation-second", "more-versions"},
    verifies_what_it_parsed: {"added-space", "order-of-fields", "escaped-text", "after-nonsense", "refused-unhandled"},
    acts_each_time: {"doubled-once", "at-once"},
    notes_before_it_verifies: {"forged-first"},
    acts_before_it_verifies: {"refused-unhandled"},
    knows_all_types: {"unknown-type"},
    knows_all_fields: {"unknown-event-fields"},
    takes_small_bodies: {"large-body"},
    knows_three_bytes: {"emoji"},
    takes_new_events: {"late-event", "ahead-event", "retry-hours-later"},
    drops_older_events: {"out-of-order-handled"},
    takes_every_digit: {"odd-timestamp"},
    breaks_without_a_signature: {"no-signature", "after-nonsense"},
    breaks_on_get: {"method-get"},
    takes_few_at_once: {"many-at-once"},
    thinks_long: {"quick-answer"},
    redirects: {"accepted"},
}
