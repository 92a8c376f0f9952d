"""Everything that the card of a staff member shows, in one statement."""

from datetime import date
from decimal import Decimal
from uuid import UUID

import msgspec

from frontdesk.attention.rules import STAFF_WITHOUT_SERVICE
from frontdesk.postgres.query import Query, found, found_decoded
from frontdesk.staff.hour_types import ClosedDay, HourException, TimeOff, WeeklyHours
from frontdesk.tenants.price_queries import BASE_SELLABLE, CHARGED, OFFER, OFFER_OF_OPTION, TAX

# `owner` is a column of the row of working_hours and `id` its value.
_WEEK = """(SELECT json_build_object('all_time', w.all_time, 'active', w.active, 'version', w.version, 'intervals', (
            SELECT coalesce(json_agg(json_build_array(n.day, n.opens, n.closes) ORDER BY n.day, n.opens), '[]')
            FROM working_intervals n WHERE n.tenant_id = $1 AND n.working_hour_id = w.id AND n.active))
        FROM working_hours w WHERE w.tenant_id = $1 AND w.is_default AND w.{owner} = {id})"""
_EXCEPTIONS = """(SELECT coalesce(json_agg(json_build_object('id', e.id, 'day', e.day, 'note', e.note,
            'version', e.version, 'minutes', (
                SELECT coalesce(json_agg(json_build_array(lower(r), upper(r)) ORDER BY r), '[]')
                FROM unnest(e.minutes) r)) ORDER BY e.day), '[]')
        FROM hour_exceptions e WHERE e.tenant_id = $1 AND e.{owner} = {id} AND e.day >= {since})"""
_CLOSED = """(SELECT coalesce(json_agg(json_build_object('day', d.day, 'note', d.note) ORDER BY d.day), '[]')
        FROM closed_days d WHERE d.tenant_id = $1 AND d.branch_id = {id} AND d.day >= {since})"""


class BranchOfStaff(msgspec.Struct, frozen=True):
    id: UUID
    name: str


class CardService(msgspec.Struct, frozen=True):
    id: UUID
    name: dict[str, str]
    price: Decimal
    duration: int
    staff_price: Decimal | None
    staff_duration: int | None
    active: bool
    charged: Decimal  # by this person, without an option
    option_prices: list[Decimal]
    option_durations: list[int | None]
    base_sellable: bool


class Account(msgspec.Struct, frozen=True):
    """The member of the team who signs in as this staff member."""

    user_id: UUID
    name: str
    role: str


class Namesake(msgspec.Struct, frozen=True):
    id: UUID
    branch: str


class Card(msgspec.Struct, frozen=True):
    id: UUID
    name: str
    names: dict[str, str]  # what customers read in its place, by language
    title: dict[str, str]  # by language
    phone: str | None
    phone_country: str | None
    email: str | None
    picture_id: UUID | None
    active: bool
    version: int
    branch: BranchOfStaff
    account: Account | None
    services: list[CardService]
    staff_hours: WeeklyHours | None
    branch_hours: WeeklyHours | None
    exceptions: list[HourException]
    branch_exceptions: list[HourException]
    closed_days: list[ClosedDay]
    time_off: list[TimeOff]
    upcoming_bookings: int  # bookings
    is_idle: bool  # performs no service, so nobody can book them
    namesakes: list[Namesake]  # who work here under the same name

    @property
    def hours(self) -> WeeklyHours:
        return self.staff_hours or self.branch_hours or WeeklyHours(all_time=False, intervals=())


def get_card(staff_id: UUID, since: date) -> Query[Card]:
    """Exceptions and time off from the day `since` on."""
    return Query(
        _CARD,
        (staff_id, since),
        found("staff member", lambda row: msgspec.json.decode(row["card"], type=Card, strict=False)),
    )


