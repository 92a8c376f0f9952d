"""Deliveries that come again, late, or in another order."""

import asyncio
from datetime import timedelta

from frontdesk.developer_tools.conformance.receiver.receiver import Receiver, require_accepted
from frontdesk.developer_tools.conformance.scenarios import Group, Scenarios
from frontdesk.values.clock import current_time
from frontdesk.webhooks.event_types import EventType

scenarios = Scenarios(Group.RECEIVER, "webhooks#receive-events")
_ONCE = "Store the `id` of the event in the transaction in which you act on it, under a unique key."
_AT_ONCE = 5
_HOUR = timedelta(hours=1)


@scenarios.add(
    "doubled",
    "The same delivery twice",
    expected="2xx both times",
    advice="Answer 2xx to what you already have: otherwise it is sent again and again.",
)
async def _doubled(receiver: Receiver) -> None:
    event = receiver.events.make()
    await receiver.accepts(event)
    await receiver.accepts(event)


@scenarios.add(
    "doubled-once", "The same delivery twice is acted on once", expected="the event is acted on once", advice=_ONCE
)
async def _doubled_once(receiver: Receiver) -> None:
    receiver.require_telling()
    event = receiver.events.make()
    await receiver.accepts(event)
    await receiver.accepts(event)
    await receiver.require_handled(event)


@scenarios.add(
    "at-once",
    f"The same delivery {_AT_ONCE} times at the same moment is acted on once",
    expected="2xx each time, and the event is acted on once",
    advice=_ONCE,
)
async def _at_once(receiver: Receiver) -> None:
    receiver.require_telling()
    event = receiver.events.make()
    for reply in await asyncio.gather(*(receiver.send(event) for _ in range(_AT_ONCE))):
        require_accepted(reply)
    await receiver.require_handled(event)


@scenarios.add(
    "retry-hours-later",
    "A second attempt hours later, with a new timestamp",
    expected="2xx",
    advice="Each attempt has a new webhook-timestamp and the same webhook-id.",
    guide="webhooks#retries",
)
async def _retry(receiver: Receiver) -> None:
    event = receiver.events.make(at=current_time() - 5 * _HOUR)
    await receiver.accepts(event, ago=60)
    await receiver.accepts(event)


@scenarios.add(
    "out-of-order",
    "A newer event before an older one",
    expected="2xx to both",
    advice="Accept both. Look at `sequence` where order matters, or read the record again.",
)
async def _out_of_order(receiver: Receiver) -> None:
    created = receiver.events.make(EventType.ORDER_CREATED)
    changed = receiver.events.make(EventType.ORDER_STATUS_CHANGED)
    await receiver.accepts(changed)
    await receiver.accepts(created)


@scenarios.add(
    "out-of-order-handled",
    "Both of two events that came in the wrong order are acted on",
    expected="each event is acted on once",
    advice="An older `sequence` is no reason to drop an event: only its `id` says whether you have it.",
)
async def _out_of_order_handled(receiver: Receiver) -> None:
    receiver.require_telling()
    older, newer = receiver.events.make(), receiver.events.make()
    for event in (newer, older):
        await receiver.accepts(event)
    for event in (newer, older):
        await receiver.require_handled(event)


@scenarios.add(
    "gap",
    "A sequence with a gap",
    expected="2xx",
    advice="Accept it, and read what is missing from `GET /events?after=`. What you may not read leaves gaps too.",
    guide="webhooks#verify-that-nothing-was-missed",
)
async def _gap(receiver: Receiver) -> None:
    await receiver.accepts(receiver.events.make())
    receiver.events.skip(500)
    await receiver.accepts(receiver.events.make())


@scenarios.add(
    "forged-first",
    "A forged delivery with the id of an event that comes afterwards",
    expected="the forged one is refused; the event is accepted and acted on",
    advice="Store the id of an event only after its signature was verified.",
)
async def _forged_first(receiver: Receiver) -> None:
    receiver.require_telling()
    event = receiver.events.make()
    await receiver.send(event, changed={"webhook-signature": "v1,Zm9yZ2Vk"})
    await receiver.accepts(event)
    await receiver.require_handled(event)


@scenarios.add(
    "refused-unhandled",
    "What was refused is not acted on",
    expected="no event is acted on whose delivery was refused",
    advice="Verify before you do anything else with the body.",
)
async def _refused_unhandled(receiver: Receiver) -> None:
    receiver.require_telling()
    await receiver.require_unhandled(receiver.refused)
