"""What a business writes down about its customers."""

from collections.abc import Sequence
from datetime import date
from uuid import UUID

from frontdesk.values.ids import uuid7
from tests.factories.pictures import insert_picture
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


async def make_photo(rows: TenantRows, customer_id: UUID, *, shows: str = "before") -> UUID:
    """With the consent to it."""
    photo_id = uuid7()
    picture_id = await insert_picture(rows, is_private=True)
    await rows.sql(
        "INSERT INTO photo_consents (tenant_id, id, customer_id, how) VALUES ($1, $2, $3, 'written')",
        uuid7(),
        customer_id,
    )
    await rows.sql(
        """
        INSERT INTO customer_photos (tenant_id, id, customer_id, picture_id, shows, taken_on)
        VALUES ($1, $2, $3, $4, $5, '2026-01-31')
        """,
        photo_id,
        customer_id,
        picture_id,
        shows,
    )
    return photo_id


async def give_consent(rows: TenantRows, customer_id: UUID) -> None:
    """To news."""
    await rows.sql(
        "INSERT INTO customer_consents (tenant_id, id, customer_id, how) VALUES ($1, $2, $3, 'in_person')",
        uuid7(),
        customer_id,
    )


async def make_tag(rows: TenantRows, customer_id: UUID) -> UUID:
    """A tag with a name that no other has, at the customer."""
    tag_id = uuid7()
    await rows.sql(
        "INSERT INTO tags (tenant_id, id, model, name, name_folded) VALUES ($1, $2, 'customers', $3, $3)",
        tag_id,
        str(tag_id),
    )
    await tag_customers(rows, tag_id, [customer_id])
    return tag_id


async def tag_customers(rows: TenantRows, tag_id: UUID, customer_ids: Sequence[UUID]) -> None:
    await rows.sql(
        "INSERT INTO customer_tags (tenant_id, customer_id, tag_id) SELECT $1, *, $2 FROM unnest($3::uuid[])",
        tag_id,
        customer_ids,
    )


async def make_waiting_entry(
    rows: TenantRows,
    customer_id: UUID,
    item_id: UUID,
    first_day: date,
    last_day: date,
    *,
    staff_id: UUID | None = None,
) -> UUID:
    entry_id = uuid7()
    await rows.sql(
        "INSERT INTO waiting_list (tenant_id, id, customer_id, item_id, staff_id, first_day, last_day) "
        "VALUES ($1, $2, $3, $4, $5, $6, $7)",
        entry_id,
        customer_id,
        item_id,
        staff_id,
        first_day,
        last_day,
    )
    return entry_id
