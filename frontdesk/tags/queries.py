from uuid import UUID

import asyncpg

from frontdesk.errors import Code, WireError, not_found
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import Query, page, page_of
from frontdesk.tags.documents import TAG
from frontdesk.values.ids import uuid7
from frontdesk.values.pagination import Page, PageRequest
from frontdesk.values.text import search_key


def list_tags(model: str, wanted: PageRequest) -> Query[Page]:
    """Newest first."""
    return Query(
        f"""
        SELECT {page_of(TAG, "t.created_at DESC, t.id DESC")} AS documents,
               (SELECT count(*) FROM tags WHERE tenant_id = $1 AND model = $2) AS total
        FROM (SELECT * FROM tags WHERE tenant_id = $1 AND model = $2
              ORDER BY created_at DESC, id DESC OFFSET $3 LIMIT $4) t
        """,
        (model, wanted.offset, wanted.per_page),
        page,
    )


async def insert_tag(conn: Connection, tenant_id: UUID, model: str, name: str) -> str:
    """One name per model, without regard to case."""
    try:
        document: str = await conn.fetchval(
            f"""
            WITH t AS (
                INSERT INTO tags (tenant_id, id, model, name, name_folded) VALUES ($1, $2, $3, $4, $5) RETURNING *
            )
            SELECT {TAG}::text FROM t
            """,
            tenant_id,
            uuid7(),
            model,
            name,
            search_key(name),
        )
    except asyncpg.UniqueViolationError as taken:
        raise WireError(Code.TAG_ALREADY_EXISTS, "A tag with this name already exists.") from taken
    return document


async def lock_tag(conn: Connection, tenant_id: UUID, tag_id: UUID) -> None:
    """Nobody is given it any more."""
    found = await conn.fetchval("SELECT id FROM tags WHERE tenant_id = $1 AND id = $2 FOR UPDATE", tenant_id, tag_id)
    if found is None:
        raise not_found("tag")


async def delete_tag(conn: Connection, tenant_id: UUID, tag_id: UUID) -> None:
    await conn.execute("DELETE FROM tags WHERE tenant_id = $1 AND id = $2", tenant_id, tag_id)
