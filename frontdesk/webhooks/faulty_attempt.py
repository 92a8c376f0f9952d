"""An attempt of a sandbox that goes wrong on purpose, as deliveries do on real networks."""

from collections.abc import Awaitable, Callable

from frontdesk.tenants.fault_queries import Fault, FaultKind
from frontdesk.values.clock import current_time
from frontdesk.webhooks.attempt import AttemptResult, record
from frontdesk.webhooks.delivery_queries import ClaimedDelivery


async def attempt_faulty(
    fault: Fault, delivery: ClaimedDelivery, attempt: Callable[[], Awaitable[AttemptResult]]
) -> AttemptResult:
    """A lost one counts as delivered: only the gap in the sequence says that the event was never received."""
    if fault.kind is FaultKind.WEBHOOK_DOUBLED:
        await attempt()
        return await attempt()
    if fault.kind is FaultKind.WEBHOOK_LOST:
        lost = record(delivery, current_time(), 0, None, error="lost on purpose: not sent", state="delivered")
        return AttemptResult(lost, delivered=True, reached_receiver=False)
    error = "held back on purpose"
    held = record(delivery, current_time(), 0, None, error=error, state="due", delay=float(fault.seconds or 0))
    return AttemptResult(held, delivered=False, reached_receiver=False)
