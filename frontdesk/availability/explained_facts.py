"""What an explanation names: who works in the branch, why days are closed, and what takes the time of the providers."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Literal
from uuid import UUID

import msgspec

OccupiedBy = Literal["booking", "time_off", "external", "hold"]


class NamedMember(msgspec.Struct, frozen=True):
    id: UUID
    name: str
    active: bool
    branch_id: UUID
    performs: bool  # the first service


class OrderCustomer(msgspec.Struct, frozen=True):
    id: UUID
    first_name: str
    last_name: str | None

    @property
    def name(self) -> str:
        return " ".join(filter(None, (self.first_name, self.last_name)))


class Occupied(msgspec.Struct, frozen=True):
    """What takes the time of a provider; `busy_from` and `busy_until` include the buffers of a booking."""

    staff_id: UUID
    by: OccupiedBy
    start: datetime
    end: datetime
    busy_from: datetime
    busy_until: datetime
    order_id: UUID | None = None
    order_number: int | None = None
    customer: OrderCustomer | None = None
    note: str | None = None  # of time off
    until: datetime | None = None  # when a hold ends


class StartFacts(msgspec.Struct, frozen=True):
    """It only names what the schedules say, which may be older or newer by a moment."""

    staff: Sequence[NamedMember] = ()  # in the order that the business has chosen
    is_branch_active: bool = True
    closed: Mapping[date, str | None] = {}
    exceptions: Sequence[tuple[UUID, date, str]] = ()  # of the branch, or of a staff member
    occupied: Sequence[Occupied] = ()

    def exception_note(self, staff_id: UUID, day: date) -> str | None:
        """Their own goes before that of the branch."""
        found = {owner: note for owner, on, note in self.exceptions if on == day}
        return found.get(staff_id) or next((note for owner, note in found.items() if not self._is_staff(owner)), None)

    def name_of(self, staff_id: UUID) -> str:
        return next((member.name for member in self.staff if member.id == staff_id), "")

    def _is_staff(self, owner: UUID) -> bool:
        return any(member.id == owner for member in self.staff)


NO_FACTS = StartFacts()
