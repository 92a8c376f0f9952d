"""The published form of what is free, and of why the rest is not."""

from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from frontdesk.values.api_types import Clock, Day


class RefusedStarts(msgspec.Struct):
    """Starts of the grid from the first to the last of them that are not offered, for one reason."""

    reason: str
    from_: Clock = msgspec.field(name="from")
    to: Clock


class ExplainedDay(msgspec.Struct):
    reason: str | None
    refused: list[RefusedStarts]


class ExplainedProvider(msgspec.Struct):
    staff_id: UUID
    days: dict[Day, ExplainedDay]


class Availability(msgspec.Struct):
    slots: dict[Day, list[Clock]]
    explain: list[ExplainedProvider] | UnsetType = UNSET
