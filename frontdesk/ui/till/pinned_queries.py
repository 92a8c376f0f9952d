"""What can be pinned to the top of the till."""

from uuid import UUID

import msgspec

from frontdesk.postgres.query import Query, decoded
from frontdesk.ui.till.page_queries import BRANCH

_MAX_ENTRIES = 300


class PinnableEntry(msgspec.Struct, frozen=True):
    id: UUID
    name: dict[str, str]
    category: dict[str, str] | None  # of an item
    is_pinned: bool


def list_pinnable(branch_id: UUID | None, search: str) -> Query[list[PinnableEntry]]:
    """What is on sale in the branch: what is pinned first, as it was pinned; then by category and name."""
    return Query(
        f"""
        WITH branch AS MATERIALIZED ({BRANCH}), entries AS (
            SELECT i.id, i.name, c.name AS category, i.pinned_at, c.sort_order AS place, i.name_search AS search
            FROM items i LEFT JOIN categories c ON c.tenant_id = $1 AND c.id = i.category_id
            WHERE i.tenant_id = $1 AND i.branch_id = (SELECT id FROM branch) AND i.status
            UNION ALL
            SELECT p.id, p.name, NULL, p.pinned_at, NULL, lower(p.name::text) FROM packages p
            WHERE p.tenant_id = $1 AND p.branch_id = (SELECT id FROM branch) AND p.status
        )
        SELECT coalesce(json_agg(json_build_object('id', e.id, 'name', e.name, 'category', e.category,
                'is_pinned', e.pinned_at IS NOT NULL)
            ORDER BY e.pinned_at NULLS LAST, e.place NULLS LAST, e.search COLLATE "C", e.id), '[]')::text AS document
        FROM (SELECT * FROM entries WHERE $3 = '' OR position($3 IN search) > 0
            ORDER BY pinned_at NULLS LAST, place NULLS LAST, search COLLATE "C", id LIMIT {_MAX_ENTRIES}) e
        """,
        (branch_id, search),
        decoded(list[PinnableEntry]),
    )
