"""Which customers an API client was shown, by day."""

from collections.abc import Iterable, Sequence
from datetime import date
from enum import StrEnum
from typing import NamedTuple
from uuid import UUID

from frontdesk.postgres.pool import Connection


class ShownFields(StrEnum):
    CONTACT = "contact"  # the name and how to reach the customer
    NOTES = "notes"  # what the team has written of the customer
    ORDERS = "orders"  # what was booked, bought and paid


EVERYONE = UUID(int=0)  # a file of all customers
ShownCustomers = Iterable[tuple[UUID, ShownFields]]


class CustomerRead(NamedTuple):
    tenant_id: UUID
    customer_id: UUID
    caller_id: UUID
    fields: ShownFields
    day: date


async def add_customer_reads(conn: Connection, reads: Sequence[CustomerRead]) -> None:
    """Sorted, without duplicates."""
    await conn.execute(
        """
        INSERT INTO customer_reads AS r (tenant_id, customer_id, caller_id, fields, first_on, last_on, days)
        SELECT tenant_id, customer_id, caller_id, fields, day, day, 1
        FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::date[])
            AS d (tenant_id, customer_id, caller_id, fields, day)
        ON CONFLICT (tenant_id, customer_id, caller_id, fields) DO UPDATE
        SET last_on = excluded.last_on, days = r.days + 1 WHERE r.last_on < excluded.last_on
        """,
        *([read[column] for read in reads] for column in range(5)),
    )
