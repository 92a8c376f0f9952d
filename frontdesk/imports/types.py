from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from math import ceil
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from frontdesk.problems import Problem
from frontdesk.values.actor import Actor

Values = dict[str, Any]


class ImportKind(StrEnum):
    CUSTOMERS = "customers"
    ITEMS = "items"
    STAFF = "staff"
    STOCK = "stock"


class ImportStatus(StrEnum):
    CHECKING = "checking"
    CHECKED = "checked"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    UNDOING = "undoing"
    UNDONE = "undone"


class Outcome(StrEnum):
    NEW = "new"
    CHANGED = "changed"
    SAME = "same"
    REFUSED = "refused"


class UploadedTable(NamedTuple):
    kind: ImportKind
    branch_id: UUID
    country: str
    file_name: str
    leave_out_wrong: bool
    actor: Actor
    created_by: UUID


class ImportSettings(msgspec.Struct, frozen=True):
    """What the values of a row are read with."""

    branch_id: UUID
    country: str
    languages: Sequence[str]
    currency_decimals: int
    leave_out_wrong: bool = False  # a value that cannot be read; otherwise the row is refused


class Import(msgspec.Struct, frozen=True):
    tenant_id: UUID
    id: UUID
    kind: ImportKind
    file_name: str
    status: ImportStatus
    version: int
    settings: ImportSettings
    columns: Sequence[str]
    fields: Sequence[str]
    total_rows: int
    last_row: int
    progress: int
    new_rows: int
    changed_rows: int
    same_rows: int
    refused_rows: int
    left_out_rows: int
    kept_rows: int
    has_events: bool
    created: Mapping[str, Any]
    failure: Problem | None
    actor: Mapping[str, Any]
    created_at: datetime
    finished_at: datetime | None
    written_at: datetime | None
    author: str | None = None
    can_undo: bool = False
    elapsed: float | None = None  # seconds of the current step

    @property
    def rows_of_step(self) -> int:
        return self.total_rows if self.status is ImportStatus.CHECKING else self.writable_rows

    @property
    def seconds_left(self) -> int | None:
        """Of the current step, if it goes on as it began. None before its first rows."""
        if not self.progress or not self.elapsed or self.progress >= self.rows_of_step:
            return None
        return ceil(self.elapsed * (self.rows_of_step - self.progress) / self.progress)

    @property
    def writable_rows(self) -> int:
        return self.new_rows + self.changed_rows

    def count(self, outcome: Outcome | None) -> int:
        return self.total_rows if outcome is None else int(getattr(self, f"{outcome.value}_rows"))


class Key(NamedTuple):
    """What a record is recognized by, such as ("phone", "966501234567")."""

    kind: str
    value: str


class ParsedRow(NamedTuple):
    """A row whose values were read. Without a record it is refused, and the reason says why."""

    number: int
    name: str
    detail: str | None = None
    record: Values | None = None
    reason: Problem | None = None
    keys: tuple[Key, ...] = ()  # the best one first
    left_out: tuple[Problem, ...] = ()  # why values are left out


class Existing(NamedTuple):
    id: UUID
    updated_at: datetime
    values: Values
    keys: tuple[Key, ...]
    is_booked: bool = False  # a staff member with coming bookings, who cannot leave


class CheckedRow(NamedTuple):
    """A row of import_outcomes."""

    number: int
    outcome: Outcome
    name: str
    detail: str | None
    reason: Problem | None = None
    subject_id: UUID | None = None
    seen_at: datetime | None = None
    before: Values | None = None
    after: Values | None = None
    undone: str | None = None
    left_out: tuple[Problem, ...] = ()