_CARD = f"""
    SELECT json_build_object('id', s.id, 'name', s.name, 'names', s.names, 'title', s.title,
        'phone', s.phone, 'phone_country', s.phone_country, 'email', s.email,
        'picture_id', s.picture_id, 'active', s.active, 'version', s.version,
        'branch', json_build_object('id', b.id, 'name', b.name),
        'account', (SELECT json_build_object('user_id', u.id, 'name', u.name, 'role', m.role)
            FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.tenant_id = $1 AND m.staff_id = s.id),
        'services', (SELECT coalesce(json_agg(json_build_object('id', i.id, 'name', i.name, 'active', i.status,
                'price', coalesce({OFFER.format("i")}, i.price), 'duration', i.duration,
                'staff_price', ss.price, 'staff_duration', ss.duration, 'base_sellable', {BASE_SELLABLE},
                'charged', {CHARGED.format(f"coalesce(ss.price, {OFFER.format('i')}, i.price)")},
                'option_prices', ARRAY(
                    SELECT {CHARGED.format(f"coalesce({OFFER_OF_OPTION.format('i', 'v')}, v.price)")}
                    FROM item_options v WHERE v.tenant_id = $1 AND v.item_id = i.id AND v.is_active),
                'option_durations', ARRAY(SELECT v.duration FROM item_options v
                    WHERE v.tenant_id = $1 AND v.item_id = i.id AND v.is_active))
                ORDER BY i.sort_order, i.id), '[]')
            FROM staff_services ss JOIN items i ON i.tenant_id = $1 AND i.id = ss.item_id {TAX.format("i")}
            WHERE ss.tenant_id = $1 AND ss.staff_id = s.id),
        'staff_hours', {_WEEK.format(owner="staff_id", id="s.id")},
        'branch_hours', {_WEEK.format(owner="branch_id", id="s.branch_id")},
        'exceptions', {_EXCEPTIONS.format(owner="staff_id", id="s.id", since="$3::date")},
        'branch_exceptions', {_EXCEPTIONS.format(owner="branch_id", id="s.branch_id", since="$3::date")},
        'closed_days', {_CLOSED.format(id="s.branch_id", since="$3::date")},
        'time_off', (SELECT coalesce(json_agg(json_build_object('id', o.id, 'start', format_utc(lower(o.during)),
                'end', format_utc(upper(o.during)), 'note', o.note, 'status', o.status, 'version', o.version,
                'bookings', (SELECT count(*) FROM bookings k JOIN orders d ON d.tenant_id = $1 AND d.id = k.order_id
                    WHERE k.tenant_id = $1 AND k.staff_id = s.id AND k.is_active AND lower(k.during) > now()
                        AND k.during && o.during AND d.status <> 'completed'))
                ORDER BY lower(o.during), o.id), '[]')
            FROM time_off o WHERE o.tenant_id = $1 AND o.staff_id = s.id AND upper(o.during) > $3::date
                AND o.status <> 'outside'),
        'upcoming_bookings', (SELECT count(*) FROM bookings k JOIN orders o ON o.tenant_id = $1 AND o.id = k.order_id
            WHERE k.tenant_id = $1 AND k.staff_id = s.id AND k.is_active AND lower(k.during) > now()
                AND o.status <> 'completed'),
        'is_idle', {STAFF_WITHOUT_SERVICE},
        'namesakes', (SELECT coalesce(json_agg(json_build_object('id', n.id, 'branch', nb.name)
                ORDER BY n.sort_order, n.id), '[]')
            FROM staff n JOIN branches nb ON nb.tenant_id = $1 AND nb.id = n.branch_id
            WHERE n.tenant_id = $1 AND n.active AND s.active AND n.id <> s.id
                AND fold_text(n.name_search) = fold_text(s.name_search)))::text AS card
    FROM staff s JOIN branches b ON b.tenant_id = $1 AND b.id = s.branch_id
    WHERE s.tenant_id = $1 AND s.id = $2
    """


class BranchHours(msgspec.Struct, frozen=True):
    """The hours of a branch, with the days that differ."""

    id: UUID
    name: str
    hours: WeeklyHours | None
    exceptions: list[HourException]
    closed_days: list[ClosedDay]
    branches: list[BranchOfStaff]  # all active ones, to choose from

    @property
    def entered_days(self) -> set[date]:
        return {closed.day for closed in self.closed_days} | {exception.day for exception in self.exceptions}


def get_branch_hours(branch_id: UUID | None, since: date) -> Query[BranchHours]:
    """Of the first branch by name if none is named."""
    return Query(
        _BRANCH_HOURS,
        (branch_id, since),
        found_decoded("branch", BranchHours),
    )


_BRANCH_HOURS = f"""
    SELECT json_build_object('id', b.id, 'name', b.name,
        'hours', {_WEEK.format(owner="branch_id", id="b.id")},
        'exceptions', {_EXCEPTIONS.format(owner="branch_id", id="b.id", since="$3::date")},
        'closed_days', {_CLOSED.format(id="b.id", since="$3::date")},
        'branches', (SELECT json_agg(json_build_object('id', o.id, 'name', o.name) ORDER BY o.name, o.id)
            FROM branches o WHERE o.tenant_id = $1 AND (o.status OR o.id = b.id)))::text AS document
    FROM branches b WHERE b.tenant_id = $1 AND b.id = coalesce($2::uuid, (
        SELECT o.id FROM branches o WHERE o.tenant_id = $1 ORDER BY o.status DESC, o.name, o.id LIMIT 1))
    """
