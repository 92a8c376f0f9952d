"""What notifying the members of a booking reads, whatever plan the statistics of the database lead to."""

from frontdesk.postgres.pool import Connection
from tests.support.shop import Shop

_READ = """
    SELECT (seq_tup_read + coalesce(idx_tup_fetch, 0))::integer FROM pg_stat_xact_user_tables
    WHERE relname = 'bookings'"""
_NOTIFY = """
    SELECT notify_members(tenant_id, ARRAY[id], 'new', '{"type": "app"}') FROM orders
    WHERE tenant_id = $1 AND starts_at > now() ORDER BY id LIMIT 1"""


async def test_only_the_bookings_of_the_order_are_read(conn: Connection, shop: Shop) -> None:
    transaction = conn.transaction()
    await transaction.start()
    try:
        await conn.execute("SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL enable_seqscan = off")
        before = await conn.fetchval(_READ)
        await conn.fetchval(_NOTIFY, shop.tenant_id)
        read = await conn.fetchval(_READ) - before
    finally:
        await transaction.rollback()
    assert read <= 6, read
