"""Commission rates and closed days."""

from uuid import UUID

from frontdesk.values.ids import uuid7
from tests.factories.tenant_rows import TenantRows


async def make_commission_rate(rows: TenantRows) -> UUID:
    """Each begins a day after the one before, because two of a day would be one."""
    rate_id = uuid7()
    await rows.sql(
        "INSERT INTO commission_rates (tenant_id, id, starts_on, percent) "
        "SELECT $1, $2, date '2020-01-01' + count(*)::integer, 30 FROM commission_rates WHERE tenant_id = $1",
        rate_id,
    )
    return rate_id


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
