"""What a business writes down about its customers."""

from datetime import date
from uuid import UUID

from frontdesk.values.ids import uuid7
from tests.factories.tenant_rows import TenantRows


async def make_note(rows: TenantRows, customer_id: UUID, text: str = "Early") -> UUID:
    note_id = uuid7()
    await rows.sql(
        "INSERT INTO customer_notes (tenant_id, id, customer_id, text) VALUES ($1, $2, $3, $4)",
        note_id,
        customer_id,
        text,
    )
    return note_id


async def make_tag(rows: TenantRows, customer_id: UUID) -> UUID:
    """A tag with a name that no other has, at the customer."""
    tag_id = uuid7()
    await rows.sql(
        "INSERT INTO tags (tenant_id, id, model, name, name_folded) VALUES ($1, $2, 'customers', $3, $3)",
        tag_id,
        str(tag_id),
    )
    await rows.sql(
        "INSERT INTO customer_tags (tenant_id, customer_id, tag_id) VALUES ($1, $2, $3)", customer_id, tag_id
    )
    return tag_id


async def make_waiting_entry(
    rows: TenantRows, customer_id: UUID, item_id: UUID, first_day: date, last_day: date
) -> UUID:
    entry_id = uuid7()
    await rows.sql(
        "INSERT INTO waiting_list (tenant_id, id, customer_id, item_id, first_day, last_day) "
        "VALUES ($1, $2, $3, $4, $5, $6)",
        entry_id,
        customer_id,
        item_id,
        first_day,
        last_day,
    )
    return entry_id
