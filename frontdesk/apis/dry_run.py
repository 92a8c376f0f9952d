"""The events of a dry run: those that the write would emit, as far as its caller may read them."""

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from frontdesk.auth.scopes import Scope
from frontdesk.auth.types import Caller
from frontdesk.postgres.write import EmittedEvent
from frontdesk.webhooks.event_types import READ_SCOPES, EventType
from frontdesk.webhooks.payloads import redact_contact_fields

T = TypeVar("T")


class PlannedEvent(msgspec.Struct):
    """An event that the request would emit. The form of `data` is that of the event type."""

    type: EventType
    data: dict[str, Any] | None


class DryRunReport(msgspec.Struct):
    """What a dry run tells beyond the response. Nothing was written."""

    events: list[PlannedEvent]


class WriteResponse(msgspec.Struct, Generic[T]):
    """As the description shows it; `http/writes.py` writes it."""

    data: T
    dry_run: DryRunReport | UnsetType = UNSET


def render_events(caller: Caller, events: Sequence[EmittedEvent]) -> bytes:
    return f"[{','.join(_render(caller, event) for event in events)}]".encode()


def _render(caller: Caller, event: EmittedEvent) -> str:
    return f'{{"type":"{event.type}","data":{_readable(caller, event)}}}'


def _readable(caller: Caller, event: EmittedEvent) -> str:
    """As `GET /events` would show it. A key of a till reads everything."""
    if caller.type == "key":
        return event.data
    kind = EventType(event.type)
    if not caller.scopes.issuperset(READ_SCOPES[kind]):
        return "null"
    return event.data if Scope.CUSTOMERS_READ in caller.scopes else redact_contact_fields(kind, event.data)
