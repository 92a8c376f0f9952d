"""The events that webhooks receive, by type."""

from typing import Any

from frontdesk.apis.openapi.examples import Examples
from frontdesk.apis.openapi.schemas import Schema, Schemas
from frontdesk.event_forms.data import DATA
from frontdesk.webhooks.documents import Event
from frontdesk.webhooks.event_types import READ_SCOPES, EventType

HAPPENED: dict[EventType, str] = {
    EventType.ORDER_CREATED: "An order was created by any client, till or user",
    EventType.ORDER_STATUS_CHANGED: "The status of an order changed",
    EventType.ORDER_RESCHEDULED: "The appointment of an order was moved to another time or staff member",
    EventType.ORDER_UPDATED: "The items of an order changed",
    EventType.ORDER_PAYMENT_STATUS_CHANGED: "The payment status of an order changed",
    EventType.TRANSACTION_CREATED: "A payment or a refund was recorded",
    EventType.CUSTOMER_CREATED: "A customer was created",
    EventType.CUSTOMER_UPDATED: "A customer was updated",
    EventType.CUSTOMER_DELETED: "A customer was merged into another one, or an import was taken back",
    EventType.ITEM_STOCK_CHANGED: "The stock of a product changed",
    EventType.ITEM_CREATED: "An item was created",
    EventType.ITEM_UPDATED: "An item changed; its stock has an event of its own",
    EventType.ITEM_DELETED: "An item was deleted",
    EventType.CATEGORY_CREATED: "A category was created",
    EventType.CATEGORY_UPDATED: "A category changed",
    EventType.CATEGORY_DELETED: "A category was deleted",
    EventType.PACKAGE_CREATED: "A package was created",
    EventType.PACKAGE_UPDATED: "A package changed",
    EventType.PACKAGE_DELETED: "A package was deleted",
    EventType.STAFF_CREATED: "A staff member was created",
    EventType.STAFF_UPDATED: "A staff member changed",
    EventType.STAFF_DELETED: "A staff member was deleted",
    EventType.WORKING_HOURS_UPDATED: "The weekly hours of a branch or a staff member changed",
    EventType.HOUR_EXCEPTION_CREATED: "A branch or a staff member got other hours on one day",
    EventType.HOUR_EXCEPTION_UPDATED: "Other hours on one day changed",
    EventType.HOUR_EXCEPTION_DELETED: "Other hours on one day were deleted",
    EventType.TIME_OFF_CREATED: "A staff member got time off, or asked for it",
    EventType.TIME_OFF_UPDATED: "Time off was approved or declined",
    EventType.TIME_OFF_DELETED: "Time off of a staff member was deleted",
    EventType.CLOSED_DAYS_UPDATED: "The days on which a branch is closed changed",
    EventType.BRANCH_CREATED: "A branch was created",
    EventType.BRANCH_UPDATED: "A branch changed",
    EventType.PAYMENT_METHOD_CREATED: "A payment method was created",
    EventType.PAYMENT_METHOD_UPDATED: "A payment method changed",
    EventType.PAYMENT_METHOD_DELETED: "A payment method was deleted",
    EventType.TAX_CLASS_CREATED: "A tax class was created",
    EventType.TAX_CLASS_UPDATED: "A tax class changed",
    EventType.TAX_CLASS_DELETED: "A tax class was deleted",
    EventType.SETTINGS_UPDATED: "The settings of the business changed",
    EventType.BOOKING_PAGE_UPDATED: "The texts or rules of the booking page changed",
    EventType.DRAWER_SETTINGS_UPDATED: "How cash is counted changed, or how many drawers a branch has",
    EventType.MESSAGE_SETTINGS_UPDATED: "Which messages are sent, when, or in which words changed",
    EventType.MESSAGE_DUE: 'A message to a customer is about to be sent; answer `{"handled": true}` to take it over',
    EventType.APP_INSTALLED: "The business installed the application",
    EventType.APP_SCOPES_CHANGED: "The business changed the scopes of the application",
    EventType.APP_DISCONNECTED: "The business disconnected an application; sent to the business's own API clients only",
    EventType.WEBHOOK_PING: "A test event was requested",
}
_HEADERS = {
    "webhook-id": "Identifier of the event. It is the same on every attempt.",
    "webhook-timestamp": "Time of this attempt, in seconds since the Unix epoch.",
    "webhook-signature": "`v1,` followed by the signature (Standard Webhooks). After a rotation, several separated "
    "by spaces.",
}


def describe_events(schemas: Schemas) -> Schema:
    """Any event. `type` selects the form of `data`."""
    references = {kind.value: _event(kind, schemas) for kind in EventType}
    mapping = {kind: reference["$ref"] for kind, reference in references.items()}
    return {
        "description": "An event, as sent to webhooks and returned by `GET /events`. The form of `data` depends on "
        "`type`.",
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
        "type": {"type": "string", "const": kind.value, "description": "Event type."},
        "data": {**schemas.of(DATA[kind]), "description": "Event data."},
    }
    return schema


def describe_webhooks(schemas: Schemas, examples: Examples) -> dict[str, Any]:
    return {kind.value: {"post": _webhook(kind, schemas, examples)} for kind in EventType}


def _webhook(kind: EventType, schemas: Schemas, examples: Examples) -> dict[str, Any]:
    example = _example(kind, examples)
    schema = _event(kind, schemas)
    scopes = [f"`{scope}`" for scope in READ_SCOPES[kind]]
    return {
        "operationId": f"on_{kind.name.lower()}",
        "tags": ["Webhooks"],
        "summary": HAPPENED[kind],
        "description": f"Requires the scope {' and '.join(scopes)}." if scopes else "Requires no scope.",
        "security": [],  # the signature proves the sender
        "parameters": [
            {"name": name, "in": "header", "required": True, "description": text, "schema": {"type": "string"}}
            for name, text in _HEADERS.items()
        ],
        "requestBody": {"required": True, "content": {"application/json": {"schema": schema, "example": example}}},
        "responses": {
            "2XX": {
                "description": "The event was received. Any other status, or no response within 15 seconds, is retried."
            },
            "410": {"description": "The receiver is gone. The webhook is disabled."},
        },
    }
