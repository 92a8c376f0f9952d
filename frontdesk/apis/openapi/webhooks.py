"""What a webhook brings, kind by kind."""

from typing import Any
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from frontdesk.apis.openapi.examples import Examples
from frontdesk.apis.openapi.schemas import Schema, Schemas
from frontdesk.customers.documents import CustomerDetail, TagReference
from frontdesk.customers.types import CustomerType
from frontdesk.orders.json_sql import OrderDetail, Transaction
from frontdesk.values.api_types import Email, Timestamp
from frontdesk.webhooks.documents import Event
from frontdesk.webhooks.event_types import READ_SCOPE, EventType
from frontdesk.webhooks.payloads import (
    AppEventData,
    AppScopesChangedData,
    CustomerEventData,
    ItemStockChangedData,
    OrderCreatedData,
    OrderPaymentStatusChangedData,
    OrderRescheduledData,
    OrderStatusChangedData,
    TransactionCreatedData,
    WebhookPingData,
)


class EventCustomer(msgspec.Struct):
    """The customer of an order; how to reach them only where the receiver may read customers."""

    id: UUID
    first_name: str
    last_name: str | None
    type: CustomerType
    blocked: bool
    tags: list[TagReference]
    created_at: Timestamp
    updated_at: Timestamp
    email: Email | UnsetType | None = UNSET
    phone: str | UnsetType | None = UNSET
    city: str | UnsetType | None = UNSET
    address: str | UnsetType | None = UNSET
    note: str | UnsetType | None = UNSET
    tax_registration_number: str | UnsetType | None = UNSET


class EventOrder(OrderDetail, kw_only=True):
    """The order as it is read, but for what the receiver may not know of its customer."""

    customer: EventCustomer | None  # type: ignore[assignment]


DATA: dict[EventType, Any] = {
    EventType.ORDER_CREATED: OrderCreatedData[EventOrder],
    EventType.ORDER_STATUS_CHANGED: OrderStatusChangedData[EventOrder],
    EventType.ORDER_RESCHEDULED: OrderRescheduledData[EventOrder],
    EventType.ORDER_PAYMENT_STATUS_CHANGED: OrderPaymentStatusChangedData[EventOrder],
    EventType.TRANSACTION_CREATED: TransactionCreatedData[Transaction],
    EventType.CUSTOMER_CREATED: CustomerEventData[CustomerDetail],
    EventType.CUSTOMER_UPDATED: CustomerEventData[CustomerDetail],
    EventType.ITEM_STOCK_CHANGED: ItemStockChangedData,
    EventType.APP_INSTALLED: AppEventData,
    EventType.APP_SCOPES_CHANGED: AppScopesChangedData,
    EventType.APP_DISCONNECTED: AppEventData,
    EventType.WEBHOOK_PING: WebhookPingData,
}
HAPPENED: dict[EventType, str] = {
    EventType.ORDER_CREATED: "An order was placed, wherever that was done",
    EventType.ORDER_STATUS_CHANGED: "An order has another status",
    EventType.ORDER_RESCHEDULED: "An order's appointment was moved to another time or provider",
    EventType.ORDER_PAYMENT_STATUS_CHANGED: "An order was paid or refunded, wholly or in part",
    EventType.TRANSACTION_CREATED: "A payment or a refund was recorded",
    EventType.CUSTOMER_CREATED: "There is a new customer",
    EventType.CUSTOMER_UPDATED: "Something about a customer changed",
    EventType.ITEM_STOCK_CHANGED: "A product was taken from stock or put back",
    EventType.APP_INSTALLED: "The application was installed at a business",
    EventType.APP_SCOPES_CHANGED: "A business changed what the application may do",
    EventType.APP_DISCONNECTED: "A business disconnected an application; only its own API clients get this",
    EventType.WEBHOOK_PING: "Somebody wants to see whether the webhook works",
}
_HEADERS = {
    "webhook-id": "The event's id; the same on every attempt.",
    "webhook-timestamp": "When this attempt was made, in seconds since 1970.",
    "webhook-signature": "`v1,` and the signature (Standard Webhooks); several, separated by spaces, after a rotation.",
}


def describe_events(schemas: Schemas) -> Schema:
    """Any event, as GET /events lists it; `type` tells which form `data` has."""
    references = {kind.value: _event(kind, schemas) for kind in EventType}
    mapping = {kind: reference["$ref"] for kind, reference in references.items()}
    return {
        "description": "As it is sent, and as GET /events lists it. What `data` holds depends on the type.",
        "oneOf": list(references.values()),
        "discriminator": {"propertyName": "type", "mapping": mapping},
    }


def show_event(examples: Examples) -> dict[str, Any]:
    return _example(EventType.ORDER_CREATED, examples)


def _example(kind: EventType, examples: Examples) -> dict[str, Any]:
    return {**examples.record(Event), "type": kind.value, "data": examples.of(DATA[kind])}


def _event(kind: EventType, schemas: Schemas) -> Schema:
    name = "".join(word.capitalize() for word in kind.name.split("_")) + "Event"
    return schemas.named(name, kind, lambda: _event_schema(kind, schemas))


def _event_schema(kind: EventType, schemas: Schemas) -> Schema:
    schema = schemas.object_of(Event)
    schema["description"] = HAPPENED[kind]
    schema["properties"] |= {
        "type": {"type": "string", "const": kind.value, "description": "The kind."},
        "data": {**schemas.of(DATA[kind]), "description": "What happened, and to what."},
    }
    return schema


def describe_webhooks(schemas: Schemas, examples: Examples) -> dict[str, Any]:
    return {kind.value: {"post": _webhook(kind, schemas, examples)} for kind in EventType}


def _webhook(kind: EventType, schemas: Schemas, examples: Examples) -> dict[str, Any]:
    example = _example(kind, examples)
    schema = _event(kind, schemas)
    scope = READ_SCOPE[kind]
    return {
        "operationId": f"on_{kind.name.lower()}",
        "tags": ["Webhooks"],
        "summary": HAPPENED[kind],
        "description": f"Needs the scope `{scope}`." if scope else "Needs no scope.",
        "parameters": [
            {"name": name, "in": "header", "required": True, "description": text, "schema": {"type": "string"}}
            for name, text in _HEADERS.items()
        ],
        "requestBody": {"required": True, "content": {"application/json": {"schema": schema, "example": example}}},
        "responses": {
            "2XX": {"description": "Received. Anything else, or no answer in 15 seconds, is sent again later."},
            "410": {"description": "Nobody is there any more: the webhook is switched off."},
        },
    }
