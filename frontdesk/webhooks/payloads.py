"""The data of each type of event. The database functions that emit an event write it.

The published forms of orders, transactions and customers are type parameters, because their modules are above this one.
"""

from decimal import Decimal
from typing import Generic, Literal, TypeVar
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from frontdesk.pictures.addresses import with_origin
from frontdesk.values.api_types import LocalDateTime
from frontdesk.webhooks.event_types import EventType

Order = TypeVar("Order")
Transaction = TypeVar("Transaction")
Customer = TypeVar("Customer")


class OrderCreatedData(msgspec.Struct, Generic[Order]):
    order: Order


class ChangedBy(msgspec.Struct):
    """Who made the change: an API client or key, a dashboard user, or the service itself."""

    type: Literal["app", "user", "system"]
    id: UUID | None


class OrderStatusChangedData(msgspec.Struct, Generic[Order]):
    order: Order
    previous_status: str
    status: str
    note_for_status: str | None
    changed_by: ChangedBy


class OrderRescheduledData(msgspec.Struct, Generic[Order]):
    order: Order
    previous_start: LocalDateTime
    start: LocalDateTime
    changed_by: ChangedBy


class OrderUpdatedData(msgspec.Struct, Generic[Order]):
    order: Order
    previous_total: Decimal
    changed_by: ChangedBy


class OrderPaymentStatusChangedData(msgspec.Struct, Generic[Order]):
    order: Order
    previous_payment_status: str
    payment_status: str


class TransactionCreatedData(msgspec.Struct, Generic[Transaction]):
    transaction: Transaction


class CustomerEventData(msgspec.Struct, Generic[Customer]):
    customer: Customer


class CustomerUpdatedData(CustomerEventData[Customer], Generic[Customer]):
    changed: list[str]


class CustomerDeletedData(CustomerEventData[Customer], Generic[Customer]):
    """`merged_into` is the customer who got everything of this one; absent if an import was taken back."""

    merged_into: UUID | UnsetType = UNSET


class ItemReference(msgspec.Struct):
    """Identifies a product. `GET /items/{uuid}` returns the rest."""

    id: UUID
    sku: str | None
    name: dict[str, str]
    branch_id: UUID


class OptionStockChange(msgspec.Struct):
    id: UUID
    previous_quantity: int
    quantity: int


class ItemStockChangedData(msgspec.Struct):
    item: ItemReference
    previous_stock: int
    stock: int
    stock_counted: bool
    options: list[OptionStockChange]  # those whose own quantity changed with it


class MessageRecipient(msgspec.Struct):
    """Null after the customer was erased."""

    customer_id: UUID | None
    name: str | None
    email: str | None
    phone: str | None


class DueMessage(msgspec.Struct):
    id: UUID
    kind: Literal["confirmation", "change", "cancellation", "reminder", "waiting_list_offer", "receipt"]
    order_id: UUID | None
    language: str
    subject: str
    text: str
    link: str | None
    recipient: MessageRecipient
    expires_at: LocalDateTime


class MessageDueData(msgspec.Struct):
    """A message to a customer, before it is sent by mail. An application can take it over."""

    message: DueMessage


class AppEventData(msgspec.Struct):
    """The install of an application at this business."""

    application_id: UUID
    install_id: UUID
    client_id: UUID
    name: str
    scopes: list[str]


class AppScopesChangedData(AppEventData):
    previous_scopes: list[str]


class WebhookPingData(msgspec.Struct):
    webhook_id: UUID


_WITH_STAFF = (EventType.STAFF_CREATED, EventType.STAFF_UPDATED, EventType.STAFF_DELETED)
# Of the customer inside an order. The id and the name stay.
_CONTACT_FIELDS = ("email", "phone", "city", "address", "note", "tax_registration_number")
_WITH_ORDER = (
    EventType.ORDER_CREATED,
    EventType.ORDER_STATUS_CHANGED,
    EventType.ORDER_RESCHEDULED,
    EventType.ORDER_UPDATED,
    EventType.ORDER_PAYMENT_STATUS_CHANGED,
)
_MEMBERS = msgspec.json.Decoder(dict[str, msgspec.Raw])
# Of an event without its record: what says which record it is, and what changed.
_THIN_FIELDS = ("branch_id", "staff_id", "merged_into", "changed")
_THIN_RECORD_FIELDS = ("id", "branch_id")
_RECORD_NAMES = {"working_hours": "working_hour"}
# They are about the application or webhook itself, or about what no operation reads.
_NEVER_THIN = ("app", "webhook", "message")


def thin_data(kind: str, data: str) -> str:
    """The data with ids instead of records."""
    subject = kind.partition(".")[0]
    if subject in _NEVER_THIN:
        return data
    event, name = _MEMBERS.decode(data), _RECORD_NAMES.get(subject, subject)
    record = _MEMBERS.decode(event[name]) if bytes(event[name]) != b"null" else {}
    thin = {name: {field: record[field] for field in _THIN_RECORD_FIELDS if field in record}}
    return msgspec.json.encode(thin | {field: event[field] for field in _THIN_FIELDS if field in event}).decode()


def complete_data(kind: str, data: str, origin: str, *, contacts: bool) -> str:
    """The data as a client receives it: with whole addresses, and contact fields only if it may read customers."""
    if kind in _WITH_STAFF:
        return _with_origin(data, origin)
    return data if contacts else redact_contact_fields(kind, data)


def _with_origin(data: str, origin: str) -> str:
    event = _MEMBERS.decode(data)
    event["staff"] = msgspec.Raw(with_origin(bytes(event["staff"]), origin))
    return msgspec.json.encode(event).decode()


def redact_contact_fields(kind: str, data: str) -> str:
    """The data for a client that may not read customers. All other bytes are unchanged."""
    if kind not in _WITH_ORDER:
        return data
    event = _MEMBERS.decode(data)
    order = _MEMBERS.decode(event["order"])
    if bytes(order["customer"]) == b"null":
        return data
    customer = _MEMBERS.decode(order["customer"])
    for field in _CONTACT_FIELDS:
        customer.pop(field, None)
    order["customer"] = msgspec.Raw(msgspec.json.encode(customer))
    event["order"] = msgspec.Raw(msgspec.json.encode(order))
    return msgspec.json.encode(event).decode()
