"""The waiting list as applications read it."""

from datetime import date
from uuid import UUID

from frontdesk.postgres.changes import list_order
from frontdesk.postgres.query import Query, always, page, page_of, unknown_filters
from frontdesk.values.pagination import ChangesSince, Page, PageRequest

_WHERE = """w.tenant_id = $1 AND ($2::uuid IS NULL OR w.customer_id = $2) AND ($3::uuid IS NULL OR w.staff_id = $3)
        AND w.last_day >= coalesce($4::date, w.last_day) AND w.first_day <= coalesce($5::date, w.first_day)"""
_UNKNOWN = unknown_filters(
    "total",
    {
        "customer_id": "SELECT 1 FROM customers WHERE tenant_id = $1 AND id = coalesce($2, id)",
        "staff_id": "SELECT 1 FROM staff WHERE tenant_id = $1 AND id = coalesce($3, id)",
    },
)


def published_waiting_list(
    customer_id: UUID | None,
    staff_id: UUID | None,
    days: tuple[date | None, date | None],
    page_request: PageRequest,
    since: ChangesSince | None = None,
) -> Query[Page]:
    """Those who wait longest first; with days, those who can come on one of them."""
    order = list_order(since, "created_at, id", first=8)
    source = f"FROM waiting_list w WHERE {_WHERE}{order.where}"
    return Query(
        f"""
        SELECT documents, total, {_UNKNOWN} AS unknown FROM (
            SELECT (SELECT count(*) {source}) AS total, (
                SELECT {page_of("waiting_entry_document($1, e.id)", order.of("e"))} FROM (
                    SELECT w.id, w.created_at, w.updated_at {source}
                    ORDER BY {order.forward} OFFSET $6 LIMIT $7) e) AS documents) listed
        """,
        (customer_id, staff_id, *days, page_request.offset, page_request.per_page, *order.values),
        page,
        is_late=since is None,
    )


def is_waiting(entry_id: UUID) -> Query[bool]:
    return Query(
        "SELECT EXISTS (SELECT 1 FROM waiting_list WHERE tenant_id = $1 AND id = $2) AS waits",
        (entry_id,),
        always(lambda row: bool(row["waits"])),
    )
