"""Was everything received that happened, and nothing else? And does the journal say what the service says?"""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

from examples.accounting.journal import KINDS, Journal
from frontdesk.client import Client
from frontdesk.webhooks.documents import Event
from frontdesk.webhooks.event_types import EventType

_DEAD = ("draft", "canceled")


class Proof(NamedTuple):
    missed: list[int]  # sequences that are listed and were never received
    invented: list[int]  # and the other way round
    differences: list[str]

    def __bool__(self) -> bool:
        return not any(self)


def happened(client: Client, hook_id: UUID, first: int, last: int) -> list[Event]:
    """What the service itself lists from one mark to the other, of the kinds that were subscribed to."""
    listed = (event for event in client.events.list(after=first - 1) if event.sequence <= last)
    return [event for event in listed if event.type in KINDS or _is_ping(event, hook_id)]


def prove(listed: Sequence[Event], received: Sequence[Event], client: Client) -> Proof:
    theirs, ours = ({event.id: event.sequence for event in events} for events in (listed, received))
    return Proof(
        missed=sorted(theirs[one] for one in theirs.keys() - ours.keys()),
        invented=sorted(ours[one] for one in ours.keys() - theirs.keys()),
        differences=list(differences(Journal(received), client)),
    )


def differences(journal: Journal, client: Client) -> Iterable[str]:
    if sum(journal.balances.values()):
        yield f"the accounts do not balance: {dict(journal.balances)}"
    for order_id, booked in journal.orders.items():
        order = client.orders.get(order_id)
        sold = Decimal(0) if order.status in _DEAD else order.total
        if booked != (sold, order.paid_amount - order.refunded_amount):
            yield f"order {order.order_number}: the journal says {booked}, the service {sold}, {order.paid_amount}"


def _is_ping(event: Event, hook_id: UUID) -> bool:
    return event.type == EventType.WEBHOOK_PING and event.data["webhook_id"] == str(hook_id)
