"""Creating and changing a staff member: details, services, the place in the list, leaving and coming back."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Literal
from uuid import UUID

import msgspec

from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query
from frontdesk.problems import Problem, SharedProblem, check_version, raise_all
from frontdesk.staff.edit_queries import (
    Presence,
    ServicesToSet,
    StaffToSave,
    has_staff_place,
    lock_staff,
    presence_of,
    services_to_set,
    staff_to_save,
)
from frontdesk.staff.problems import StaffProblem
from frontdesk.values.money import fits_currency
from frontdesk.values.text import search_key


class StaffFields(msgspec.Struct, frozen=True):
    """What a form edits. `user_id` is the member of the team who signs in as this staff member."""

    name: str
    phone: str | None
    phone_country: str | None
    email: str | None
    branch_id: UUID
    picture_id: UUID | None
    user_id: UUID | None
    title: dict[str, str] = {}  # by language
    names: dict[str, str] = {}  # what customers read in place of the name, by language
    services: tuple[UUID, ...] = ()  # of a new one: what they perform, at the price and in the time of the service


class ServiceTerms(msgspec.Struct, frozen=True):
    """A service that a staff member performs, with their own price and duration if they differ."""

    item_id: UUID
    price: Decimal | None
    duration: int | None
    row: int  # of the form


class SaveStaffMember(Act[StaffToSave], frozen=True):
    staff_id: UUID
    fields: StaffFields
    is_new: bool = False
    version: int | None = None  # the one that a form was filled from

    def load(self) -> Query[StaffToSave]:
        staff_id = None if self.is_new else self.staff_id
        return staff_to_save(staff_id, self.fields.branch_id, self.fields.user_id, self.fields.services).locking(
            lock_staff(None if self.is_new else self.staff_id, self.fields.branch_id)
        )

    def decide(self, context: Context[StaffToSave]) -> FunctionCall:
        loaded, fields = context.loaded, self.fields
        if loaded.version is not None:
            check_version(self.version, loaded.version, self.staff_id)
        if not loaded.branch_known:
            raise Problem(StaffProblem.UNKNOWN_BRANCH, "branch_id")
        if not loaded.user_known:
            raise Problem(StaffProblem.UNKNOWN_USER, "user_id")
        if not loaded.services_known:
            raise Problem(StaffProblem.OTHER_SERVICES, "services")
        if loaded.branch_id not in (None, fields.branch_id) and loaded.upcoming_bookings:
            raise Problem(StaffProblem.UPCOMING_IN_OTHER_BRANCH, "branch_id")
        argument = msgspec.structs.asdict(fields)
        argument |= {"id": self.staff_id, "version": loaded.version, "name_search": search_key(fields.name)}
        return FunctionCall("save_staff_member", argument, ResponseDocument("staff_document", self.staff_id))


class SetStaffServices(Act[ServicesToSet], frozen=True):
    staff_id: UUID
    services: Sequence[ServiceTerms]
    version: int | None = None  # the one that a form was filled from

    def load(self) -> Query[ServicesToSet]:
        return services_to_set(self.staff_id).locking(lock_staff(self.staff_id))

    def decide(self, context: Context[ServicesToSet]) -> FunctionCall:
        check_version(self.version, context.loaded.version, self.staff_id)
        raise_all(list(self._wrong_prices(context.tenant.currency_decimals)))
        if not context.loaded.known.issuperset(service.item_id for service in self.services):
            raise Problem(StaffProblem.OTHER_SERVICES)
        argument = {"id": self.staff_id, "version": context.loaded.version, "services": list(self.services)}
        return FunctionCall("set_staff_services", argument)

    def _wrong_prices(self, decimals: int) -> Iterator[Problem]:
        for service in self.services:
            if service.price is not None and (service.price < 0 or not fits_currency(service.price, decimals)):
                yield Problem(StaffProblem.NOT_AN_AMOUNT, "services", service.row, "price")


class _PresenceAct(Act[Presence], frozen=True):
    staff_id: UUID

    def load(self) -> Query[Presence]:
        return presence_of(self.staff_id).locking(lock_staff(self.staff_id))


class MoveStaffMember(_PresenceAct, frozen=True):
    direction: Literal["up", "down"]

    def decide(self, context: Context[Presence]) -> FunctionCall:
        return FunctionCall("move_staff_member", {"id": self.staff_id, "to": self.direction})


class PlaceStaffMember(Act[bool], frozen=True):
    """Before another one who works here; None for the end."""

    staff_id: UUID
    before: UUID | None

    def load(self) -> Query[bool]:
        return has_staff_place(self.staff_id, self.before).locking(lock_staff(self.staff_id))

    def decide(self, context: Context[bool]) -> FunctionCall:
        if not context.loaded:
            raise Problem(SharedProblem.NO_PLACE, "before")
        argument = {"id": self.staff_id, "to": self.before}
        return FunctionCall("move_staff_member", argument, ResponseDocument("staff_document", self.staff_id))


class SetStaffActive(_PresenceAct, frozen=True):
    """A provider with coming bookings cannot leave."""

    active: bool

    def decide(self, context: Context[Presence]) -> FunctionCall:
        loaded = context.loaded
        if loaded.active is self.active:
            return FunctionCall(None, {})
        if not self.active and loaded.upcoming_bookings:
            raise Problem(StaffProblem.HAS_UPCOMING_BOOKINGS)
        argument = {"id": self.staff_id, "version": loaded.version, "active": self.active}
        return FunctionCall("set_staff_active", argument)
