"""What the application can do. The client sends each request again where that helps, under one Idempotency-Key."""

from decimal import Decimal
from itertools import islice
from typing import Any
from uuid import uuid4

from frontdesk_client import ApiError, Client, OrderItemCreate
from frontdesk_client.models import Availability, Item

_TRIES = 3  # attempts at one booking, each with another start time if the one before was taken
_CONFLICTS = 3  # changes of others to one record
Json = dict[str, Any]


class Desk:
    """What seldom changes is read once."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self._services: dict[str, Item] = {}
        self._cash: str | None = None

    def close(self) -> None:
        self.client.close()

    def do(self, task: Json) -> Json | None:
        """None: there is no such task."""
        match task:
            case {"do": "book", "service_id": str(service_id), "first_name": str(first_name)}:
                return {"order_id": self._book(service_id, first_name)}
            case {"do": "pay", "order_id": str(order_id), "amount": amount}:
                self.client.orders.create_payment(order_id, amount=Decimal(amount), payment_method_id=self._cash_id())
            case {"do": "cancel", "order_id": str(order_id)}:
                self.client.orders.update_status(order_id, "canceled")
            case {"do": "list"}:
                return {"count": sum(1 for _ in self.client.customers.list())}
            case {"do": "price", "item_id": str(item_id), "price": price}:
                self._change_price(item_id, Decimal(price))
            case {"do": "show", "item_id": str(item_id)}:
                return {"found": self._is_there(item_id)}
            case _:
                return None
        return {}

    def _book(self, service_id: str, first_name: str) -> str:
        """A time that is free may be taken before the order comes: then the next one is tried, a few times."""
        if service_id not in self._services:
            self._services[service_id] = self.client.items.get(service_id)
        service = self._services[service_id]
        customer = self.client.customers.create(first_name=first_name)
        key = str(uuid4())  # of this booking: another time corrects the request that was refused
        for start in islice(_starts(self._search(service_id)), _TRIES):
            try:
                order = self.client.orders.create(
                    team_id=service.branch.id,
                    customer_id=customer.id,
                    start=start,
                    items=[OrderItemCreate(id=service.id, type="service")],
                    idempotency_key=key,
                )
            except ApiError as error:
                if error.code != "timeslot_unavailable":
                    raise
            else:
                return str(order.id)
        raise LookupError("no free time")

    def _search(self, service_id: str) -> Availability:
        today = self.client.sandbox.get_clock().now[:10]  # a program in use asks its own clock
        return self.client.availability.search(service_id=service_id, date=today, next_availability=True)

    def _cash_id(self) -> str:
        if self._cash is None:
            methods = self.client.payment_methods.list()
            self._cash = str(next(method.id for method in methods if method.type.slug == "cash"))
        return self._cash

    def _change_price(self, item_id: str, price: Decimal) -> None:
        """Reads the record again after a version conflict, and corrects the request, under the same Idempotency-Key."""
        key = str(uuid4())
        for _ in range(_CONFLICTS):
            version = self.client.items.get(item_id).version
            try:
                self.client.items.update(item_id, price=price, version=version, idempotency_key=key)
            except ApiError as error:
                if error.code != "version_conflict":
                    raise
            else:
                return
        raise LookupError("others change it all the time")

    def _is_there(self, item_id: str) -> bool:
        try:
            self.client.items.get(item_id)
        except ApiError as error:
            if error.status != 404:
                raise
            return False
        return True


def _starts(found: Availability) -> list[str]:
    return [f"{day}T{time}:00" for day, times in found.slots.items() for time in times]
