"""Books free slots, takes a deposit for each, and collects the remaining amount."""

from datetime import UTC, datetime
from decimal import Decimal
from itertools import cycle, islice
from typing import NamedTuple
from uuid import UUID, uuid4

from frontdesk_client import ApiError, Client, InlinePayment, OrderItemCreate
from frontdesk_client.models import Item

PRICE, DEPOSIT = Decimal("150.00"), Decimal("30.00")


class Sold(NamedTuple):
    order_id: UUID
    total: Decimal


class Desk:
    def __init__(self, client: Client) -> None:
        self.client = client
        self.branch = next(iter(client.branches.list()))
        self.services = [item for item in client.items.list(type_="service") if item.status]
        self.cash = next(method for method in client.payment_methods.list() if method.type.slug == "cash")

    def sell(self, bookings: int) -> list[Sold]:
        """Cancels the last of several orders and collects the remaining amount of the others."""
        customer = self.client.customers.create(first_name="Huda", note="Made by the accounting example")
        sold = [self._book(service, customer.id) for service in islice(cycle(self.services), bookings)]
        if len(sold) > 1:
            self.client.orders.update_status(sold[-1].order_id, "canceled", note_for_status="Changed her mind")
        for order_id, total in sold[:-1] or sold:
            self.client.orders.create_payment(order_id, amount=total - DEPOSIT, payment_method_id=self.cash.id)
        return sold

    def _book(self, service: Item, customer_id: UUID) -> Sold:
        """Books the first slot that is still free: another client may have booked it since the search."""
        key = str(uuid4())  # of this booking: another slot corrects the request that was refused
        for start in self._free_slots(service):
            try:
                order = self.client.orders.create(
                    team_id=self.branch.id,
                    customer_id=customer_id,
                    start=start,
                    items=[OrderItemCreate(id=service.id, type="service", unit_amount=PRICE)],
                    payment=InlinePayment(amount=DEPOSIT, payment_method_id=self.cash.id, note="Deposit"),
                    idempotency_key=key,
                )
            except ApiError as error:
                if error.code != "timeslot_unavailable":
                    raise
            else:
                return Sold(order.id, order.total)
        raise LookupError(f"no free slot for {service.name}")

    def _free_slots(self, service: Item) -> list[str]:
        """In the business's local time. Past slots are not included."""
        today = datetime.now(UTC).date()
        free = self.client.availability.search(service_id=service.id, date=today, next_availability=True)
        return [f"{day}T{time}:00" for day, times in free.slots.items() for time in times]
