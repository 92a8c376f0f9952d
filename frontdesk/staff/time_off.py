"""Time off of a staff member."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query
from frontdesk.problems import Problem, check_version
from frontdesk.staff.hour_queries import (
    TimeOffToDecide,
    lock_owner,
    lock_staff_of,
    time_off_to_add,
    time_off_to_decide,
)
from frontdesk.staff.hour_types import HoursOwner
from frontdesk.staff.problems import HoursProblem


class AddTimeOff(Act[TimeOffToDecide], frozen=True):
    staff_id: UUID
    time_off_id: UUID
    start: datetime  # without an offset: in the time zone of the business
    end: datetime
    note: str | None
    status: Literal["requested", "approved"]

    def load(self) -> Query[TimeOffToDecide]:
        return time_off_to_add(self.staff_id).locking(lock_owner(HoursOwner(staff_id=self.staff_id)))

    def decide(self, context: Context[TimeOffToDecide]) -> FunctionCall:
        start, end = context.tenant.to_utc(self.start, "start"), context.tenant.to_utc(self.end, "end")
        if end <= start:
            raise Problem(HoursProblem.ENDS_BEFORE_START, "end")
        argument = {
            "id": self.time_off_id,
            "staff_id": self.staff_id,
            "name": context.loaded.owner,
            "start": start,
            "end": end,
            "note": self.note,
            "status": self.status,
        }
        return FunctionCall("add_time_off", argument, ResponseDocument("time_off_document", self.time_off_id))


class DecideTimeOff(Act[TimeOffToDecide], frozen=True):
    time_off_id: UUID
    status: Literal["approved", "declined"] | None  # None deletes it
    version: int | None = None

    def load(self) -> Query[TimeOffToDecide]:
        return time_off_to_decide(self.time_off_id).locking(lock_staff_of(self.time_off_id))

    def decide(self, context: Context[TimeOffToDecide]) -> FunctionCall:
        loaded = context.loaded
        check_version(self.version, loaded.version or 0, loaded.staff_id)
        response = ResponseDocument("time_off_document", self.time_off_id) if self.status else None
        if loaded.status == self.status:
            return FunctionCall(None, {}, response)
        argument = {
            "id": self.time_off_id,
            "staff_id": loaded.staff_id,
            "name": loaded.owner,
            "version": loaded.version,
            "status": self.status,
        }
        return FunctionCall("decide_time_off", argument, response)
