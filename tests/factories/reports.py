"""Commission rates, closed days and the sums that reports read."""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from uuid import UUID

from frontdesk.values.ids import uuid7
from tests.factories.tenant_rows import TenantRows

SUMS_OF_MONTHS = {
    "item_sums": ("branch_id, item_id, staff_id", "quantity, total, tax_amount"),
    "customer_sums": ("customer_id, branch_id, first_day", "orders, total"),
}


async def make_commission_rate(rows: TenantRows, starts_on: date | None = None, percent: int = 30) -> UUID:
    """Without a day, each begins a day after the one before, because two of a day would be one."""
    rate_id = uuid7()
    await rows.sql(
        "INSERT INTO commission_rates (tenant_id, id, starts_on, percent) "
        "SELECT $1, $2, coalesce($3, date '2020-01-01' + count(*)::integer), $4 FROM commission_rates "
        "WHERE tenant_id = $1",
        rate_id,
        starts_on,
        percent,
    )
    return rate_id


async def insert_item_sums(
    rows: TenantRows, branch_id: UUID, sales: Sequence[tuple[date, UUID, UUID, Decimal]]
) -> None:
    """One sold for each day, item, member of staff and total. `sum_months` comes after it."""
    await rows.sql(
        """
        INSERT INTO item_sums (tenant_id, is_month, day, branch_id, item_id, staff_id, quantity, total, tax_amount)
        SELECT $1, false, day, $2, item_id, staff_id, 1, total, 0
        FROM unnest($3::date[], $4::uuid[], $5::uuid[], $6::numeric[]) s (day, item_id, staff_id, total)
        """,
        branch_id,
        *(list(column) for column in zip(*sales, strict=True)),
    )


async def insert_customer_sums(
    rows: TenantRows, visits: Sequence[tuple[date, UUID, UUID, int]], firsts: Mapping[UUID, date]
) -> None:
    """Orders for each day, customer and branch; `firsts` has the day of each customer's first order."""
    await rows.sql(
        """
        INSERT INTO customer_sums (tenant_id, is_month, day, customer_id, orders, branch_id, first_day, total)
        SELECT $1, false, day, customer_id, orders, branch_id, first_day, 0
        FROM unnest($2::date[], $3::uuid[], $4::uuid[], $5::integer[], $6::date[])
            v (day, customer_id, branch_id, orders, first_day)
        """,
        *(list(column) for column in zip(*visits, strict=True)),
        [firsts[customer_id] for _, customer_id, *_ in visits],
    )


async def sum_months(rows: TenantRows) -> None:
    """The sums of months, from those of days."""
    for table, (keys, sums) in SUMS_OF_MONTHS.items():
        await rows.sql(f"DELETE FROM {table} WHERE tenant_id = $1 AND is_month")
        added = ", ".join(f"sum({column})" for column in sums.split(", "))
        await rows.sql(
            f"INSERT INTO {table} (tenant_id, is_month, day, {keys}, {sums}) "
            f"SELECT $1, true, date_trunc('month', day::timestamp), {keys}, {added} FROM {table} "
            f"WHERE tenant_id = $1 GROUP BY 3, {keys}"
        )


async def insert_day_close(rows: TenantRows) -> UUID:
    """Of the first branch, each of the day before the last one, without any sales."""
    close_id = uuid7()
    await rows.sql(
        "INSERT INTO day_closes (tenant_id, id, close_number, branch_id, day, starts_at, ends_at, currency, cashiers, "
        "day_cashiers, closed_by_type, closed_at) "
        "SELECT $1, $2, (SELECT count(*) + 1 FROM day_closes WHERE tenant_id = $1), id, "
        "local_today('Asia/Riyadh') - (SELECT count(*) FROM day_closes WHERE tenant_id = $1)::integer, now(), now(), "
        "'SAR', '[]', '[]', 'system', now() FROM branches WHERE tenant_id = $1 ORDER BY created_at LIMIT 1",
        close_id,
    )
    return close_id


async def insert_shift(rows: TenantRows) -> UUID:
    """An open one at the first branch, of a cashier who is no member any more."""
    shift_id = uuid7()
    await rows.sql(
        "INSERT INTO drawer_sessions (tenant_id, id, branch_id, drawer, cashier_id, float_amount, opened_by_type, "
        "opened_at, counts_from) "
        "SELECT $1, $2, id, (SELECT count(*) + 2 FROM drawer_sessions WHERE tenant_id = $1), $3, 100, 'system', now(), "
        "now() FROM branches WHERE tenant_id = $1 ORDER BY created_at LIMIT 1",
        shift_id,
        uuid7(),
    )
    return shift_id
