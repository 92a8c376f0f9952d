"""A double-entry journal that is built from events only."""

from collections import Counter
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from frontdesk_client.models import Event

EVENT_TYPES = ("order.created", "order.status_changed", "transaction.created")


class Journal:
    """Every entry moves an amount from one account to another, so the balances add up to zero."""

    def __init__(self, events: Iterable[Event]) -> None:
        self.balances: Counter[str] = Counter()
        self.orders: dict[str, tuple[Decimal, Decimal]] = {}  # total and paid amount of each order
        for event in events:
            self._record(event)

    def _record(self, event: Event) -> None:
        match event.type:
            case "order.created" if event.data["order"]["status"] != "draft":
                self._sale(event.data["order"], 1)
            case "order.status_changed":
                was, now = (event.data[name] in ("draft", "canceled") for name in ("previous_status", "status"))
                self._sale(event.data["order"], was - now)
            case "transaction.created":
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

    def _move(self, source: str, target: str, amount: Decimal) -> None:
        self.balances.update({source: -amount, target: amount})
