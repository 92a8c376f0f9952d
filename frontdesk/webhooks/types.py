from typing import NamedTuple
from uuid import UUID

from frontdesk.webhooks.event_types import EventType


class NewWebhook(NamedTuple):
    id: UUID
    client_id: UUID
    url: str
    events: list[EventType]
    sealed_secret: bytes
    active: bool


class WebhookChange(NamedTuple):
    """None leaves it as it is."""

    url: str | None
    events: list[EventType] | None
    active: bool | None


class EventFilter(NamedTuple):
    after: int  # only what came after this sequence
    kinds: list[EventType]
    contacts: bool  # of customers, whether the reader may see them
