"""Signatures, right and wrong ones, and the time of the attempt."""

import base64
import hashlib
import hmac

from frontdesk.developer_tools.conformance.receiver.receiver import Receiver, require_accepted
from frontdesk.developer_tools.conformance.scenarios import Group, Scenarios
from frontdesk.webhooks.signing import new_signing_secret

scenarios = Scenarios(Group.RECEIVER, "webhooks#receive-events")
_REFUSED = "a 4xx status"
_VERIFY = "Compute the signature over `id.timestamp.body` as received, and refuse what has no equal one."
_AGE = "Refuse a webhook-timestamp that is more than five minutes from now, before or after."
_MISSING = "Refuse a request without the three headers, with a 4xx status. An error of the program is none."
_ROTATION = "webhook-signature has several signatures after a rotation, separated by spaces: one equal one is enough."
_EVERY = "The signature covers the id, the timestamp and the body: sign all three, joined by dots."
_MINUTE = 60


@scenarios.add("wrong-secret", "A signature made with another secret", expected=_REFUSED, advice=_VERIFY)
async def _wrong_secret(receiver: Receiver) -> None:
    await receiver.refuses(receiver.events.make(), secrets=(new_signing_secret(),))


@scenarios.add("two-wrong-secrets", "Two signatures, of two other secrets", expected=_REFUSED, advice=_VERIFY)
async def _two_wrong(receiver: Receiver) -> None:
    await receiver.refuses(receiver.events.make(), secrets=(new_signing_secret(), new_signing_secret()))


@scenarios.add("changed-byte", "A body of which one byte was changed", expected=_REFUSED, advice=_VERIFY)
async def _changed_byte(receiver: Receiver) -> None:
    event = receiver.events.make()
    await receiver.refuses(event, body=event.body.replace(b'"api_version":"v1"', b'"api_version":"v2"'))


@scenarios.add("added-space", "A body with a space more at its end", expected=_REFUSED, advice=_VERIFY)
async def _added_space(receiver: Receiver) -> None:
    event = receiver.events.make()
    await receiver.refuses(event, body=event.body + b" ")


