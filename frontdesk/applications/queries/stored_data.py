"""What applications store with a record for themselves, as the business sees it."""

from uuid import UUID

import msgspec

from frontdesk.applications.queries.applications import SEEN
from frontdesk.custom_data.types import Kind
from frontdesk.postgres.query import Query, decoded


class StoredData(msgspec.Struct, frozen=True):
    owner: str | None  # the application or the API client; None if there is no such any more
    external_id: str | None
    metadata: dict[str, str]


def list_stored_data(kind: Kind, record_id: UUID) -> Query[list[StoredData]]:
    """By the name of the owner. Nothing that is empty."""
    return Query(
        f"""
        SELECT coalesce(json_agg(json_build_object('owner', o.name, 'external_id', d.external_id,
            'metadata', d.metadata) ORDER BY lower(o.name), d.owner_id), '[]')::text AS document
        FROM custom_data d
        CROSS JOIN LATERAL (SELECT coalesce(
            (SELECT coalesce(l.listing ->> 'name', a.name) FROM applications a {SEEN} WHERE a.id = d.owner_id),
            (SELECT c.name FROM api_clients c WHERE c.tenant_id = $1 AND c.id = d.owner_id)) AS name) o
        WHERE d.tenant_id = $1 AND d.kind = $2 AND d.record_id = $3
            AND (d.external_id IS NOT NULL OR d.metadata <> '{{}}')
        """,
        (kind, record_id),
        decoded(list[StoredData]),
    )
