"""Compares the received events with the server's list of events, and the journal with the server's orders."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

from examples.accounting.journal import EVENT_TYPES, Journal
from frontdesk_client import Client
from frontdesk_client.models import Event

_NOT_SOLD = ("draft", "canceled")


class Reconciliation(NamedTuple):
    missed: list[int]  # sequence numbers that the server lists and that were not received
    unexpected: list[int]  # sequence numbers that were received and that the server does not list
    differences: list[str]

    @property
    def is_complete(self) -> bool:
        return not any(self)


def list_events(client: Client, webhook_id: UUID, first: int, last: int) -> list[Event]:
    """The subscribed events and the pings of the webhook, from one sequence number to another."""
    listed = (event for event in client.events.list(after=first - 1) if event.sequence <= last)
    return [event for event in listed if event.type in EVENT_TYPES or _is_ping(event, webhook_id)]


def reconcile(listed: Sequence[Event], received: Sequence[Event], client: Client) -> Reconciliation:
    theirs, ours = ({event.id: event.sequence for event in events} for events in (listed, received))
    return Reconciliation(
        missed=sorted(theirs[event_id] for event_id in theirs.keys() - ours.keys()),
        unexpected=sorted(ours[event_id] for event_id in ours.keys() - theirs.keys()),
        differences=list(differences(Journal(received), client)),
    )


def differences(journal: Journal, client: Client) -> Iterable[str]:
    if sum(journal.balances.values()):
        yield f"the accounts do not balance: {dict(journal.balances)}"
    for order_id, recorded in journal.orders.items():
        order = client.orders.get(order_id)
        total = Decimal(0) if order.status in _NOT_SOLD else order.total
        paid = order.paid_amount - order.refunded_amount
        if recorded != (total, paid):
            yield f"order {order.order_number}: journal {recorded}, server {(total, paid)}"


def _is_ping(event: Event, webhook_id: UUID) -> bool:
    return event.type == "webhook.ping" and event.data["webhook_id"] == str(webhook_id)
