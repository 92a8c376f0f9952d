"""Days with other hours, closed days and time off, as applications read them."""

from datetime import date
from typing import NamedTuple
from uuid import UUID

from frontdesk.postgres.changes import list_order
from frontdesk.postgres.query import Query, document, json_bytes, page, page_of, unknown_filters
from frontdesk.staff.hour_types import HoursOwner
from frontdesk.values.pagination import ChangesSince, Page, PageRequest

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


class TimeOffFilter(NamedTuple):
    staff_id: UUID | None
    status: str | None
    first: date | None
    last: date | None


_UNKNOWN = unknown_filters("total", {"staff_id": "SELECT 1 FROM staff WHERE tenant_id = $1 AND id = coalesce($2, id)"})
_COMING = """
    (SELECT day_start(coalesce($4::date, local_today(context.timezone)), context.timezone) AS starts) first,
    LATERAL (SELECT least(day_start($5::date + 1, context.timezone), first.starts + interval '366 days') AS ends) last
    """
_ALWAYS = """
    (SELECT coalesce(day_start($4::date, context.timezone), '-infinity') AS starts) first,
    (SELECT coalesce(day_start($5::date + 1, context.timezone), 'infinity') AS ends) last
    """


def list_time_off(filter_: TimeOffFilter, page_request: PageRequest, since: ChangesSince | None = None) -> Query[Page]:
    """At most a year of it, by default from today on; if it is asked what has changed, of any day."""
    order = list_order(since, "lower(during), id", first=8)
    source = f"""
        FROM time_off, {_COMING if since is None else _ALWAYS}
        WHERE tenant_id = $1 AND status <> 'outside' AND ($2::uuid IS NULL OR staff_id = $2)
            AND ($3::text IS NULL OR status = $3) AND upper(during) > first.starts AND lower(during) < last.ends
            {order.where}"""
    return Query(
        f"""
        WITH page AS MATERIALIZED (
            SELECT id, row_number() OVER (ORDER BY {order.forward}) AS place {source}
            ORDER BY {order.forward} OFFSET $6::bigint LIMIT $7::bigint
        ), counted AS MATERIALIZED (SELECT count(*) AS total {source})
        SELECT (SELECT {page_of("time_off_document($1, page.id)", "page.place")} FROM page) AS documents, total,
            {_UNKNOWN} AS unknown
        FROM counted
        """,
        (*filter_, page_request.offset, page_request.per_page, *order.values),
        page,
        is_late=since is None,
    )
