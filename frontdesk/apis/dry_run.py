"""The events of a dry run: those that the write would emit, as far as its caller may read them."""

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from frontdesk.auth.scopes import Scope
from frontdesk.auth.types import Caller
from frontdesk.postgres.write import EmittedEvent
from frontdesk.webhooks.event_types import READ_SCOPES, EventType
from frontdesk.webhooks.payloads import complete_data

T = TypeVar("T")


class PlannedEvent(msgspec.Struct):
    """An event that the request would emit. The form of `data` is that of the event type."""

    type: EventType
    data: dict[str, Any] | None


class DryRunReport(msgspec.Struct):
    """What a dry run tells beyond the response. Nothing was written."""

    events: list[PlannedEvent]


class WriteResponse(msgspec.Struct, Generic[T]):
    """The record, and for a dry run what the write would do."""

    data: T
    dry_run: DryRunReport | UnsetType = UNSET


def render_events(caller: Caller, events: Sequence[EmittedEvent], origin: str) -> bytes:
    return f"[{','.join(_render(caller, event, origin) for event in events)}]".encode()


def _render(caller: Caller, event: EmittedEvent, origin: str) -> str:
    return f'{{"type":"{event.type}","data":{_readable(caller, event, origin)}}}'


def _readable(caller: Caller, event: EmittedEvent, origin: str) -> str:
    """As `GET /events` would show it. A key of a till reads everything."""
    kind = EventType(event.type)
    if caller.type == "key":
        return complete_data(kind, event.data, origin, contacts=True)
    if not caller.scopes.issuperset(READ_SCOPES[kind]):
        return "null"
    return complete_data(kind, event.data, origin, contacts=Scope.CUSTOMERS_READ in caller.scopes)
