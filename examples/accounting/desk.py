"""What the application does at the business: it books what is free, takes a deposit, and collects the rest."""

from datetime import UTC, datetime
from decimal import Decimal
from itertools import cycle, islice
from typing import NamedTuple
from uuid import UUID

from frontdesk.catalog.documents import Item
from frontdesk.client import ApiError, Client, InlinePayment, OrderLine

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
        """The last of several changes her mind; everybody else pays the rest."""
        customer = self.client.customers.create(first_name="Huda", note="Made by the accounting example")
        sold = [self._book(service, customer.id) for service in islice(cycle(self.services), bookings)]
        if len(sold) > 1:
            self.client.orders.set_status(sold[-1].order_id, "canceled", note_for_status="Changed her mind")
        for order_id, total in sold[:-1] or sold:
            self.client.orders.pay(order_id, amount=total - DEPOSIT, payment_method_id=self.cash.id)
        return sold

    def _book(self, service: Item, customer_id: UUID) -> Sold:
        """The first start that is still free when it is asked for: somebody else may be quicker."""
        for start in self._free_starts(service):
            try:
                order = self.client.orders.place(
                    team_id=self.branch.id,
                    customer_id=customer_id,
                    start=start,
                    items=[OrderLine(id=service.id, type="service", unit_amount=PRICE)],
                    payment=InlinePayment(amount=DEPOSIT, payment_method_id=self.cash.id, note="Deposit"),
                )
            except ApiError as no:
                if no.code != "timeslot_unavailable":
                    raise
            else:
                return Sold(order.id, order.total)
        raise LookupError(f"nothing is free for {service.name}")

    def _free_starts(self, service: Item) -> list[str]:
        """In the business's own time, as they are offered; what is over already is not."""
        today = datetime.now(UTC).date()
        free = self.client.availability.find(service_id=service.id, date=today, next_availability=True)
        return [f"{day}T{clock}:00" for day, clocks in free.slots.items() for clock in clocks]
