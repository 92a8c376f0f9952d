"""Creating staff and branches, and their weekly hours."""

from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from frontdesk.apis.affected_bookings import compare_bookings
from frontdesk.apis.custom_data import CustomDataFields, stores
from frontdesk.apis.open.contacts import checked_email, checked_phone
from frontdesk.apis.open.customers import CountryCode, contact_problems
from frontdesk.apis.open.entered_fields import (
    ClockTime,
    LocalizedName,
    Minutes,
    Version,
    entered,
    given,
    minute_of,
    texts,
)
from frontdesk.auth.scopes import Scope
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.field_types import NonNegativeMoney, ShortText
from frontdesk.http.pagination import DataResponse
from frontdesk.http.request import Request
from frontdesk.pictures.addresses import with_origin
from frontdesk.problems import Problem, SharedProblem, raise_all
from frontdesk.staff.change import ChangeStaffMember
from frontdesk.staff.documents import StaffMember, WorkingHour
from frontdesk.staff.edit import SaveStaffMember, StaffFields
from frontdesk.staff.edit_queries import OwnTerms
from frontdesk.staff.hour_types import HoursOwner, WeeklyHours
from frontdesk.staff.problems import StaffProblem
from frontdesk.staff.weekly_hours import SetWorkingHours
from frontdesk.tenants.branch_types import BranchFields
from frontdesk.tenants.branches import ChangeBranch, SaveBranch, slug_of
from frontdesk.tenants.documents import Branch
from frontdesk.values.ids import uuid7

operations = Endpoints()

Address = Annotated[str, Meta(min_length=1, max_length=500)]
MapLink = Annotated[str, Meta(min_length=1, max_length=255)]
ServiceIds = Annotated[list[UUID], Meta(max_length=500)]
_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")


class StaffCreate(CustomDataFields):
    name: ShortText
    branch_id: UUID
    service_ids: ServiceIds | None = None
    names: LocalizedName | None = None
    title: LocalizedName | None = None
    phone: ShortText | None = None
    phone_country: CountryCode | None = None
    email: ShortText | None = None


class StaffServiceTerms(msgspec.Struct):
    """A service that they perform. Without a price or a duration of their own it has those of the service."""

    service_id: UUID
    price: NonNegativeMoney | None = None
    duration: Minutes | None = None


class StaffUpdate(CustomDataFields):
    """Omitted fields keep their values; null clears an optional field."""

    name: ShortText | UnsetType = UNSET
    names: LocalizedName | UnsetType | None = UNSET
    title: LocalizedName | UnsetType | None = UNSET
    phone: ShortText | UnsetType | None = UNSET
    phone_country: CountryCode | UnsetType | None = UNSET
    email: ShortText | UnsetType | None = UNSET
    branch_id: UUID | UnsetType = UNSET
    service_ids: ServiceIds | UnsetType = UNSET
    services: Annotated[list[StaffServiceTerms], Meta(max_length=500)] | UnsetType = UNSET
    status: bool | UnsetType = UNSET
    version: Version | None = None


class BranchCreate(msgspec.Struct):
    name: ShortText
    names: LocalizedName | None = None
    slug: ShortText | None = None
    phone: ShortText | None = None
    phone_country: CountryCode | None = None
    address: Address | None = None
    location: MapLink | None = None


class BranchUpdate(msgspec.Struct):
    """Omitted fields keep their values; null clears an optional field."""

    name: ShortText | UnsetType = UNSET
    names: LocalizedName | UnsetType | None = UNSET
    slug: ShortText | UnsetType = UNSET
    phone: ShortText | UnsetType | None = UNSET
    phone_country: CountryCode | UnsetType | None = UNSET
    address: Address | UnsetType | None = UNSET
    location: MapLink | UnsetType | None = UNSET
    status: bool | UnsetType = UNSET


