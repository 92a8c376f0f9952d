"""How a member sees the calendar. It is stored, so that it is the same on every device."""

from collections.abc import Sequence
from uuid import UUID

from frontdesk.availability.calendar_queries import Colors
from frontdesk.postgres.act import ActWithoutLoad, Context, FunctionCall


class SaveCalendarView(ActWithoutLoad, frozen=True):
    """What is None stays as it is."""

    user_id: UUID
    branch_id: UUID | None = None
    shown: Sequence[UUID] | None = None  # the providers of the branch that are seen; None: all of them
    only_working: bool | None = None
    colors: Colors | None = None
    is_wide: bool | None = None
    is_side_folded: bool | None = None

    def decide(self, context: Context[None]) -> FunctionCall:
        return FunctionCall("save_calendar_view", self)
