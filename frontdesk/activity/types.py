from datetime import date, datetime
from typing import Any, NamedTuple
from uuid import UUID

import msgspec


class ActivityFilter(NamedTuple):
    """None means no filter."""

    actor_types: tuple[str, ...] | None = None
    actor_id: UUID | None = None
    subject_id: UUID | None = None
    nouns: tuple[str, ...] | None = None
    from_date: date | None = None  # in the tenant's time zone
    to_date: date | None = None


class Entry(msgspec.Struct, frozen=True):
    """A recorded change. `before` and `after` hold the values that differ."""

    id: UUID
    created_at: datetime
    actor_type: str
    actor_id: UUID | None
    actor_name: str | None  # None for the service itself, and for what was deleted
    address: str | None
    action: str
    subject_id: UUID | None
    subject: str | None
    before: dict[str, Any] | None
    after: dict[str, Any] | None


class EntryPage(NamedTuple):
    entries: list[Entry]
    has_older: bool