class WorkingIntervalEntry(msgspec.Struct):
    """Open or at work on a weekday. An end that is not after the start is on the next day."""

    day: Literal["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
    from_: ClockTime = msgspec.field(name="from")
    to: ClockTime


Intervals = Annotated[list[WorkingIntervalEntry], Meta(max_length=50)]


class BranchHours(msgspec.Struct):
    all_time: bool | None = False
    intervals: Intervals | None = None
    version: Version | None = None


class StaffHours(BranchHours):
    source: Literal["staff", "branch"] | None = "staff"


async def _check_staff(request: Request, act: SaveStaffMember) -> SaveStaffMember:
    fields, problems = act.fields, list[Problem]()
    email = await checked_email(fields.email, request.resources.domains, problems)
    phone = checked_phone(fields.phone, fields.phone_country, problems)
    raise_all(problems)
    return replace(act, fields=replace(fields, email=email, phone=phone, phone_country=_country(fields.phone_country)))


@operations.post(
    "/staff",
    scope=Scope.STAFF_WRITE,
    response=DataResponse[StaffMember],
    status=201,
    creates="staff_member",
    prepare=_check_staff,
    adds=stores("staff", is_new=True),
    extra_validation=contact_problems,
    fields={"services": "service_ids"},
    errors=[Code.VALIDATION_ERROR, Code.EXTERNAL_ID_TAKEN],
)
def create_staff_member(body: StaffCreate) -> SaveStaffMember:
    """Create a staff member, with the services of their branch that they perform."""
    fields = StaffFields(
        name=body.name,
        phone=body.phone,
        phone_country=body.phone_country if body.phone else None,
        email=body.email,
        branch_id=body.branch_id,
        picture_id=None,
        user_id=None,
        title=texts(body.title),
        names=texts(body.names),
        services=tuple(dict.fromkeys(given(body.service_ids, []))),
    )
    return SaveStaffMember(uuid7(), fields, is_new=True)


async def _check_staff_changes(request: Request, act: ChangeStaffMember) -> ChangeStaffMember:
    changes, problems = dict(act.changes), list[Problem]()
    if "email" in changes:
        changes["email"] = await checked_email(changes["email"], request.resources.domains, problems)
    _check_changed_phone(changes, problems)
    raise_all(problems)
    return replace(act, changes=changes)


@operations.patch(
    "/staff/{uuid}",
    scope=Scope.STAFF_WRITE,
    response=DataResponse[StaffMember],
    prepare=_check_staff_changes,
    adds=stores("staff"),
    complete=with_origin,
    extra_validation=contact_problems,
    fields={"performs.#": "service_ids.#"},
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR, Code.VERSION_CONFLICT, Code.EXTERNAL_ID_TAKEN],
)
def update_staff_member(uuid: UUID, body: StaffUpdate) -> ChangeStaffMember:
    """Update a staff member; omitted fields keep their values.

    `service_ids` or `services` replaces what they perform: with the first, services that they performed before keep
    their own price and duration. `status` false lets them leave, if they have no coming bookings.
    """
    changes = entered(body, without=("version", "service_ids", "services", "status"))
    if body.status is not UNSET:
        changes["active"] = body.status
    performs = None if body.service_ids is UNSET else list(dict.fromkeys(body.service_ids))
    services = None if body.services is UNSET else _terms(body.services)
    if performs is not None and services is not None:
        raise Problem(StaffProblem.SERVICES_TWICE, "services")
    return ChangeStaffMember(uuid, changes, performs, services, body.version)


def _terms(services: list[StaffServiceTerms]) -> dict[UUID, OwnTerms]:
    ids = [service.service_id for service in services]
    twice = [n for n, service_id in enumerate(ids) if service_id in ids[:n]]
    raise_all([Problem(SharedProblem.DUPLICATE, "services", n, "service_id") for n in twice])
    return {service.service_id: OwnTerms(service.price, service.duration) for service in services}


