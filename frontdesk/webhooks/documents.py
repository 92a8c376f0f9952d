"""The published forms of webhooks, their deliveries and events: the types."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

import msgspec

from frontdesk.values.api_types import Timestamp, Url
from frontdesk.values.time import format_utc
from frontdesk.webhooks.event_types import EventType

Payload = Literal["full", "thin"]


class Event(msgspec.Struct):
    """An event, as sent to webhooks and returned by `GET /events`. The form of `data` depends on `type`."""

    id: UUID
    type: EventType
    timestamp: Timestamp
    api_version: Literal["v1"]
    tenant_id: UUID
    sequence: int
    data: dict[str, Any]


class Webhook(msgspec.Struct):
    id: UUID
    url: Url
    events: list[EventType]
    branches: list[UUID]
    changed_fields: list[str]
    payload: Payload
    active: bool
    disabled_at: Timestamp | None
    disabled_reason: str | None
    failing_since: Timestamp | None  # no delivery has succeeded since then
    previous_secret_until: Timestamp | None  # requests have both signatures until then
    created_at: Timestamp
    updated_at: Timestamp


class WebhookWithSecret(Webhook):
    secret: str  # in no other response


class EventReference(msgspec.Struct):
    id: UUID
    type: EventType
    sequence: int


class WebhookDeliveryAttempt(msgspec.Struct):
    attempted_at: Timestamp
    milliseconds: int
    status: int | None  # null if there was no response
    answer: str | None  # the first kilobyte of the response body
    error: str | None


class WebhookDelivery(msgspec.Struct):
    id: UUID
    webhook_id: UUID
    event: EventReference
    state: Literal["due", "delivered", "dead"]
    due_at: Timestamp | None  # of the next attempt
    attempts: list[WebhookDeliveryAttempt]
    created_at: Timestamp


def event_document(id_: UUID, kind: str, created_at: datetime, tenant_id: UUID, sequence: int, data: str) -> str:
    """`data` is inserted unchanged."""
    return (
        f'{{"id":"{id_}","type":"{kind}","timestamp":"{format_utc(created_at)}","api_version":"v1",'
        f'"tenant_id":"{tenant_id}","sequence":{sequence},"data":{data}}}'
    )
