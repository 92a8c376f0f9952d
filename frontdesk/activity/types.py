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


class RecordedChange(msgspec.Struct, frozen=True, kw_only=True):
    """`before` and `after` hold the values that differ."""

    action: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    # Current names of the records that the values and the subject refer to, by id; None if they were not read.
    names: dict[str, Any] | None = None


class ActivityEntry(RecordedChange, frozen=True, kw_only=True):
    """A recorded change."""

    id: UUID
    created_at: datetime
    actor_type: str
    actor_id: UUID | None
    actor_name: str | None  # None for the service itself, and for what was deleted
    address: str | None
    subject_id: UUID | None
    subject: str | None
    approver_name: str | None = None  # who allowed it, if the actor alone may not do it
    approval_reason: str | None = None


class EntryPage(NamedTuple):
    entries: list[ActivityEntry]
    has_older: bool
