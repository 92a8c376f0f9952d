from uuid import UUID

from asyncpg import Record

from frontdesk.postgres.query import Query, found, page, page_of
from frontdesk.values.pagination import Page, PageRequest


def list_tags(model: str, page_request: PageRequest) -> Query[Page]:
    """Newest first."""
    return Query(
        f"""
        SELECT {page_of("tag_json(t)", "t.created_at DESC, t.id DESC")} AS documents,
               (SELECT count(*) FROM tags WHERE tenant_id = $1 AND model = $2) AS total
        FROM (SELECT * FROM tags WHERE tenant_id = $1 AND model = $2
              ORDER BY created_at DESC, id DESC OFFSET $3 LIMIT $4) t
        """,
        (model, page_request.offset, page_request.per_page),
        page,
    )


def tag_exists(tag_id: UUID) -> Query[UUID]:
    return Query("SELECT id FROM tags WHERE tenant_id = $1 AND id = $2", (tag_id,), found("tag", _existing))


def _existing(row: Record) -> UUID:
    tag_id: UUID = row["id"]
    return tag_id
