"""What is refused for a reason: the same request is refused again."""

from frontdesk.developer_tools.conformance.flow.flow import AVAILABILITY, ORDERS, PAYMENTS, Flow, Run, error
from frontdesk.developer_tools.conformance.scenarios import Failed, Group, Scenarios
from frontdesk.values.ids import uuid7

scenarios = Scenarios(Group.FLOW, "booking#if-a-slot-is-unavailable")
_MANY, _MOST = 1000, 10
_READ = "Read `code`: what is refused for a reason is refused again. Report it to a person, or change the request."


def require_other_times(run: Run) -> None:
    """After another search, which still offers the time of a fault, any time may be taken."""
    refused: set[bytes] = set()
    for call in run.calls:
        if call.is_to(AVAILABILITY):
            refused.clear()
        elif call.is_to(ORDERS):
            if call.body in refused:
                raise Failed(f"sent the same {ORDERS} again")
            refused.add(call.body)


@scenarios.add(
    "slot-taken",
    "Another customer has taken the time",
    expected="does not send the same order again; takes another time, or says that it could not be booked",
    advice="Take one of `details.alternatives`, or search again.",
)
async def _slot_taken(flow: Flow) -> None:
    booking = await flow.book(error(422, ORDERS, code="timeslot_unavailable"))
    booking.require_at_most_one()
    require_other_times(booking.run)
    if booking.run.is_done:
        booking.require_one()


@scenarios.add(
    "slots-all-taken",
    "Every time has been taken",
    expected=f"gives up after at most {_MOST} orders, and says that it could not be booked",
    advice="Try a few times, then ask the customer.",
)
async def _slots_all_taken(flow: Flow) -> None:
    booking = await flow.book(error(422, ORDERS, code="timeslot_unavailable", times=_MANY))
    booking.run.require_at_most(_MOST, ORDERS)
    booking.require_none()


@scenarios.add(
    "invalid-order",
    "422 to an order: a field is wrong",
    expected="does not send the order again, and says that it could not be booked",
    advice=_READ,
    guide="idempotency#when-to-retry",
)
async def _invalid(flow: Flow) -> None:
    booking = await flow.book(error(422, ORDERS, code="validation_error", times=_MANY))
    booking.run.require_at_most(1, ORDERS)
    booking.require_none()


@scenarios.add(
    "missing-scope",
    "403 to an order: the business has not approved the scope",
    expected="does not send the order again, and asks for no new token",
    advice="Ask the business to approve the scope in `details.scope`. A new token has the same scopes.",
    guide="authentication#scopes",
)
async def _missing_scope(flow: Flow) -> None:
    booking = await flow.book(error(403, ORDERS, code="insufficient_scope", times=_MANY))
    booking.run.require_at_most(1, ORDERS)
    booking.run.require_at_most(1, "POST /oauth/token")
    booking.require_none()


@scenarios.add(
    "suspended",
    "403 to an order: the business is suspended",
    expected="does not send the order again, and says that it could not be booked",
    advice="Stop sending, and go on when the business says so.",
    guide="errors#error-codes",
)
async def _suspended(flow: Flow) -> None:
    booking = await flow.book(error(403, ORDERS, code="business_suspended", times=_MANY))
    booking.run.require_at_most(1, ORDERS)
    booking.require_none()


@scenarios.add(
    "no-such-order",
    "A payment of an order that does not exist",
    expected="does not send the payment again, and says that it was not recorded",
    advice=_READ,
    guide="idempotency#when-to-retry",
)
async def _no_such_order(flow: Flow) -> None:
    run = await flow.run("pay", order_id=str(uuid7()), amount=10)
    run.require_at_most(1, PAYMENTS)
    run.require_not_done()
