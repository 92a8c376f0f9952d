"""Webhooks, deliveries and events."""

from typing import Any, Literal
from uuid import UUID

import msgspec

from frontdesk_client.models.values import DeletedResource, DeliveryState, EventType, WebhookPayload


class Deletion(msgspec.Struct):
    """What was deleted, merged into another record of its kind or erased."""

    id: UUID
    resource: DeletedResource
    deleted: bool
    deleted_at: str
    merged_into: UUID | None


class Event(msgspec.Struct):
    """The content of `data` depends on the type; the webhooks guide lists it. Of a thin webhook it has ids only."""

    id: UUID
    type: EventType
    timestamp: str
    api_version: Literal["v1"] | str
    tenant_id: UUID
    sequence: int
    data: dict[str, Any]


class Webhook(msgspec.Struct):
    id: UUID
    url: str
    events: list[EventType]
    branches: list[UUID]  # empty: of all
    changed_fields: list[str]  # of the events with `changed`; empty: whatever has changed
    payload: WebhookPayload
    active: bool
    disabled_at: str | None
    disabled_reason: str | None
    failing_since: str | None
    previous_secret_until: str | None  # both secrets sign until then
    created_at: str
    updated_at: str


class WebhookWithSecret(Webhook):
    secret: str  # not shown again


class EventReference(msgspec.Struct):
    id: UUID
    type: EventType
    sequence: int


class WebhookDeliveryAttempt(msgspec.Struct):
    attempted_at: str
    milliseconds: int
    status: int | None  # None: no response
    answer: str | None  # the first kilobyte of the response
    error: str | None


class WebhookDelivery(msgspec.Struct):
    id: UUID
    webhook_id: UUID
    event: EventReference
    state: DeliveryState
    due_at: str | None  # of the next attempt
    attempts: list[WebhookDeliveryAttempt]
    created_at: str
