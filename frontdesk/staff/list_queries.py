"""The list of staff as the dashboard shows it."""

from decimal import Decimal
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.attention.rules import STAFF_WITHOUT_SERVICE
from frontdesk.postgres.query import Query
from frontdesk.staff.card_queries import BranchOfStaff
from frontdesk.values.pagination import PageRequest


class ListedStaff(msgspec.Struct, frozen=True):
    id: UUID
    name: str
    title: dict[str, str]  # by language
    picture_id: UUID | None
    branch: str
    services: int
    requests: int  # of time off that are not decided yet
    is_idle: bool  # performs no service, so nobody can book them


class StaffList(msgspec.Struct, frozen=True):
    rows: list[ListedStaff]
    working: int
    left: int
    branches: int


def list_staff_rows(
    page_request: PageRequest, *, active: bool, branch_id: UUID | None, text: str | None
) -> Query[StaffList]:
    """In the order that the business has chosen. `text` is a search key."""
    return Query(_LIST, (active, branch_id, text, page_request.offset, page_request.per_page), _list)


# A name that customers read in another language is found however its letters are written.
_HAS_NAME = """(position({0} IN {1}.name_search) > 0 OR EXISTS (
                SELECT 1 FROM jsonb_each_text({1}.names) n
                WHERE position(fold_text({0}) IN fold_text(lower(n.value))) > 0))"""
_MATCHES = f"""s.tenant_id = $1 AND ($3::uuid IS NULL OR s.branch_id = $3)
            AND ($4::text IS NULL OR {_HAS_NAME.format("$4", "s")})"""
_LIST = f"""
    SELECT json_build_object(
        'rows', (SELECT coalesce(json_agg(json_build_object('id', p.id, 'name', p.name, 'title', p.title,
            'picture_id', p.picture_id, 'branch', b.name,
            'services', (SELECT count(*) FROM staff_services ss WHERE ss.tenant_id = $1 AND ss.staff_id = p.id),
            'requests', (SELECT count(*) FROM time_off o WHERE o.tenant_id = $1 AND o.staff_id = p.id
                AND o.status = 'requested' AND upper(o.during) > now()),
            'is_idle', (SELECT {STAFF_WITHOUT_SERVICE} FROM staff s WHERE s.tenant_id = $1 AND s.id = p.id))
            ORDER BY p.sort_order, p.name_search COLLATE "C", p.id), '[]')
            FROM (SELECT s.* FROM staff s WHERE {_MATCHES} AND s.active = $2
                ORDER BY s.sort_order, s.name_search COLLATE "C", s.id OFFSET $5 LIMIT $6) p
            JOIN branches b ON b.tenant_id = $1 AND b.id = p.branch_id),
        'working', (SELECT count(*) FROM staff s WHERE {_MATCHES} AND s.active),
        'left', (SELECT count(*) FROM staff s WHERE {_MATCHES} AND NOT s.active),
        'branches', (SELECT count(*) FROM branches b WHERE b.tenant_id = $1))::text AS list
    """


def _list(row: Record | None) -> StaffList:
    return StaffList([], 0, 0, 0) if row is None else msgspec.json.decode(row["list"], type=StaffList)


def staff_conditions(active: bool | None, branch_id: UUID | None, text: str) -> list[tuple[str, object]]:
    """The filter of the list on `staff a`, for an export: SQL with `$?` for the value."""
    tests = (
        ("a.active = $?", active),
        ("a.branch_id = $?", branch_id),
        (_HAS_NAME.format("$?", "a"), text or None),
    )
    return [(test, value) for test, value in tests if value is not None]


class NewService(msgspec.Struct, frozen=True):
    """A service that a new staff member can perform."""

    id: UUID
    name: dict[str, str]
    is_performed: bool  # by a staff member


class StaffChoices(msgspec.Struct, frozen=True):
    """What the form of a staff member offers."""

    branches: list[BranchOfStaff]
    accounts: list[BranchOfStaff]  # members of the team
    services: list[NewService] = []  # of the only branch, for a new staff member


def get_choices(staff_id: UUID | None) -> Query[StaffChoices]:
    """Members who sign in as another staff member are left out.

    Services are those of a branch: if there are several branches, the services are chosen after the branch.
    """
    return Query(_CHOICES, (staff_id,), _choices)


_CHOICES = """
    SELECT json_build_object(
        'branches', (
            SELECT coalesce(json_agg(json_build_object('id', b.id, 'name', b.name) ORDER BY b.name, b.id), '[]')
            FROM branches b WHERE b.tenant_id = $1 AND (b.status OR b.id = (
                SELECT s.branch_id FROM staff s WHERE s.tenant_id = $1 AND s.id = $2::uuid))),
        'accounts', (
            SELECT coalesce(json_agg(json_build_object('id', u.id, 'name', u.name) ORDER BY u.name, u.id), '[]')
            FROM memberships m JOIN users u ON u.id = m.user_id
            WHERE m.tenant_id = $1 AND (m.staff_id IS NULL OR m.staff_id = $2)),
        'services', (
            SELECT coalesce(json_agg(json_build_object('id', i.id, 'name', i.name, 'is_performed', EXISTS (
                SELECT FROM staff_services ss JOIN staff s ON s.tenant_id = $1 AND s.id = ss.staff_id AND s.active
                WHERE ss.tenant_id = $1 AND ss.item_id = i.id)) ORDER BY i.sort_order, i.id), '[]')
            FROM items i WHERE i.tenant_id = $1 AND i.type = 'service' AND i.status AND $2::uuid IS NULL AND (
                SELECT count(*) FROM branches b WHERE b.tenant_id = $1 AND b.status) = 1))::text AS choices
    """


def _choices(row: Record | None) -> StaffChoices:
    return StaffChoices([], []) if row is None else msgspec.json.decode(row["choices"], type=StaffChoices)


class ServiceChoice(msgspec.Struct, frozen=True):
    id: UUID
    name: dict[str, str]
    category: dict[str, str] | None
    price: Decimal
    duration: int
    status: bool


def list_service_choices(staff_id: UUID) -> Query[list[ServiceChoice]]:
    """The services of the staff member's branch."""
    return Query(
        """
        SELECT coalesce(json_agg(json_build_object('id', i.id, 'name', i.name, 'category', c.name,
            'price', coalesce(offer_today(i.offer_price, i.offer_from, i.offer_until, context.timezone), i.price),
            'duration', i.duration, 'status', i.status)
            ORDER BY i.sort_order, i.id), '[]')::text AS services
        FROM staff s JOIN items i ON i.tenant_id = $1 AND i.branch_id = s.branch_id AND i.type = 'service'
        LEFT JOIN categories c ON c.tenant_id = $1 AND c.id = i.category_id
        WHERE s.tenant_id = $1 AND s.id = $2
        """,
        (staff_id,),
        lambda row: [] if row is None else msgspec.json.decode(row["services"], type=list[ServiceChoice]),
    )
