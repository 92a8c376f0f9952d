"""Customers, and staff with their services, hours and days off."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from uuid import UUID, uuid4

from frontdesk.values.ids import uuid7
from frontdesk.values.text import search_key
from tests.factories.catalog import SOME_DAY, branch_of
from tests.factories.tenant_rows import TenantRows

Week = Mapping[int, Sequence[tuple[str, str]]]


async def customer_of(rows: TenantRows) -> UUID:
    """A customer that the sandbox came with."""
    (row,) = await rows.sql("SELECT id FROM customers WHERE tenant_id = $1 AND NOT blocked ORDER BY id LIMIT 1")
    customer_id: UUID = row["id"]
    return customer_id


async def make_customer(
    rows: TenantRows,
    first_name: str = "Sara",
    last_name: str | None = "Buyer",
    *,
    phone: str | None = "",
    email: str | None = None,
    language: str | None = None,
    city: str | None = None,
    note: str | None = None,
    blocked: bool = False,
) -> UUID:
    """With a phone number that no other has, unless one is given."""
    id_ = uuid7()  # the newest has the highest
    await rows.sql(
        """
        INSERT INTO customers (tenant_id, id, first_name, last_name, name_search, phone, phone_country, email, language,
            city, note, blocked)
        VALUES ($1, $2, $3, $4, $5, $6::text, CASE WHEN $6 IS NOT NULL THEN 'SA' END, $7, $8, $9, $10, $11)
        """,
        id_,
        first_name,
        last_name,
        search_key(f"{first_name} {last_name or ''}".strip()),
        f"+96650{uuid4().int % 10**7:07}" if phone == "" else phone,
        email,
        language,
        city,
        note,
        blocked,
    )
    await rows.sql("SELECT add_row_count($1, 'customers', 1)")
    return id_


async def make_customers(rows: TenantRows, count: int, *, created_at: datetime = SOME_DAY) -> None:
    """Customers that were created at the same moment."""
    await rows.sql(
        """
        INSERT INTO customers (tenant_id, id, first_name, name_search, created_at)
        SELECT $1, gen_random_uuid(), 'Stranger', 'stranger', $3 FROM generate_series(1, $2)
        """,
        count,
        created_at,
    )
    await rows.sql("SELECT add_row_count($1, 'customers', $2)", count)


async def make_staff(
    rows: TenantRows,
    name: str = "Staff member",
    *,
    id_: UUID | None = None,
    branch_id: UUID | None = None,
    active: bool = True,
) -> UUID:
    id_ = id_ or uuid4()
    await rows.sql(
        """
        INSERT INTO staff (tenant_id, id, branch_id, name, name_search, active)
        VALUES ($1, $2, $3, $4, $5, $6)
        """,
        id_,
        branch_id or await branch_of(rows),
        name,
        search_key(name),
        active,
    )
    return id_


async def make_staff_for(rows: TenantRows, count: int, services: Sequence[UUID], *, branch_id: UUID) -> None:
    """Staff who all perform these services, at the price of the catalog."""
    await rows.sql(
        """
        WITH s AS (
            INSERT INTO staff (tenant_id, id, branch_id, name, name_search, active)
            SELECT $1, gen_random_uuid(), $2, 'Staff member ' || n, 'staff member ' || n, true
            FROM generate_series(1, $3::integer) n RETURNING id
        )
        INSERT INTO staff_services (tenant_id, staff_id, item_id) SELECT $1, s.id, i FROM s, unnest($4::uuid[]) i
        """,
        branch_id,
        count,
        services,
    )


async def assign_service(
    rows: TenantRows, staff_id: UUID, item_id: UUID, *, price: str | None = None, duration: int | None = None
) -> None:
    await rows.sql(
        "INSERT INTO staff_services (tenant_id, staff_id, item_id, price, duration) VALUES ($1, $2, $3, $4, $5)",
        staff_id,
        item_id,
        None if price is None else Decimal(price),
        duration,
    )


async def make_working_hours(
    rows: TenantRows,
    week: Week,
    *,
    branch_id: UUID | None = None,
    staff_id: UUID | None = None,
    all_time: bool = False,
    active: bool = True,
    is_default: bool = True,
) -> UUID:
    """Of a branch or of one of its staff."""
    id_ = uuid4()
    await rows.sql(
        """
        INSERT INTO working_hours (tenant_id, id, branch_id, staff_id, all_time, active, is_default)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        """,
        id_,
        branch_id,
        staff_id,
        all_time,
        active,
        is_default,
    )
    times = [(on, _minute(opens), _minute(closes), True) for on, day in week.items() for opens, closes in day]
    await add_intervals(rows, id_, times)
    return id_


async def add_intervals(rows: TenantRows, hours_id: UUID, intervals: Sequence[tuple[int, int, int, bool]]) -> None:
    """The weekday, the minutes from midnight, and whether it counts."""
    await rows.sql(
        """
        INSERT INTO working_intervals (tenant_id, id, working_hour_id, day, opens, closes, active)
        SELECT $1, gen_random_uuid(), $2, * FROM unnest($3::smallint[], $4::smallint[], $5::smallint[], $6::boolean[])
        """,
        hours_id,
        *([interval[part] for interval in intervals] for part in range(4)),
    )


async def make_time_off(
    rows: TenantRows, staff_id: UUID, begin: datetime, end: datetime, status: str = "approved"
) -> UUID:
    id_ = uuid4()
    await rows.sql(
        "INSERT INTO time_off (tenant_id, id, staff_id, during, status) VALUES ($1, $2, $3, tstzrange($4, $5), $6)",
        id_,
        staff_id,
        begin,
        end,
        status,
    )
    return id_


async def make_hour_exception(
    rows: TenantRows,
    on: date,
    openings: Sequence[tuple[int, int]],
    *,
    branch_id: UUID | None = None,
    staff_id: UUID | None = None,
    id_: UUID | None = None,
) -> None:
    """Other hours on one day, as minutes from midnight."""
    await rows.sql(
        """
        INSERT INTO hour_exceptions (tenant_id, id, branch_id, staff_id, day, minutes)
        SELECT $1, $2, $3, $4, $5, coalesce(range_agg(int4range(opens, closes)), '{}')
        FROM unnest($6::integer[], $7::integer[]) AS o (opens, closes)
        """,
        id_ or uuid4(),
        branch_id,
        staff_id,
        on,
        [opens for opens, _ in openings],
        [closes for _, closes in openings],
    )


async def make_closed_day(rows: TenantRows, branch_id: UUID, on: date) -> None:
    await rows.sql("INSERT INTO closed_days (tenant_id, branch_id, day) VALUES ($1, $2, $3)", branch_id, on)


def _minute(hh_mm: str) -> int:
    at = time.fromisoformat(hh_mm)
    return at.hour * 60 + at.minute
