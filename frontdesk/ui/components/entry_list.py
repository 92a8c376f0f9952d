"""Lists of who did what, newest first: the filters in their address, and their days."""

from collections.abc import Iterable
from datetime import datetime
from itertools import groupby
from typing import ClassVar, Protocol, TypeVar
from urllib.parse import urlencode
from uuid import UUID

import msgspec

from frontdesk.http.field_types import CalendarDate
from frontdesk.ui.shell.formatting import Formatter


class _Entry(Protocol):
    @property
    def created_at(self) -> datetime: ...


Entry = TypeVar("Entry", bound=_Entry)


class EntryQuery(msgspec.Struct, kw_only=True):
    path: ClassVar[str]

    from_: CalendarDate | None = msgspec.field(name="from", default=None)
    to: CalendarDate | None = None
    before: UUID | None = None  # the last entry of the previous page

    def link(self, **changes: str | UUID | None) -> str:
        """A link to this list with changed filters, from the newest entry unless `before` is given."""
        names = zip(self.__struct_encode_fields__, self.__struct_fields__, strict=True)
        parameters = {name: getattr(self, field) for name, field in names if name != "before"} | changes
        query = {name: str(value) for name, value in parameters.items() if value not in (None, "")}
        return f"{self.path}?{urlencode(query)}" if query else self.path

    @property
    def has_filters(self) -> bool:
        return self.link() != self.path


def by_day(entries: Iterable[Entry], format_: Formatter) -> list[tuple[str, list[Entry]]]:
    days = groupby(entries, key=lambda entry: format_.short_date(entry.created_at))
    return [(day, list(found)) for day, found in days]
