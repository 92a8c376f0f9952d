"""Days with other hours, and closed days of a branch."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple
from uuid import UUID

from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query
from frontdesk.postgres.write import UNIQUE
from frontdesk.problems import Problem, check_version, or_not_found
from frontdesk.staff.hour_queries import HoursToChange, exception_of_day, exception_to_save, lock_owner
from frontdesk.staff.hour_types import DAY, HoursOwner
from frontdesk.staff.problems import HoursProblem
from frontdesk.staff.weekly_hours import check_week

MAX_CLOSED_DAYS = 62


class ExceptionFields(NamedTuple):
    day: date
    minutes: Sequence[tuple[int, int]]  # none: closed
    note: str | None


class SaveHourException(Act[HoursToChange], frozen=True):
    owner: HoursOwner
    exception_id: UUID
    fields: ExceptionFields
    is_new: bool = False
    version: int | None = None  # the one that a form was filled from

    def load(self) -> Query[HoursToChange]:
        return exception_to_save(self.owner, None if self.is_new else self.exception_id).locking(lock_owner(self.owner))

    def decide(self, context: Context[HoursToChange]) -> FunctionCall:
        loaded = context.loaded
        if loaded.version is not None:
            check_version(self.version, loaded.version, self.owner.id)
        if self.fields.day in loaded.closed_days:
            raise Problem(HoursProblem.BRANCH_CLOSED, "day")
        argument = {
            **self.owner._asdict(),
            **self.fields._asdict(),
            "id": self.exception_id,
            "name": loaded.owner,
            "version": loaded.version,
        }
        used = {UNIQUE: lambda: Problem(HoursProblem.DAY_TAKEN, "day")}
        response = ResponseDocument("hour_exception_document", self.exception_id)
        return FunctionCall("save_hour_exception", argument, response, errors=used)


class SetHoursOfDay(Act[HoursToChange], frozen=True):
    """Other hours for a day, which may have them already."""

    owner: HoursOwner
    new_id: UUID
    fields: ExceptionFields
    version: int | None = None

    def load(self) -> Query[HoursToChange]:
        return exception_of_day(self.owner, self.fields.day).locking(lock_owner(self.owner))

    def decide(self, context: Context[HoursToChange]) -> FunctionCall:
        weekday = self.fields.day.isoweekday() % 7
        check_week([(weekday, start, end % DAY) for start, end in self.fields.minutes])
        id_ = context.loaded.exception_id
        check_version(self.version, context.loaded.version or 0, self.owner.id)
        fields = self.fields._replace(minutes=sorted(self.fields.minutes))
        act = SaveHourException(self.owner, id_ or self.new_id, fields, is_new=id_ is None)
        return act.decide(context)


class ResetHoursOfDay(Act[HoursToChange], frozen=True):
    """The day has its usual hours again."""

    owner: HoursOwner
    day: date

    def load(self) -> Query[HoursToChange]:
        return exception_of_day(self.owner, self.day).locking(lock_owner(self.owner))

    def decide(self, context: Context[HoursToChange]) -> FunctionCall:
        id_ = or_not_found(context.loaded.exception_id, "day with other hours")
        return DeleteHourException(self.owner, id_, context.loaded.version or 0).decide(context)


class DeleteHourException(Act[HoursToChange], frozen=True):
    owner: HoursOwner
    exception_id: UUID
    version: int

    def load(self) -> Query[HoursToChange]:
        return exception_to_save(self.owner, self.exception_id).locking(lock_owner(self.owner))

    def decide(self, context: Context[HoursToChange]) -> FunctionCall:
        loaded = context.loaded
        if loaded.version is not None:
            check_version(self.version, loaded.version, self.owner.id)
        argument = {
            **self.owner._asdict(),
            "id": self.exception_id,
            "name": loaded.owner,
            "version": loaded.version,
        }
        return FunctionCall("delete_hour_exception", argument)


class _BranchAct(Act[HoursToChange], frozen=True):
    branch_id: UUID

    def load(self) -> Query[HoursToChange]:
        return exception_to_save(HoursOwner(self.branch_id), None).locking(lock_owner(HoursOwner(self.branch_id)))


class AddClosedDays(_BranchAct, frozen=True):
    days: Sequence[date]
    note: str | None

    def decide(self, context: Context[HoursToChange]) -> FunctionCall:
        if len(self.days) > MAX_CLOSED_DAYS:
            raise Problem(HoursProblem.TOO_MANY_DAYS, "until", most=MAX_CLOSED_DAYS)
        argument = {
            "branch_id": self.branch_id,
            "name": context.loaded.owner,
            "days": list(self.days),
            "note": self.note,
        }
        return FunctionCall("add_closed_days", argument, ResponseDocument("closed_days_document", self.branch_id))


class DeleteClosedDay(_BranchAct, frozen=True):
    day: date

    def decide(self, context: Context[HoursToChange]) -> FunctionCall:
        argument = {"branch_id": self.branch_id, "name": context.loaded.owner, "day": self.day}
        return FunctionCall("delete_closed_day", argument)
