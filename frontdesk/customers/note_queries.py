"""Statements about the notes of customers."""

from typing import NamedTuple
from uuid import UUID

from frontdesk.postgres.query import Lock, Query, found, json_bytes
from frontdesk.values.pagination import Page, PageRequest


class NoteToChange(NamedTuple):
    customer_id: UUID
    version: int
    is_warning: bool


def note_to_change(note_id: UUID, customer_id: UUID | None) -> Query[NoteToChange]:
    """With `customer_id`, only a note of that customer is found."""
    return Query(
        """
        SELECT customer_id, version, is_warning FROM customer_notes
        WHERE tenant_id = $1 AND id = $2 AND customer_id = coalesce($3, customer_id)
        """,
        (note_id, customer_id),
        found("note", lambda row: NoteToChange(row["customer_id"], row["version"], row["is_warning"])),
    )


def lock_customer_of(note_id: UUID) -> Lock:
    sql = """
        SELECT FROM customers WHERE tenant_id = $1 AND id = (
            SELECT customer_id FROM customer_notes WHERE tenant_id = $1 AND id = $2) FOR NO KEY UPDATE"""
    return Lock(sql, (note_id,))


def list_notes(customer_id: UUID, page_request: PageRequest) -> Query[Page]:
    """Warnings first, then the newest."""
    order = "n.is_warning DESC, n.created_at DESC, n.id DESC"
    return Query(
        f"""
        SELECT {json_bytes("coalesce(notes.documents, '[]')")} AS documents, (
                   SELECT count(*) FROM customer_notes WHERE tenant_id = $1 AND customer_id = c.id) AS total
        FROM customers c, LATERAL (
            SELECT json_agg(customer_note_document($1, n.id) ORDER BY {order}) AS documents FROM (
                SELECT * FROM customer_notes n WHERE n.tenant_id = $1 AND n.customer_id = c.id
                ORDER BY {order} OFFSET $3 LIMIT $4) n) notes
        WHERE c.tenant_id = $1 AND c.id = $2
        """,
        (customer_id, page_request.offset, page_request.per_page),
        found("customer", lambda row: Page(row["documents"], row["total"])),
    )
