"""What the acts on a staff member load."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.postgres.query import Lock, Query, found, found_decoded
from frontdesk.problems import not_found


class StaffToSave(msgspec.Struct, frozen=True):
    """What a change of a staff member depends on."""

    version: int | None  # None for a new one
    branch_id: UUID | None
    picture_id: UUID | None
    upcoming_bookings: int  # bookings
    branch_known: bool  # whether the requested branch belongs to the business
    user_known: bool
    services_known: bool  # whether all services that are named belong to that branch


class ServicesToSet(msgspec.Struct, frozen=True):
    version: int
    known: frozenset[UUID]  # services of the branch


class Presence(msgspec.Struct, frozen=True):
    version: int
    active: bool
    upcoming_bookings: int  # bookings


def lock_staff(staff_id: UUID | None, branch_id: UUID | None = None) -> Lock:
    """With the branch that they move to, which comes first."""
    return Lock("SELECT lock_schedules($1, $2, $3)", (branch_id, staff_id))


_UPCOMING_BOOKINGS = """(SELECT count(*) FROM bookings k JOIN orders o ON o.tenant_id = $1 AND o.id = k.order_id
         WHERE k.tenant_id = $1 AND k.staff_id = s.id AND k.is_active AND lower(k.during) > now()
             AND o.status <> 'completed')"""


def staff_to_save(
    staff_id: UUID | None, branch_id: UUID, user_id: UUID | None, services: Sequence[UUID]
) -> Query[StaffToSave]:
    return Query(_TO_SAVE, (staff_id, branch_id, user_id, services), _staff_to_save(staff_id))


_TO_SAVE = f"""
    SELECT s.id, s.version, s.branch_id, s.picture_id, {_UPCOMING_BOOKINGS} AS upcoming_bookings,
        EXISTS (SELECT FROM branches WHERE tenant_id = $1 AND id = $3) AS branch_known,
        $4::uuid IS NULL OR EXISTS (SELECT FROM memberships WHERE tenant_id = $1 AND user_id = $4) AS user_known,
        NOT EXISTS (SELECT FROM unnest($5::uuid[]) n (id) LEFT JOIN items i ON i.tenant_id = $1 AND i.id = n.id
            AND i.type = 'service' AND i.branch_id = $3 WHERE i.id IS NULL) AS services_known
    FROM (SELECT 1) one LEFT JOIN staff s ON s.tenant_id = $1 AND s.id IS NOT DISTINCT FROM $2::uuid
    """


def _staff_to_save(staff_id: UUID | None) -> Callable[[Record | None], StaffToSave]:
    def result(row: Record | None) -> StaffToSave:
        if row is None or (staff_id is not None and row["id"] is None):
            raise not_found("staff member")
        return StaffToSave(*(row[name] for name in StaffToSave.__struct_fields__))

    return result


def services_to_set(staff_id: UUID) -> Query[ServicesToSet]:
    return Query(
        """
        SELECT s.version, (SELECT coalesce(array_agg(i.id), '{}') FROM items i
            WHERE i.tenant_id = $1 AND i.type = 'service' AND i.branch_id = s.branch_id) AS known
        FROM staff s WHERE s.tenant_id = $1 AND s.id = $2
        """,
        (staff_id,),
        found("staff member", lambda row: ServicesToSet(row["version"], frozenset(row["known"]))),
    )


def presence_of(staff_id: UUID) -> Query[Presence]:
    return Query(_PRESENCE, (staff_id,), found("staff member", lambda row: Presence(*row)))


_PRESENCE = f"""
    SELECT s.version, s.active, {_UPCOMING_BOOKINGS} AS upcoming_bookings FROM staff s
    WHERE s.tenant_id = $1 AND s.id = $2
    """


def has_staff_place(staff_id: UUID, before: UUID | None) -> Query[bool]:
    """Whether they can come before the other one; 404 if they do not work here."""
    return Query(
        """
        SELECT $3::uuid IS NULL OR EXISTS (
            SELECT FROM staff o WHERE o.tenant_id = $1 AND o.id = $3 AND o.id <> s.id AND o.active) AS has_place
        FROM staff s WHERE s.tenant_id = $1 AND s.id = $2 AND s.active
        """,
        (staff_id, before),
        found("staff member", lambda row: bool(row["has_place"])),
    )


class OwnTerms(msgspec.Struct, frozen=True):
    """None: as the service has it."""

    price: Decimal | None = None
    duration: int | None = None


class StaffToChange(msgspec.Struct, frozen=True):
    id: UUID
    version: int
    branch_id: UUID
    name: str
    names: dict[str, str]
    title: dict[str, str]
    phone: str | None
    phone_country: str | None
    email: str | None
    active: bool
    services: dict[UUID, OwnTerms]  # by item
    upcoming_bookings: int  # bookings
    branch_known: bool  # whether the branch that they move to belongs to the business
    known: frozenset[UUID]  # services of that branch


def staff_to_change(staff_id: UUID, branch_id: UUID | None) -> Query[StaffToChange]:
    """`branch_id` is the branch that they move to."""
    return Query(_TO_CHANGE, (staff_id, branch_id), found_decoded("staff member", StaffToChange))


_TO_CHANGE = f"""
    SELECT json_build_object('id', s.id, 'version', s.version, 'branch_id', s.branch_id, 'name', s.name,
        'names', s.names, 'title', s.title, 'phone', s.phone, 'phone_country', s.phone_country, 'email', s.email,
        'active', s.active, 'services', (SELECT coalesce(json_object_agg(ss.item_id,
                json_build_object('price', ss.price, 'duration', ss.duration)), '{{}}')
            FROM staff_services ss WHERE ss.tenant_id = $1 AND ss.staff_id = s.id),
        'upcoming_bookings', {_UPCOMING_BOOKINGS},
        'branch_known', EXISTS (SELECT FROM branches b WHERE b.tenant_id = $1 AND b.id = coalesce($3, s.branch_id)),
        'known', (SELECT coalesce(json_agg(i.id), '[]') FROM items i
            WHERE i.tenant_id = $1 AND i.type = 'service' AND i.branch_id = coalesce($3, s.branch_id))
        )::text AS document
    FROM staff s WHERE s.tenant_id = $1 AND s.id = $2
    """
