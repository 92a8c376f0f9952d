"""One builder per kind: what `data` holds, as a type and as the SQL that writes it.

A builder gives the two columns of an event, `type` and `data`. It takes SQL for the parts that belong to other nouns,
such as the published form of an order, because those lie above: whoever makes the change puts them in. The types take
them as parameters for the same reason.
"""

from typing import Generic, Literal, TypeVar
from uuid import UUID

import msgspec

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


class OrderPaymentStatusChangedData(msgspec.Struct, Generic[Order]):
    order: Order
    previous_payment_status: str
    payment_status: str


class TransactionCreatedData(msgspec.Struct, Generic[Transaction]):
    transaction: Transaction


class CustomerEventData(msgspec.Struct, Generic[Customer]):
    customer: Customer


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
    options: list[OptionStockChange]  # those whose own quantity changed with it


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


def order_created(order: str) -> str:
    return f"'{EventType.ORDER_CREATED}' AS type, json_build_object('order', {order}) AS data"


def author(type_: str, id_: str) -> str:
    """SQL of who did it, as published. A till is a program too."""
    return f"json_build_object('type', CASE WHEN {type_} = 'key' THEN 'app' ELSE {type_} END, 'id', {id_})"


def author_type(type_: str) -> str:
    return "app" if type_ == "key" else type_


def order_status_changed(order: str, *, previous: str, status: str, note: str, by_type: str, by_id: str) -> str:
    return f"""'{EventType.ORDER_STATUS_CHANGED}' AS type, json_build_object(
        'order', {order}, 'previous_status', {previous}, 'status', {status}, 'note_for_status', {note},
        'changed_by', {author(by_type, by_id)}) AS data"""


def order_rescheduled(order: str, *, previous: str, start: str, by_type: str, by_id: str) -> str:
    return f"""'{EventType.ORDER_RESCHEDULED}' AS type, json_build_object(
        'order', {order}, 'previous_start', {previous}, 'start', {start},
        'changed_by', {author(by_type, by_id)}) AS data"""


def order_payment_status_changed(order: str, *, previous: str, status: str) -> str:
    return f"""'{EventType.ORDER_PAYMENT_STATUS_CHANGED}' AS type, json_build_object(
        'order', {order}, 'previous_payment_status', {previous}, 'payment_status', {status}) AS data"""


def transaction_created(transaction: str) -> str:
    return f"'{EventType.TRANSACTION_CREATED}' AS type, json_build_object('transaction', {transaction}) AS data"


def customer_created(customer: str) -> str:
    return f"'{EventType.CUSTOMER_CREATED}' AS type, json_build_object('customer', {customer}) AS data"


def customer_updated(customer: str) -> str:
    return f"'{EventType.CUSTOMER_UPDATED}' AS type, json_build_object('customer', {customer}) AS data"


def item_stock_changed(item: str, *, added: str, options: str) -> str:
    """`item` is the changed row's name, and `added` by how much it changed.

    `options` selects from the item's changed options: their id, quantity, and what was added to it.
    """
    return f"""'{EventType.ITEM_STOCK_CHANGED}' AS type, json_build_object(
        'item', json_build_object('id', {item}.id, 'sku', {item}.sku, 'name', {item}.name,
                                  'branch_id', {item}.branch_id),
        'previous_stock', {item}.stock - {added}, 'stock', {item}.stock,
        'options', (SELECT coalesce(json_agg(json_build_object(
                'id', v.id, 'previous_quantity', v.quantity - v.added, 'quantity', v.quantity) ORDER BY v.id), '[]')
            FROM ({options}) v)) AS data"""


def webhook_ping(webhook_id: str) -> str:
    return f"'{EventType.WEBHOOK_PING}' AS type, json_build_object('webhook_id', {webhook_id}) AS data"


# Of the customer inside an order. Its id and name stay: they are what the order is told by.
_CONTACT_FIELDS = ("email", "phone", "city", "address", "note", "tax_registration_number")
_WITH_ORDER = (
    EventType.ORDER_CREATED,
    EventType.ORDER_STATUS_CHANGED,
    EventType.ORDER_RESCHEDULED,
    EventType.ORDER_PAYMENT_STATUS_CHANGED,
)
_MEMBERS = msgspec.json.Decoder(dict[str, msgspec.Raw])


def redact_contact_fields(kind: str, data: str) -> str:
    """The data as it is told to a receiver that may not read customers. What is left stays as it was written."""
    if kind not in _WITH_ORDER:
        return data
    told = _MEMBERS.decode(data)
    order = _MEMBERS.decode(told["order"])
    if bytes(order["customer"]) == b"null":
        return data
    customer = _MEMBERS.decode(order["customer"])
    for field in _CONTACT_FIELDS:
        customer.pop(field, None)
    order["customer"] = msgspec.Raw(msgspec.json.encode(customer))
    told["order"] = msgspec.Raw(msgspec.json.encode(order))
    return msgspec.json.encode(told).decode()
