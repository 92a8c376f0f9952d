"""Right deliveries with all that an event can be."""

from datetime import timedelta

from frontdesk.developer_tools.conformance.events import KIT_BUSINESS, customer_data, sample_data
from frontdesk.developer_tools.conformance.receiver.receiver import Receiver
from frontdesk.developer_tools.conformance.scenarios import Group, Scenarios
from frontdesk.values.clock import current_time
from frontdesk.webhooks.event_types import EventType

scenarios = Scenarios(Group.RECEIVER, "webhooks#receive-events")
_LARGE = 2_000  # lines of an order
_RAW = "Read the body as bytes, verify those, and parse them afterwards."
_UNKNOWN = "Take the fields that you know, and leave the others."


@scenarios.add(
    "accepted",
    "A delivery as Frontdesk sends it",
    expected="a 2xx status within 15 seconds",
    advice="Check the address and the signing secret. Redirects are not followed: register the last address. "
    f"If your program knows businesses by `tenant_id`, let it know {KIT_BUSINESS}.",
)
async def _accepted(receiver: Receiver) -> None:
    await receiver.accepts(receiver.events.make())


@scenarios.add(
    "handled",
    "What was accepted is acted on",
    expected="the event is acted on once",
    advice="Answer 2xx only after the event is stored, and work on what is stored.",
)
async def _handled(receiver: Receiver) -> None:
    receiver.require_telling()
    event = receiver.events.make()
    await receiver.accepts(event)
    await receiver.require_handled(event)


@scenarios.add(
    "arabic-text",
    "Names in Arabic",
    expected="2xx",
    advice="Read the body as UTF-8, and store text in a database whose encoding is UTF-8.",
)
async def _arabic(receiver: Receiver) -> None:
    data = customer_data(first_name="نورة", last_name="آل سعود", note="تفضّل الصباح")
    await receiver.accepts(receiver.events.make(data=data))


@scenarios.add(
    "emoji",
    "Characters of four bytes, joined ones and marks of direction",
    expected="2xx",
    advice="In MySQL choose utf8mb4. Cut text at characters, not at bytes.",
)
async def _emoji(receiver: Receiver) -> None:
    data = customer_data(first_name="Zoë 👩‍🦰", note="\u202bنص\u202c — “quoted” \\ / \u2028")
    await receiver.accepts(receiver.events.make(data=data))


@scenarios.add(
    "large-body",
    "An event of some hundred kilobytes",
    expected="2xx",
    advice="Let your server and the proxy in front of it take bodies of at least 1 MiB.",
)
async def _large(receiver: Receiver) -> None:
    order = sample_data(EventType.ORDER_CREATED)["order"]
    items = [{**order["items"][0], "line_id": f"{number}"} for number in range(_LARGE)]
    data = {"order": {**order, "items": items}}
    await receiver.accepts(receiver.events.make(EventType.ORDER_CREATED, data))


@scenarios.add(
    "thin-body",
    "An event whose data is empty",
    expected="2xx",
    advice="Store the event first. Look at its type before you read its data.",
)
async def _thin(receiver: Receiver) -> None:
    await receiver.accepts(receiver.events.make(EventType.WEBHOOK_PING, {}))


@scenarios.add(
    "null-fields",
    "A record whose optional fields are null",
    expected="2xx",
    advice="Every field that may be null in the reference can be null in an event.",
)
async def _nulls(receiver: Receiver) -> None:
    empty = dict.fromkeys(("last_name", "email", "phone", "city", "address", "note"))
    await receiver.accepts(receiver.events.make(data=customer_data(**empty)))


@scenarios.add(
    "unknown-type",
    "A type of event that did not exist when you wrote the program",
    expected="2xx, and nothing else happens",
    advice="Accept what you do not know. Anything else is sent again for days.",
)
async def _unknown_type(receiver: Receiver) -> None:
    await receiver.accepts(receiver.events.make("loyalty.points_changed", {"points": {"id": "1", "balance": 3}}))


@scenarios.add("unknown-fields", "New fields of a record", expected="2xx", advice=_UNKNOWN)
async def _unknown_fields(receiver: Receiver) -> None:
    data = customer_data(favourite_colour="blue", loyalty={"level": 3})
    await receiver.accepts(receiver.events.make(data=data))


@scenarios.add("unknown-event-fields", "New fields beside `data`", expected="2xx", advice=_UNKNOWN)
async def _unknown_event_fields(receiver: Receiver) -> None:
    await receiver.accepts(receiver.events.make().with_fields(livemode=False, links={"self": "/events/1"}))


@scenarios.add("order-of-fields", "The fields in another order, and spaces between them", expected="2xx", advice=_RAW)
async def _order_of_fields(receiver: Receiver) -> None:
    event = receiver.events.make()
    spaced = event.body.replace(b'","type":', b'" ,\n  "type" : ')
    await receiver.accepts(event._replace(body=spaced + b"\n"))


@scenarios.add("escaped-text", "Characters written as \\u0645 in the JSON", expected="2xx", advice=_RAW)
async def _escaped(receiver: Receiver) -> None:
    event = receiver.events.make(data=customer_data(first_name="@name"))
    await receiver.accepts(event._replace(body=event.body.replace(b"@name", b"\\u0645\\u0646\\u0649 \\u002d")))


@scenarios.add(
    "late-event",
    "An event of two days ago that arrives only now",
    expected="2xx",
    advice="Only webhook-timestamp has to be new: it is the time of the attempt. The event may be old.",
)
async def _late(receiver: Receiver) -> None:
    await receiver.accepts(receiver.events.make(at=current_time() - timedelta(days=2)))


@scenarios.add(
    "ahead-event",
    "An event of a sandbox whose clock was moved ahead by a week",
    expected="2xx",
    advice="The `timestamp` of the event is at the time of the business: compare webhook-timestamp, not that.",
    guide="bad-days#move-the-clock",
)
async def _ahead(receiver: Receiver) -> None:
    await receiver.accepts(receiver.events.make(at=current_time() + timedelta(days=7)))
