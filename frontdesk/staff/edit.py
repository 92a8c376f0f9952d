"""Creating and changing a staff member: details, services, the place in the list, leaving and coming back."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Literal
from uuid import UUID

import msgspec

from frontdesk.postgres.act import FunctionCall
from frontdesk.postgres.write import Look
from frontdesk.problems import Problem, check_version, raise_all
from frontdesk.staff.edit_queries import (
    SeenPresence,
    SeenServices,
    SeenStaff,
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
    services: tuple[UUID, ...] = ()  # of a new one: what they perform, at the price and in the time of the service


class OwnService(msgspec.Struct, frozen=True):
    """A service that a staff member performs, with their own price and duration if they differ."""

    item_id: UUID
    price: Decimal | None
    duration: int | None
    row: int  # of the form


def look_at_staff(staff_id: UUID | None, fields: StaffFields) -> Look[SeenStaff]:
    query = staff_to_save(staff_id, fields.branch_id, fields.user_id, fields.services)
    return Look(query, lock_staff(staff_id, fields.branch_id))


def plan_staff(seen: SeenStaff, staff_id: UUID, fields: StaffFields, version: int | None) -> FunctionCall:
    """`version` is that of the form; None for a new staff member."""
    if seen.version is not None and version is not None:
        check_version(version, seen.version, staff_id)
    if not seen.branch_known:
        raise Problem(StaffProblem.UNKNOWN_BRANCH, "branch_id")
    if not seen.user_known:
        raise Problem(StaffProblem.UNKNOWN_USER, "user_id")
    if not seen.services_known:
        raise Problem(StaffProblem.OTHER_SERVICES)
    if seen.branch_id not in (None, fields.branch_id) and seen.coming:
        raise Problem(StaffProblem.COMING_IN_OTHER_BRANCH, "branch_id")
    argument = {name: getattr(fields, name) for name in fields.__struct_fields__}
    argument |= {"id": staff_id, "version": seen.version, "name_search": search_key(fields.name)}
    return FunctionCall("save_staff_member", argument)


def look_at_services(staff_id: UUID) -> Look[SeenServices]:
    return Look(services_to_set(staff_id), lock_staff(staff_id))


def plan_services(
    seen: SeenServices, staff_id: UUID, services: Sequence[OwnService], version: int, decimals: int
) -> FunctionCall:
    check_version(version, seen.version, staff_id)
    wrong = [s for s in services if s.price is not None and (s.price < 0 or not fits_currency(s.price, decimals))]
    raise_all([Problem(StaffProblem.NOT_AN_AMOUNT, "services", service.row, "price") for service in wrong])
    if not seen.known.issuperset(service.item_id for service in services):
        raise Problem(StaffProblem.OTHER_SERVICES)
    return FunctionCall("set_staff_services", {"id": staff_id, "version": version, "services": list(services)})


def look_at_presence(staff_id: UUID) -> Look[SeenPresence]:
    return Look(presence_of(staff_id), lock_staff(staff_id))


def plan_move(staff_id: UUID, direction: Literal["up", "down"]) -> FunctionCall:
    return FunctionCall("move_staff_member", {"id": staff_id, "by": -1 if direction == "up" else 1})


def plan_presence(seen: SeenPresence, staff_id: UUID, *, active: bool) -> FunctionCall:
    """A provider with coming bookings cannot leave."""
    if seen.active is active:
        return FunctionCall(None, {})
    if not active and seen.coming:
        raise Problem(StaffProblem.HAS_COMING_BOOKINGS)
    return FunctionCall("set_staff_active", {"id": staff_id, "version": seen.version, "active": active})
