"""Which customers an API client was shown, by day."""

from collections.abc import Iterable, Mapping, Sequence, Set as AbstractSet
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
ShownCustomers = Mapping[ShownFields, AbstractSet[UUID]]
NOBODY: ShownCustomers = {}


class CustomerRead(NamedTuple):
    tenant_id: UUID
    customer_id: UUID
    caller_id: UUID
    fields: ShownFields
    day: date


class Showing(NamedTuple):
    tenant_id: UUID
    caller_id: UUID
    day: date
    customers: ShownCustomers


def customer_reads(showings: Iterable[Showing]) -> list[CustomerRead]:
    """One row for each customer and day, sorted, so that concurrent writers cannot deadlock."""
    seen: dict[tuple[UUID, UUID, date, ShownFields], set[UUID]] = {}
    for showing in showings:
        for fields, ids in showing.customers.items():
            seen.setdefault((showing.tenant_id, showing.caller_id, showing.day, fields), set()).update(ids)
    return sorted(
        CustomerRead(tenant_id, customer_id, caller_id, fields, day)
        for (tenant_id, caller_id, day, fields), ids in seen.items()
        for customer_id in ids
    )


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
