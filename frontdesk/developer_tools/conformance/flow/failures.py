"""Bookings while the service, or the way to it, fails: what is repeated, when, and that it is done once."""

from frontdesk.developer_tools.conformance.flow.flow import CUSTOMERS, ORDERS, Booking, Flow, error, fault
from frontdesk.developer_tools.conformance.flow.proxy import Answer, Call, Cut, Plan
from frontdesk.developer_tools.conformance.scenarios import Failed, Group, Scenarios

scenarios = Scenarios(Group.FLOW, "idempotency#when-to-retry")
_RETRY_AFTER = 1.0  # seconds, as a fault of a sandbox says it
_SLOW = 10  # seconds
_MANY, _MOST = 1000, 12  # faults, and attempts
_PAUSE = 0.05  # seconds: less is no pause
_AGAIN = "Send the same request with the same Idempotency-Key, after a pause that grows."
_WAIT = "Wait as many seconds as `Retry-After` says, then send the same request with the same key."
_KEY = "Make the key once for each write, not for each attempt."


def _require_once(booking: Booking, route: str = ORDERS) -> None:
    """Repeated under one key until it was done."""
    booking.require_at_most_one()
    booking.run.require_repeated(route)
    booking.run.require_one_key(route)
    booking.require_one()


@scenarios.add(
    "rate-limited",
    "429 to an order, twice",
    expected="waits as long as Retry-After says, sends the same request again, and one order is made",
    advice=_WAIT,
    guide="rate-limits#handle-429-responses",
)
async def _rate_limited(flow: Flow) -> None:
    booking = await flow.book(error(429, ORDERS, times=2))
    booking.run.require_waits(ORDERS, _RETRY_AFTER)
    _require_once(booking)


@scenarios.add(
    "rate-limited-anywhere",
    "429 to the first request, whichever it is",
    expected="waits as long as Retry-After says, and one order is made",
    advice="Put the wait where all requests are sent, not only where orders are.",
    guide="rate-limits#handle-429-responses",
)
async def _rate_limited_anywhere(flow: Flow) -> None:
    booking = await flow.book(error(429))
    first = next((call for call in booking.run.calls if call.status == 429), None)
    if first is not None:
        booking.run.require_waits(f"{first.method} {first.path}", _RETRY_AFTER)
    booking.require_one()


@scenarios.add(
    "unavailable",
    "503 to an order",
    expected="waits as long as Retry-After says, sends the same request again, and one order is made",
    advice=_WAIT,
)
async def _unavailable(flow: Flow) -> None:
    booking = await flow.book(error(503, ORDERS))
    booking.run.require_waits(ORDERS, _RETRY_AFTER)
    _require_once(booking)


@scenarios.add(
    "server-error",
    "500 to an order, twice",
    expected="sends the same request with the same key again, and one order is made",
    advice=_AGAIN,
)
async def _server_error(flow: Flow) -> None:
    _require_once(await flow.book(error(500, ORDERS, times=2)))


@scenarios.add(
    "not-checked",
    "502 to an order: availability could not be checked",
    expected="sends the same request with the same key again, and one order is made",
    advice="Nothing was made: send the same request again.",
    guide="booking#if-a-slot-is-unavailable",
)
async def _not_checked(flow: Flow) -> None:
    _require_once(await flow.book(error(502, ORDERS)))


class _Once:
    """Does something to the first order that is sent."""

    def __init__(self, answer: Answer | None) -> None:
        self._answer = answer
        self._is_over = False

    async def __call__(self, call: Call) -> Answer | None:
        if self._is_over or not call.is_to(ORDERS):
            return None
        self._is_over = True
        if self._answer is None:
            raise Cut
        return self._answer


_PAGE = Answer(502, {"content-type": "text/html"}, b"<html><body><h1>502 Bad Gateway</h1></body></html>")


@scenarios.add(
    "html-error",
    "502 with an HTML page, as a proxy on the way answers",
    expected="sends the same request with the same key again, and one order is made",
    advice="Look at the status before you parse the body: a proxy knows no JSON.",
)
async def _html_error(flow: Flow) -> None:
    _require_once(await flow.book(plan=Plan(before=_Once(_PAGE))))


@scenarios.add(
    "cut-off",
    "The connection breaks before the order arrives",
    expected="sends the same request with the same key again, and one order is made",
    advice=_AGAIN,
)
async def _cut_off(flow: Flow) -> None:
    _require_once(await flow.book(plan=Plan(before=_Once(None))))


@scenarios.add(
    "lost-answer",
    "The order is made, and the answer is lost",
    expected="sends the same request with the same key again, and ends with one order",
    advice=_KEY,
    guide="idempotency#after-a-timeout",
)
async def _lost_answer(flow: Flow) -> None:
    await _lose_answer(flow, ORDERS)


@scenarios.add(
    "lost-customer",
    "The customer is made, and the answer is lost",
    expected="sends the same request with the same key again, and ends with one customer and one order",
    advice=_KEY,
    guide="idempotency#after-a-timeout",
)
async def _lost_customer(flow: Flow) -> None:
    await _lose_answer(flow, CUSTOMERS)


async def _lose_answer(flow: Flow, route: str) -> None:
    booking = await flow.book(fault("lost_answer", route))
    booking.require_at_most_one()
    booking.run.require_one_key(route)
    booking.require_one()


@scenarios.add(
    "slow-answer",
    f"The answer to an order takes {_SLOW} seconds",
    expected="waits, or sends the same request with the same key again, and ends with one order",
    advice="Wait 30 seconds for an answer. If you give up earlier, retry with the same key.",
)
async def _slow_answer(flow: Flow) -> None:
    booking = await flow.book(fault("slow", ORDERS, seconds=_SLOW))
    booking.require_at_most_one()
    booking.run.require_one_key(ORDERS)
    booking.require_one()


@scenarios.add(
    "key-in-use",
    "409 to an order: a request with its key is still running",
    expected="sends the same request with the same key again, and one order is made",
    advice="The first request is still running: ask again with the same key in a moment.",
)
async def _key_in_use(flow: Flow) -> None:
    _require_once(await flow.book(error(409, ORDERS, code="idempotency_key_in_use")))


@scenarios.add(
    "gives-up",
    "500 to every order",
    expected=f"gives up after at most {_MOST} attempts, and says that the task was not done",
    advice="Stop after a few attempts, and report the failure to a person.",
)
async def _gives_up(flow: Flow) -> None:
    booking = await flow.book(error(500, ORDERS, times=_MANY))
    booking.run.require_at_most(_MOST, ORDERS)
    booking.require_none()


@scenarios.add(
    "pauses",
    "503 to every order: there is a pause before each attempt",
    expected="waits before each attempt as long as Retry-After says",
    advice=_WAIT,
)
async def _pauses(flow: Flow) -> None:
    booking = await flow.book(error(503, ORDERS, times=_MANY))
    booking.run.require_at_most(_MOST, ORDERS)
    booking.run.require_waits(ORDERS, _RETRY_AFTER)


@scenarios.add(
    "backs-off",
    "500 to every order: there is a pause before each attempt",
    expected=f"at least {_PAUSE * 1000:g} ms between two attempts, and longer at the end than at the beginning",
    advice="Double the pause with each attempt, and add some chance to it.",
)
async def _backs_off(flow: Flow) -> None:
    run = (await flow.book(error(500, ORDERS, times=_MANY))).run
    run.require_pauses(ORDERS, _PAUSE)
    at = [call.at for call in run.to(ORDERS)]
    if len(at) > 2 and at[-1] - at[-2] < at[1] - at[0]:
        raise Failed("the pause before the last attempt was shorter than the first")
