"""The address of a calendar page: the day, the view, and what is shown."""

from typing import Annotated, Literal
from urllib.parse import parse_qsl, urlencode
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.auth.types import Role
from frontdesk.http.field_types import CalendarDate
from frontdesk.ui.shell.context import PageContext

PATH = "/calendar"
View = Literal["day", "week", "month"]
_UNDO_FIELDS = {"version", "notify"}


class CalendarQuery(msgspec.Struct):
    date: CalendarDate | None = None
    view: View = "day"
    branch: UUID | None = None
    staff: UUID | None = None
    order: UUID | None = None  # the selected booking
    undo: Annotated[str, Meta(max_length=300)] = ""  # the fields of the form that undoes the last move

    def undo_fields(self, version: int) -> list[tuple[str, str]]:
        """Empty if the booking was changed since it was moved."""
        fields = [(name, value) for name, value in parse_qsl(self.undo) if name in _UNDO_FIELDS]
        return fields if ("version", str(version)) in fields else []

    def link(self, **changes: object) -> str:
        """The same page with changes; the selected booking is left out unless it is given."""
        values: dict[str, object] = {"date": self.date, "view": self.view, "branch": self.branch, "staff": self.staff}
        values |= changes
        query = {name: str(value) for name, value in values.items() if value not in (None, "", "day")}
        return f"{PATH}?{urlencode(query)}" if query else PATH


def restricted_staff_id(context: PageContext) -> UUID | None:
    """A provider sees their own diary only."""
    return context.current_tenant.staff_id if context.role is Role.PROVIDER else None


def sees_money(context: PageContext) -> bool:
    return context.role is not Role.PROVIDER