@operations.put(
    "/staff/{uuid}/working-hours",
    scope=Scope.STAFF_WRITE,
    response=DataResponse[WorkingHour | None],
    compare=compare_bookings,
    fields={"days.#": "intervals"},
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR, Code.VERSION_CONFLICT],
)
def set_staff_hours(uuid: UUID, body: StaffHours) -> SetWorkingHours:
    """Replace the weekly hours of a staff member.

    With `source` `branch` they have the hours of their branch again, and the answer is those, or null if it has none.
    Bookings that are outside the new hours stay; `affected_bookings` has them.
    """
    hours = None if body.source == "branch" else _week(body)
    return SetWorkingHours(HoursOwner(staff_id=uuid), hours, body.version)


async def _check_branch(_request: Request, act: SaveBranch) -> SaveBranch:
    fields, problems = act.fields, list[Problem]()
    phone = checked_phone(fields.phone, fields.phone_country, problems)
    raise_all(problems)
    return replace(act, fields=replace(fields, phone=phone, phone_country=_country(fields.phone_country)))


@operations.post(
    "/branches",
    scope=Scope.SETTINGS_WRITE,
    response=DataResponse[Branch],
    status=201,
    creates="branch",
    prepare=_check_branch,
    extra_validation=contact_problems,
    errors=[Code.VALIDATION_ERROR],
)
def create_branch(body: BranchCreate) -> SaveBranch:
    """Create a branch. It offers no times before its opening hours are set."""
    fields = BranchFields(
        name=body.name,
        names=texts(body.names),
        slug=slug_of(body.slug or body.name),
        phone=body.phone,
        phone_country=body.phone_country if body.phone else None,
        address=body.address,
        latitude=None,
        longitude=None,
        location=body.location,
    )
    return SaveBranch(uuid7(), fields)


async def _check_branch_changes(_request: Request, act: ChangeBranch) -> ChangeBranch:
    changes, problems = dict(act.changes), list[Problem]()
    _check_changed_phone(changes, problems)
    raise_all(problems)
    return replace(act, changes=changes)


def _check_changed_phone(changes: dict[str, Any], problems: list[Problem]) -> None:
    """A country comes with a number."""
    country = changes.pop("phone_country", None)
    if "phone" in changes:
        changes["phone"] = checked_phone(changes["phone"], country, problems)
        changes["phone_country"] = _country(country) if changes["phone"] else None


@operations.patch(
    "/branches/{uuid}",
    scope=Scope.SETTINGS_WRITE,
    response=DataResponse[Branch],
    prepare=_check_branch_changes,
    extra_validation=contact_problems,
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR],
)
def update_branch(uuid: UUID, body: BranchUpdate) -> ChangeBranch:
    """Update a branch; omitted fields keep their values.

    A branch with `status` false offers no times; its bookings stay as they are.
    """
    changes = entered(body)
    if "slug" in changes:
        changes["slug"] = slug_of(changes["slug"])
    return ChangeBranch(uuid, changes)


@operations.put(
    "/branches/{uuid}/working-hours",
    scope=Scope.SETTINGS_WRITE,
    response=DataResponse[WorkingHour],
    compare=compare_bookings,
    fields={"days.#": "intervals"},
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR, Code.VERSION_CONFLICT],
)
def set_branch_hours(uuid: UUID, body: BranchHours) -> SetWorkingHours:
    """Replace the weekly opening hours of a branch.

    Bookings that are outside the new hours stay; `affected_bookings` has them.
    """
    return SetWorkingHours(HoursOwner(uuid), _week(body), body.version)


def _week(body: BranchHours) -> WeeklyHours:
    intervals = () if body.all_time else tuple(map(_interval, given(body.intervals, [])))
    return WeeklyHours(bool(body.all_time), intervals)


def _interval(entry: WorkingIntervalEntry) -> tuple[int, int, int]:
    return _DAYS.index(entry.day), minute_of(entry.from_), minute_of(entry.to)


def _country(sent: str | None) -> str | None:
    return sent.upper() if sent else None
