"""What was deleted since a moment."""

from collections.abc import Sequence

from frontdesk.postgres.query import Query, page, page_of
from frontdesk.values.pagination import BEFORE_ALL, ChangesSince, Page, PageRequest
from frontdesk.webhooks.deletions import DeletedResource

_FORM = """json_build_object(
    'id', d.id, 'resource', d.resource, 'deleted', true, 'deleted_at', format_utc(d.deleted_at),
    'merged_into', d.merged_into)"""
_SOURCE = """FROM deleted_records
    WHERE tenant_id = $1 AND resource = ANY ($2::text[]) AND (deleted_at, id) > ($3::timestamptz, $4::uuid)"""


def list_deletions(resources: Sequence[DeletedResource], since: ChangesSince, page_request: PageRequest) -> Query[Page]:
    """The earliest first."""
    return Query(
        f"""
        SELECT {page_of(_FORM, "d.deleted_at, d.id")} AS documents, (SELECT count(*) {_SOURCE}) AS total
        FROM (SELECT * {_SOURCE} ORDER BY deleted_at, id OFFSET $5 LIMIT $6) d
        """,
        (resources, since.moment, since.after or BEFORE_ALL, page_request.offset, page_request.per_page),
        page,
        is_late=False,
    )
