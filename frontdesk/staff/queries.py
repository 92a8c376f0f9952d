"""Statements for staff and working hours. The database builds the JSON."""

from uuid import UUID

from asyncpg import Record

from frontdesk.custom_data.queries import FIELDS, conditions, joined
from frontdesk.postgres.changes import list_order
from frontdesk.postgres.query import Query, document, found, json_bytes, page, page_of, unknown_filters
from frontdesk.problems import not_found
from frontdesk.staff.types import StaffFilter
from frontdesk.tenants.price_queries import CHARGED, OFFER, TAX, TAX_DOCUMENT
from frontdesk.values.pagination import ChangesSince, Page, PageRequest

# $2 is the origin of picture URLs.
_MEMBER = f"""json_build_object(
    'id', s.id, 'version', s.version, 'name', s.name, 'names', s.names,
    'title', s.title, 'phone', s.phone, 'phone_country', s.phone_country, 'email', s.email,
    'image', coalesce($2::text || '/pictures/' || s.tenant_id || '/' || s.picture_id,
        CASE WHEN s.image LIKE 'http%' THEN s.image ELSE $2::text || '/' || s.image END),
    'branch', json_build_object('id', b.id, 'name', b.name),
    'services', (
        SELECT coalesce(json_agg(json_build_object(
            'id', i.id, 'name', i.name,
            'price', {CHARGED.format(f"coalesce(ss.price, {OFFER.format('i')}, i.price)")}, 'tax', {TAX_DOCUMENT},
            'duration', coalesce(ss.duration, i.duration), 'own_price', round(ss.price, context.currency_decimals),
            'own_duration', ss.duration) ORDER BY i.sort_order, i.id), '[]')
        FROM staff_services ss JOIN items i ON i.tenant_id = $1 AND i.id = ss.item_id {TAX.format("i")}
        WHERE ss.tenant_id = $1 AND ss.staff_id = s.id),
    'status', s.active, 'sort_order', s.sort_order, {FIELDS},
    'created_at', format_utc(s.created_at), 'updated_at', format_utc(s.updated_at))"""

# `w` is the row of working_hours.
WORKING_HOUR = """json_build_object(
    'id', w.id, 'version', w.version, 'source', CASE WHEN w.staff_id IS NULL THEN 'branch' ELSE 'staff' END,
    'all_time', w.all_time, 'active', w.active, 'intervals', (
        SELECT coalesce(json_agg(json_build_object(
            'id', n.id, 'day', ('{sun,mon,tue,wed,thu,fri,sat}'::text[])[n.day + 1],
            'from', to_char(make_time(n.opens / 60, n.opens % 60, 0), 'HH24:MI'),
            'to', to_char(make_time(n.closes / 60, n.closes % 60, 0), 'HH24:MI'),
            'active', n.active) ORDER BY n.day, n.opens, n.id), '[]')
        FROM working_intervals n WHERE n.tenant_id = $1 AND n.working_hour_id = w.id))"""

_OWN = joined("staff", "s.id")
_BRANCH = "JOIN branches b ON b.tenant_id = $1 AND b.id = s.branch_id"


def list_staff(
    filter_: StaffFilter, page_request: PageRequest, origin: str, since: ChangesSince | None = None
) -> Query[Page]:
    """By name."""
    own = conditions(filter_.own, "staff")
    of_own = "".join(f" AND {test.replace('?', str(number))}" for number, test in enumerate(own, 8))
    order = list_order(since, 'name_search COLLATE "C", id', first=8 + len(own))
    source = f"""FROM staff WHERE tenant_id = $1 AND ($7::boolean IS NULL OR active = $7){of_own}{order.where}
            AND ($3::text IS NULL OR position($3 IN name_search) > 0) AND ($4::uuid IS NULL OR branch_id = $4)"""
    branch = "SELECT WHERE $4::uuid IS NULL UNION ALL SELECT FROM branches WHERE tenant_id = $1 AND id = $4"
    return Query(
        f"""
        WITH counted AS MATERIALIZED (SELECT count(*) AS total {source})
        SELECT {page_of(_MEMBER, order.of("s"))} AS documents, (SELECT total FROM counted) AS total,
               {unknown_filters("(SELECT total FROM counted)", {"branch_id": branch})} AS unknown
        FROM (SELECT * {source} ORDER BY {order.forward} OFFSET $5 LIMIT $6) s {_BRANCH} {_OWN}
        """,
        (
            origin,
            filter_.name,
            filter_.branch_id,
            page_request.offset,
            page_request.per_page,
            filter_.active,
            *own.values(),
            *order.values,
        ),
        page,
        is_late=since is None,
    )


def get_staff_member(staff_id: UUID, origin: str) -> Query[bytes]:
    return Query(
        f"SELECT {json_bytes(_MEMBER)} AS document FROM staff s {_BRANCH} {_OWN} WHERE s.tenant_id = $1 AND s.id = $3",
        (origin, staff_id),
        document("staff member"),
    )


def get_working_hour(staff_id: UUID) -> Query[bytes]:
    """The default hours of the staff member, else those of the branch."""
    return Query(
        f"""
        SELECT (
            SELECT {json_bytes(WORKING_HOUR)} FROM working_hours w
            WHERE w.tenant_id = $1 AND w.is_default AND (w.staff_id = s.id OR w.branch_id = s.branch_id)
            ORDER BY w.staff_id IS NULL LIMIT 1) AS document
        FROM staff s WHERE s.tenant_id = $1 AND s.id = $2
        """,
        (staff_id,),
        found("staff member", _working_hour),
    )


def get_branch_hours(branch_id: UUID) -> Query[bytes]:
    return Query(
        f"""
        SELECT (
            SELECT {json_bytes(WORKING_HOUR)} FROM working_hours w
            WHERE w.tenant_id = $1 AND w.is_default AND w.branch_id = b.id LIMIT 1) AS document
        FROM branches b WHERE b.tenant_id = $1 AND b.id = $2
        """,
        (branch_id,),
        found("branch", _hours_of_branch),
    )


def _hours_of_branch(row: Record) -> bytes:
    document: bytes | None = row["document"]
    if document is None:
        raise not_found("working hour: the branch has none")
    return document


def _working_hour(row: Record) -> bytes:
    found: bytes | None = row["document"]
    if found is None:
        raise not_found("working hour: neither the staff member nor the branch has one")
    return found
