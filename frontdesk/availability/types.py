from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Literal, NamedTuple
from uuid import UUID

import msgspec

from frontdesk.availability.hours import DayHours, Hours
from frontdesk.values.actor import Author


class BusyMinutes(NamedTuple):
    """The booked minutes of some UTC days, as the database stores them; see `window.mask_of_utc_days`."""

    first: date
    days: bytes
    minutes: bytes


class StaffSchedule(NamedTuple):
    """The working hours, time off and bookings of a staff member."""

    staff_id: UUID
    staff_duration: int | None  # for the requested service, if there is one
    hours: Hours
    has_own_hours: bool  # not the branch's
    exceptions: tuple[DayHours, ...]
    closed: frozenset[date]
    time_off: list[tuple[datetime, datetime]]
    busy: BusyMinutes
    external_busy: Sequence[tuple[datetime, datetime]] = ()  # busy times of a calendar elsewhere
    version: int = 1  # changes with everything but the bookings, `external_busy` and `held`
    held: Sequence[tuple[datetime, datetime]] = ()  # times that others hold


class Service(NamedTuple):
    """The properties of a service and its tenant that availability depends on."""

    duration: int
    buffer_before: int
    buffer_after: int
    active: bool
    grid: int
    providers: list[StaffSchedule]
    is_staff: bool  # whether the requested provider belongs to the tenant
    needs_option: bool = False  # it is not sold without one
    is_option_on_sale: bool | None = None  # of the requested one; None: it has no such option


class ServiceToSchedule(NamedTuple):
    """One service of an order: who may perform it, and how many minutes each of them needs."""

    candidates: Mapping[UUID, int]
    buffer_before: int = 0
    buffer_after: int = 0
    prices: Mapping[UUID, Decimal] | None = (
        None  # of each candidate: the cheapest is assigned; None: they do not matter
    )
    is_requested: bool = False  # the only candidate was asked for


ProviderRule = Literal["requested", "only", "least_booked", "cheapest", "on_purpose"]


class OtherProvider(msgspec.Struct, frozen=True, array_like=True, omit_defaults=True):
    """One who was free too."""

    staff_id: UUID
    booked: int  # minutes of that day
    price: Decimal | None = None  # None: prices did not matter


class ProviderChoice(msgspec.Struct, frozen=True, omit_defaults=True):
    """By which rule a provider was chosen. It is stored with the line, because the bookings of that day change."""

    rule: ProviderRule
    booked: int = 0  # minutes of that day
    free: int = 0  # how many were free, with the one who was chosen
    others: tuple[OtherProvider, ...] = ()  # the next ones by the rule
    by: Author | None = None  # if not who made the order


class Assignment(NamedTuple):
    """Who performs a service, and when."""

    staff_id: UUID
    schedule_version: int  # that it was checked against
    start: datetime
    end: datetime
    busy_from: datetime
    busy_until: datetime
    is_extra: bool = False  # on purpose over another booking, or outside the hours
    chosen: ProviderChoice | None = None

    def chosen_by(self, author: Author) -> "Assignment":
        """With the one who has changed the order."""
        return self._replace(chosen=msgspec.structs.replace(self.chosen, by=author) if self.chosen else None)
