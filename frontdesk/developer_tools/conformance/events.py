"""Events as the description shows them, each with an id and a sequence of its own."""

from datetime import datetime
from functools import cache
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from frontdesk.changelog.versions import FOLDER, read, versions
from frontdesk.values.clock import current_time
from frontdesk.values.ids import uuid7
from frontdesk.webhooks.documents import event_document
from frontdesk.webhooks.event_types import EventType

# The business of the deliveries: no installation has it, so they never mix with the events of a real one.
KIT_BUSINESS = UUID("01920000-0000-7000-8000-000000000001")

Document = dict[str, Any]


class SampleEvent(NamedTuple):
    id: str
    body: bytes

    def with_fields(self, **fields: object) -> "SampleEvent":
        """More fields beside `data`, or others."""
        document = msgspec.json.decode(self.body, type=dict[str, Any])
        return SampleEvent(self.id, msgspec.json.encode({**document, **fields}))


class SampleEvents:
    def __init__(self, tenant_id: UUID) -> None:
        self._tenant_id = tenant_id
        self._sequence = 0

    def skip(self, numbers: int) -> None:
        """A gap, as if events had been lost."""
        self._sequence += numbers

    def make(
        self, kind: str = EventType.CUSTOMER_CREATED, data: Document | None = None, at: datetime | None = None
    ) -> SampleEvent:
        self._sequence += 1
        id_, shown = uuid7(), msgspec.json.encode(sample_data(kind) if data is None else data).decode()
        document = event_document(id_, kind, at or current_time(), self._tenant_id, self._sequence, shown)
        return SampleEvent(str(id_), document.encode())


@cache
def _webhooks() -> Document:
    """Of the published description, which needs nothing of the service to be read."""
    found: Document = read(FOLDER, versions(FOLDER)[-1], "open-api")["webhooks"]
    return found


def sample_data(kind: str) -> Document:
    request = _webhooks()[kind]["post"]["requestBody"]
    data: Document = request["content"]["application/json"]["example"]["data"]
    return data


def customer_data(**fields: object) -> Document:
    """Of `customer.created`, with other fields."""
    data = sample_data(EventType.CUSTOMER_CREATED)
    return {**data, "customer": {**data["customer"], **fields}}
