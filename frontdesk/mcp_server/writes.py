"""Tools that write. Each is tried first: without `confirm` nothing changes, and the answer has the code for it."""

from decimal import Decimal
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from frontdesk.auth.scopes import Scope
from frontdesk.mcp_server.tool import Fields, Id, Text, Write
from frontdesk_client.request import path

_OrderId = Annotated[Id, Meta(description="From list_orders or day_overview.")]
_Start = Annotated[str, Meta(description="Local day and time from search_availability, such as 2026-03-01T09:30:00.")]
_LongText = Annotated[str, Meta(min_length=1, max_length=1000)]


class BookAppointment(Write, kw_only=True):
    """Book a service for a customer at a free time."""

    scopes: ClassVar = (Scope.ORDERS_WRITE,)
    title: ClassVar = "Book an appointment"

    branch_id: Annotated[Id, Meta(description="From list_branches.")]
    customer_id: Annotated[Id, Meta(description="From find_customer or create_customer.")]
    service_id: Annotated[Id, Meta(description="From list_catalogue.")]
    start: _Start
    staff_id: Annotated[Id, Meta(description="From list_staff. Default: who is free.")] | None = None
    option_id: Annotated[Id, Meta(description="Option of the service, from read_item.")] | None = None
    note: Annotated[_LongText, Meta(description="Note on the order, for the staff.")] | None = None

    def target(self) -> tuple[str, str]:
        return "POST", "/orders"

    def body(self) -> Fields:
        line = {"id": self.service_id, "type": "service", "quantity": 1}
        return {
            "team_id": self.branch_id,
            "customer_id": self.customer_id,
            "start": self.start,
            "items": [{**line, **_given(staff_id=self.staff_id, option_id=self.option_id)}],
            **_given(note=self.note),
        }


class MoveAppointment(Write, kw_only=True):
    """Move the appointments of an order to another time. Each keeps its staff member."""

    scopes: ClassVar = (Scope.ORDERS_WRITE,)
    title: ClassVar = "Move an appointment"

    order_id: _OrderId
    start: _Start

    def target(self) -> tuple[str, str]:
        return "POST", path("/orders/{}/reschedule", self.order_id)

    def body(self) -> Fields:
        return {"start": self.start}


class CancelOrder(Write, kw_only=True):
    """Cancel an order and its appointments. What was paid stays paid until it is refunded."""

    scopes: ClassVar = (Scope.ORDERS_WRITE,)
    title: ClassVar = "Cancel an order"
    is_destructive: ClassVar = True

    order_id: _OrderId
    reason: Annotated[Text, Meta(description="One of the business's reasons, in its words.")] | None = None
    note: Annotated[_LongText, Meta(description="Note in the history of the order.")] | None = None
    no_show: Annotated[bool, Meta(description="The customer did not come. Default: false.")] | None = None
    notify: Annotated[bool, Meta(description="Tell the customer. Default: true.")] | None = None

    def target(self) -> tuple[str, str]:
        return "POST", path("/orders/{}/cancel", self.order_id)

    def body(self) -> Fields:
        return _given(reason=self.reason, note_for_status=self.note, no_show=self.no_show, notify=self.notify)


class ChangeOrderStatus(Write, kw_only=True):
    """Change the status of an order: confirm a draft, start the work, or complete it."""

    scopes: ClassVar = (Scope.ORDERS_WRITE,)
    title: ClassVar = "Change the status of an order"

    order_id: _OrderId
    status: Annotated[Literal["confirmed", "in-progress", "completed"], Meta(description="The new status.")]
    note: Annotated[_LongText, Meta(description="Note in the history of the order.")] | None = None

    def target(self) -> tuple[str, str]:
        return "POST", path("/orders/{}/status", self.order_id)

    def body(self) -> Fields:
        return {"status": self.status, **_given(note_for_status=self.note)}


class RecordPayment(Write, kw_only=True):
    """Record that an order was paid, in full or in part. It moves no money."""

    scopes: ClassVar = (Scope.TRANSACTIONS_WRITE,)
    title: ClassVar = "Record a payment"

    order_id: _OrderId
    amount: Annotated[Decimal, Meta(description="At most the remaining amount of the order.")]
    payment_method_id: Annotated[Id, Meta(description="From list_payment_methods.")]
    reference_number: Annotated[Text, Meta(description="Number on the receipt of the card terminal.")] | None = None

    def target(self) -> tuple[str, str]:
        return "POST", path("/orders/{}/payments", self.order_id)

    def body(self) -> Fields:
        paid = {"amount": self.amount, "payment_method_id": self.payment_method_id}
        return {**paid, **_given(reference_number=self.reference_number)}


class CreateCustomer(Write, kw_only=True):
    """Create a customer. Look for them with find_customer first: a phone number belongs to one customer."""

    scopes: ClassVar = (Scope.CUSTOMERS_WRITE,)
    title: ClassVar = "Create a customer"

    first_name: Annotated[Text, Meta(description="First name, or the whole name.")]
    last_name: Annotated[Text, Meta(description="Last name.")] | None = None
    phone: Annotated[Text, Meta(description="Phone number. It needs `phone_country`.")] | None = None
    phone_country: Annotated[Text, Meta(description="Country of the phone number, such as SA.")] | None = None
    email: Annotated[Text, Meta(description="E-mail address.")] | None = None

    def target(self) -> tuple[str, str]:
        return "POST", "/customers"

    def body(self) -> Fields:
        name = {"first_name": self.first_name}
        phone = _given(phone=self.phone, phone_country=self.phone_country)
        return {**name, **phone, **_given(last_name=self.last_name, email=self.email)}


def _given(**fields: object) -> Fields:
    return {name: value for name, value in fields.items() if value is not None}
