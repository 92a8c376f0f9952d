"""What an application does while nothing goes wrong."""

import asyncio
import json
from typing import Any

from frontdesk.developer_tools.conformance.flow.flow import ORDERS, TOKENS, Flow
from frontdesk.developer_tools.conformance.flow.proxy import Answer, Call, Plan
from frontdesk.developer_tools.conformance.scenarios import Failed, Group, Scenarios

scenarios = Scenarios(Group.FLOW, "booking#create-an-order")
_MOST_CALLS = 30  # for one booking
_MOST_READS = 4  # of one address
_IDLE, _MOST_IDLE = 4.0, 2  # seconds without a task, and the requests in them


@scenarios.add(
    "books",
    "A booking on a quiet day",
    expected="its calls come by the address that is printed, and one order is made",
    advice="Let your application call the printed address as its base URL, and do the task `book`.",
    guide="tools#try-the-calls-of-your-application",
)
async def _books(flow: Flow) -> None:
    booking = await flow.book()
    if not booking.run.calls:
        raise Failed(f"answered {booking.run.status}, and no call came by {flow.proxy.base_url}")
    booking.require_one()


@scenarios.add(
    "keys",
    "Every write has an Idempotency-Key",
    expected="each POST, PATCH, PUT and DELETE that writes has an Idempotency-Key",
    advice="Make a key for each write before you send it, and store it with what you are about to do.",
    guide="idempotency#when-to-retry",
)
async def _keys(flow: Flow) -> None:
    booking = await flow.book()
    booking.require_one()
    booking.run.require_keys()


@scenarios.add(
    "keys-differ",
    "Two bookings have different keys",
    expected="no two writes have one key",
    advice="A key belongs to one act: another act with the same key is refused.",
    guide="idempotency#when-to-retry",
)
async def _keys_differ(flow: Flow) -> None:
    first, second = await flow.book(), await flow.book()
    for booking in (first, second):
        booking.require_one()
    keys = [call.key for booking in (first, second) for call in booking.run.calls if call.is_write and call.key]
    if len(keys) != len(set(keys)):
        raise Failed("used one key for two writes")


@scenarios.add(
    "token-kept",
    "A token is used until it ends",
    expected="two bookings need at most one new token",
    advice="Store the token for the time in `expires_in`, and ask for a new one a little before.",
    guide="authentication#access-tokens",
)
async def _token_kept(flow: Flow) -> None:
    first, second = await flow.book(), await flow.book()
    found = len(first.run.to(TOKENS)) + len(second.run.to(TOKENS))
    if found > 1:
        raise Failed(f"asked for {found} tokens in two bookings")


@scenarios.add(
    "few-calls",
    "A booking needs few requests",
    expected=f"at most {_MOST_CALLS} requests, and at most {_MOST_READS} for the same address",
    advice="Keep what seldom changes: branches, services, payment methods. Webhooks say when it does.",
    guide="rate-limits#handle-429-responses",
)
async def _few_calls(flow: Flow) -> None:
    booking = await flow.book()
    booking.require_one()
    booking.run.require_at_most(_MOST_CALLS)
    reads = [(call.path, call.query) for call in booking.run.calls if call.method == "GET"]
    for path, query in reads:
        if reads.count((path, query)) > _MOST_READS:
            raise Failed(f"read {path} {reads.count((path, query))} times")


@scenarios.add(
    "no-polling",
    "Nothing is fetched while there is nothing to do",
    expected=f"at most {_MOST_IDLE} requests in {_IDLE:g} seconds without a task",
    advice="Let webhooks tell you what happens, and look for what was missed every few minutes.",
    guide="webhooks#verify-that-nothing-was-missed",
)
async def _no_polling(flow: Flow) -> None:
    before = len(flow.proxy.calls)
    await asyncio.sleep(_IDLE)
    found = len(flow.proxy.calls) - before
    if found > _MOST_IDLE:
        raise Failed(f"sent {found} requests in {_IDLE:g} s")


_OF_OTHERS = {"metadata"}  # whose keys the application chose itself


def _with_fields(value: Any) -> Any:  # noqa: ANN401 - any JSON
    if isinstance(value, list):
        return [_with_fields(one) for one in value]
    if isinstance(value, dict):
        known = {name: one if name in _OF_OTHERS else _with_fields(one) for name, one in value.items()}
        return {**known, "added_in_2031": {"of": ["a", 1, None]}}
    return value


def _add_fields(_call: Call, answer: Answer) -> Answer:
    """To every object but those whose names are days or languages."""
    try:
        document = json.loads(answer.body)
    except ValueError:
        return answer
    data = document.get("data")
    if isinstance(data, dict) and "slots" in data:
        document = {**document, "data": {**data, "added_in_2031": True}, "added_in_2031": True}
    else:
        document = _with_fields(document)
    return answer._replace(body=json.dumps(document).encode())


@scenarios.add(
    "new-fields",
    "Answers with fields that your program does not know",
    expected="one order is made as always",
    advice="Ignore fields that you do not know: new ones are added at any time.",
    guide="versioning",
)
async def _unknown_fields(flow: Flow) -> None:
    booking = await flow.book(plan=Plan(after=_add_fields))
    booking.require_one()


def _with_new_words(call: Call, answer: Answer) -> Answer:
    if not call.is_to(ORDERS) or answer.status != 201:
        return answer
    document = json.loads(answer.body)
    for name in {"status", "payment_status", "source"} & document["data"].keys():
        document["data"][name] = "a_word_of_2031"
    return answer._replace(body=json.dumps(document).encode())


@scenarios.add(
    "new-values",
    "An order with a status that your program does not know",
    expected="the booking is done, and one order is made",
    advice="Let a value that you do not know stand: lists of values grow.",
    guide="versioning",
)
async def _unknown_values(flow: Flow) -> None:
    booking = await flow.book(plan=Plan(after=_with_new_words))
    booking.require_one()
