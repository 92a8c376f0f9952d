"""A journal by double entry, made of events alone."""

from collections import Counter
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from frontdesk.webhooks.documents import Event
from frontdesk.webhooks.event_types import EventType

KINDS = (EventType.ORDER_CREATED, EventType.ORDER_STATUS_CHANGED, EventType.TRANSACTION_CREATED)


class Journal:
    """Every entry moves an amount from one account to another, so all balances together are zero."""

    def __init__(self, events: Iterable[Event]) -> None:
        self.balances: Counter[str] = Counter()
        self.orders: dict[str, tuple[Decimal, Decimal]] = {}  # what each came to, and what was paid of it
        for event in events:
            self._enter(event)

    def _enter(self, event: Event) -> None:
        match event.type:
            case EventType.ORDER_CREATED if event.data["order"]["status"] != "draft":
                self._sale(event.data["order"], 1)
            case EventType.ORDER_STATUS_CHANGED:
                was, now = (event.data[name] in ("draft", "canceled") for name in ("previous_status", "status"))
                self._sale(event.data["order"], was - now)
            case EventType.TRANSACTION_CREATED:
                self._payment(event.data["transaction"])

    def _sale(self, order: dict[str, Any], sign: int) -> None:
        total = sign * order["total"]
        self._move("revenue", "receivable", total)
        sold, paid = self.orders.get(order["id"], (Decimal(0), Decimal(0)))
        self.orders[order["id"]] = (sold + total, paid)

    def _payment(self, transaction: dict[str, Any]) -> None:
        amount, order_id = Decimal(transaction["amount"]), transaction["order"]["id"]
        self._move("receivable", transaction["payment_method"]["slug"], amount)
        sold, paid = self.orders.get(order_id, (Decimal(0), Decimal(0)))
        self.orders[order_id] = (sold, paid + amount)

    def _move(self, giver: str, taker: str, amount: Decimal) -> None:
        self.balances.update({giver: -amount, taker: amount})
