"""Tokens that are revoked, refused, or not to be had."""

from frontdesk.developer_tools.conformance.flow.flow import ORDERS, TOKENS, Flow, error, fault
from frontdesk.developer_tools.conformance.scenarios import Failed, Group, Scenarios

scenarios = Scenarios(Group.FLOW, "authentication#access-tokens")
_MANY = 1000
_MOST_TOKENS, _MOST_CALLS = 3, 20
_ONCE = "On 401 ask for a new token once, and send the request again once."


@scenarios.add(
    "token-revoked",
    "The token is revoked before an order",
    expected="asks for one new token, and makes one order",
    advice=_ONCE,
)
async def _revoked(flow: Flow) -> None:
    booking = await flow.book(fault("token_revoked", ORDERS))
    booking.require_one()
    used = [call.headers.get("authorization") for call in booking.run.to(ORDERS)]
    if len(used) > 2:
        raise Failed(f"sent the order {len(used)} times")
    booking.run.require_at_most(2, TOKENS)  # the first of them if it had none
    booking.run.require_one_key(ORDERS)


@scenarios.add(
    "token-refused",
    "401 to every request, with any token",
    expected=f"gives up after at most {_MOST_TOKENS} tokens and {_MOST_CALLS} requests",
    advice=f"{_ONCE} If that is refused too, stop: the business has disconnected you.",
)
async def _refused(flow: Flow) -> None:
    route = ORDERS
    booking = await flow.book(error(401, route, times=_MANY))
    booking.run.require_at_most(_MOST_TOKENS, TOKENS)
    booking.run.require_at_most(_MOST_TOKENS, route)
    booking.run.require_at_most(_MOST_CALLS)
    booking.require_none()


@scenarios.add(
    "token-later",
    "The token is revoked, and the next one is answered with 503",
    expected="waits, asks for the token again, and makes one order",
    advice="A token is asked for as any other request is sent: with pauses and a few attempts.",
)
async def _later(flow: Flow) -> None:
    booking = await flow.book(fault("token_revoked", ORDERS), error(503, TOKENS))
    booking.run.require_waits(TOKENS, 1.0)
    booking.require_one()
