"""Days with other hours, closed days and time off, as applications read them."""

from datetime import date
from uuid import UUID

from frontdesk.postgres.query import Query, document, json_bytes, page
from frontdesk.staff.hour_types import HoursOwner
from frontdesk.values.pagination import Page

_EXCEPTIONS = """coalesce((
            SELECT json_agg(hour_exception_document($1, e.id) ORDER BY e.day) FROM hour_exceptions e
            WHERE e.tenant_id = $1 AND e.{owner} = $2 AND e.day >= local_today(context.timezone)), '[]')"""
_BRANCH_EXCEPTIONS = f"""
    SELECT {json_bytes(_EXCEPTIONS.format(owner="branch_id"))} AS document
    FROM branches WHERE tenant_id = $1 AND id = $2"""
_STAFF_EXCEPTIONS = f"""
    SELECT {json_bytes(_EXCEPTIONS.format(owner="staff_id"))} AS document
    FROM staff WHERE tenant_id = $1 AND id = $2"""


def list_hour_exceptions(owner: HoursOwner) -> Query[bytes]:
    """From today on."""
    if owner.branch_id is not None:
        return Query(_BRANCH_EXCEPTIONS, (owner.branch_id,), document("branch"))
    return Query(_STAFF_EXCEPTIONS, (owner.staff_id,), document("staff member"))


def get_closed_days(branch_id: UUID) -> Query[bytes]:
    """From today on."""
    return Query(
        f"""
        SELECT {json_bytes("closed_days_document($1, id)")} AS document
        FROM branches WHERE tenant_id = $1 AND id = $2
        """,
        (branch_id,),
        document("branch"),
    )


def list_time_off(staff_id: UUID | None, status: str | None, first: date | None, last: date | None) -> Query[Page]:
    """At most a year of it, by default from today on."""
    return Query(
        f"""
        SELECT {json_bytes("coalesce(json_agg(time_off_document($1, o.id) ORDER BY lower(o.during), o.id), '[]')")}
               AS documents, count(*) AS total,
               CASE WHEN $2::uuid IS NOT NULL AND NOT EXISTS (SELECT 1 FROM staff WHERE tenant_id = $1 AND id = $2)
                    THEN ARRAY['staff_id'] ELSE ARRAY[]::text[] END AS unknown
        FROM time_off o,
             (SELECT day_start(coalesce($4::date, local_today(context.timezone)), context.timezone) AS starts) wanted
        WHERE o.tenant_id = $1 AND o.status <> 'outside' AND ($2::uuid IS NULL OR o.staff_id = $2)
            AND ($3::text IS NULL OR o.status = $3) AND upper(o.during) > wanted.starts
            AND lower(o.during) < least(day_start($5::date + 1, context.timezone), wanted.starts + interval '366 days')
        """,
        (staff_id, status, first, last),
        page,
    )
