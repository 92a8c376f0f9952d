"""Time off of a staff member."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from frontdesk.postgres.act import Act, Context, FunctionCall
from frontdesk.postgres.query import Query
from frontdesk.problems import check_version
from frontdesk.staff.hour_queries import TimeOffToDecide, lock_owner, time_off_to_decide
from frontdesk.staff.hour_types import HoursOwner


class AddTimeOff(Act[TimeOffToDecide], frozen=True):
    staff_id: UUID
    time_off_id: UUID
    start: datetime
    end: datetime
    note: str | None
    status: Literal["requested", "approved"]

    def load(self) -> Query[TimeOffToDecide]:
        return time_off_to_decide(self.staff_id, None).locking(lock_owner(HoursOwner(staff_id=self.staff_id)))

    def decide(self, context: Context[TimeOffToDecide]) -> FunctionCall:
        argument = {
            "id": self.time_off_id,
            "staff_id": self.staff_id,
            "name": context.loaded.owner,
            "start": self.start,
            "end": self.end,
            "note": self.note,
            "status": self.status,
        }
        return FunctionCall("add_time_off", argument)


class DecideTimeOff(Act[TimeOffToDecide], frozen=True):
    staff_id: UUID
    time_off_id: UUID
    status: Literal["approved", "declined"] | None  # None deletes it
    version: int

    def load(self) -> Query[TimeOffToDecide]:
        return time_off_to_decide(self.staff_id, self.time_off_id).locking(
            lock_owner(HoursOwner(staff_id=self.staff_id))
        )

    def decide(self, context: Context[TimeOffToDecide]) -> FunctionCall:
        loaded = context.loaded
        if loaded.version is not None:
            check_version(self.version, loaded.version, self.staff_id)
        if loaded.status == self.status:
            return FunctionCall(None, {})
        argument = {
            "id": self.time_off_id,
            "staff_id": self.staff_id,
            "name": loaded.owner,
            "version": loaded.version,
            "status": self.status,
        }
        return FunctionCall("decide_time_off", argument)
