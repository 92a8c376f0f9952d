from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from frontdesk.tenants.types import Plan
from frontdesk.webhooks.event_types import EventType


class WebhookState(NamedTuple):
    id: UUID
    client_id: UUID
    is_enabled: bool
    has_active_client: bool  # neither disabled nor, for an application, disconnected
    known_branches: Sequence[UUID] = ()  # of those that a change names
    updated_at: str = ""  # as its document has it


class DeliveryState(NamedTuple):
    id: UUID
    client_id: UUID
    has_enabled_webhook: bool


class WebhookCounts(NamedTuple):
    plan: Plan
    of_tenant: int
    of_client: int
    id_exists: bool
    known_branches: Sequence[UUID]  # of those that the webhook is to name


class EventFilter(NamedTuple):
    after: int  # only events with a higher sequence
    types: list[EventType]


class StoredEvent(NamedTuple):
    id: UUID
    type: str
    created_at: datetime
    sequence: int
    data: str  # JSON


class EventPage(NamedTuple):
    events: list[StoredEvent]
    total: int