@scenarios.add("cut-body", "A body whose second half is missing", expected=_REFUSED, advice=_VERIFY)
async def _cut_body(receiver: Receiver) -> None:
    event = receiver.events.make()
    await receiver.refuses(event, body=event.body[: len(event.body) // 2])


@scenarios.add("empty-body", "No body at all", expected=_REFUSED, advice=_VERIFY)
async def _empty_body(receiver: Receiver) -> None:
    await receiver.refuses(receiver.events.make(), body=b"")


@scenarios.add("changed-id", "Another webhook-id than the one that was signed", expected=_REFUSED, advice=_EVERY)
async def _changed_id(receiver: Receiver) -> None:
    await receiver.refuses(receiver.events.make(), changed={"webhook-id": receiver.events.make().id})


@scenarios.add("changed-timestamp", "An old delivery with a new webhook-timestamp", expected=_REFUSED, advice=_EVERY)
async def _changed_timestamp(receiver: Receiver) -> None:
    event = receiver.events.make()
    now = receiver.headers(event)["webhook-timestamp"]
    await receiver.refuses(event, ago=60 * _MINUTE, changed={"webhook-timestamp": now})


@scenarios.add("body-only", "A signature of the body alone", expected=_REFUSED, advice=_EVERY)
async def _body_only(receiver: Receiver) -> None:
    event = receiver.events.make()
    await receiver.refuses(event, changed={"webhook-signature": _signature(receiver, event.body)})


@scenarios.add("old-timestamp", "A delivery that was signed ten minutes ago", expected=_REFUSED, advice=_AGE)
async def _old(receiver: Receiver) -> None:
    await receiver.refuses(receiver.events.make(), ago=10 * _MINUTE)


@scenarios.add("future-timestamp", "A delivery that is signed for in ten minutes", expected=_REFUSED, advice=_AGE)
async def _future(receiver: Receiver) -> None:
    await receiver.refuses(receiver.events.make(), ago=-10 * _MINUTE)


@scenarios.add(
    "slow-network",
    "A delivery that was signed four minutes ago",
    expected="2xx",
    advice="Five minutes are allowed, for slow networks and clocks that differ. Set the clock of your machine by NTP.",
)
async def _slow_network(receiver: Receiver) -> None:
    await receiver.accepts(receiver.events.make(), ago=4 * _MINUTE)


@scenarios.add(
    "fast-clock",
    "A delivery of a clock that is two minutes fast",
    expected="2xx",
    advice="Five minutes are allowed in both directions.",
)
async def _fast_clock(receiver: Receiver) -> None:
    await receiver.accepts(receiver.events.make(), ago=-2 * _MINUTE)


@scenarios.add("worded-timestamp", "A webhook-timestamp that is no number", expected=_REFUSED, advice=_MISSING)
async def _worded(receiver: Receiver) -> None:
    await receiver.refuses(receiver.events.make(), changed={"webhook-timestamp": "yesterday"})


@scenarios.add(
    "odd-timestamp",
    "A webhook-timestamp that only looks like a number",
    expected=_REFUSED,
    advice="Take one to twelve of the digits 0 to 9, and nothing else, before you convert it: `²` is a digit to some "
    "languages, and five thousand digits are no number to others.",
)
async def _odd(receiver: Receiver) -> None:
    for value in ("²", "9" * 5000):
        await receiver.refuses(receiver.events.make(), changed={"webhook-timestamp": value})


@scenarios.add("no-id", "No webhook-id", expected=_REFUSED, advice=_MISSING)
async def _no_id(receiver: Receiver) -> None:
    await receiver.refuses(receiver.events.make(), changed={"webhook-id": None})


@scenarios.add("no-timestamp", "No webhook-timestamp", expected=_REFUSED, advice=_MISSING)
async def _no_timestamp(receiver: Receiver) -> None:
    await receiver.refuses(receiver.events.make(), changed={"webhook-timestamp": None})


@scenarios.add("no-signature", "No webhook-signature", expected=_REFUSED, advice=_MISSING)
async def _no_signature(receiver: Receiver) -> None:
    await receiver.refuses(receiver.events.make(), changed={"webhook-signature": None})


@scenarios.add("empty-signature", "An empty webhook-signature", expected=_REFUSED, advice=_VERIFY)
async def _empty_signature(receiver: Receiver) -> None:
    await receiver.refuses(receiver.events.make(), changed={"webhook-signature": ""})


@scenarios.add("no-base64", "A signature that is no Base64", expected=_REFUSED, advice=_VERIFY)
async def _no_base64(receiver: Receiver) -> None:
    await receiver.refuses(receiver.events.make(), changed={"webhook-signature": "v1,%%%not-base64%%%"})


@scenarios.add(
    "other-version",
    "The right signature under another version, `v2,…`",
    expected=_REFUSED,
    advice="Only `v1,` is a signature of this kind. Take no other version for it.",
)
async def _other_version(receiver: Receiver) -> None:
    event = receiver.events.make()
    right = receiver.headers(event)["webhook-signature"]
    await receiver.refuses(event, changed={"webhook-signature": right.replace("v1,", "v2,")})


@scenarios.add(
    "more-versions",
    "The right signature beside one of another version",
    expected="2xx",
    advice="Pass over the versions that you do not know.",
)
async def _more_versions(receiver: Receiver) -> None:
    event = receiver.events.make()
    right = receiver.headers(event)["webhook-signature"]
    require_accepted(await receiver.send(event, changed={"webhook-signature": f"v1a,bm90IHlvdXJz {right}"}))


@scenarios.add("rotation-first", "A rotation: your secret signs first", expected="2xx", advice=_ROTATION)
async def _rotation_first(receiver: Receiver) -> None:
    await receiver.accepts(receiver.events.make(), secrets=(receiver.secret, new_signing_secret()))


@scenarios.add("rotation-second", "A rotation: your secret signs second", expected="2xx", advice=_ROTATION)
async def _rotation_second(receiver: Receiver) -> None:
    await receiver.accepts(receiver.events.make(), secrets=(new_signing_secret(), receiver.secret))


def _signature(receiver: Receiver, signed: bytes) -> str:
    key = base64.b64decode(receiver.secret.removeprefix("whsec_"))
    return f"v1,{base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()}"
