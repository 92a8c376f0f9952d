"""The businesses that all tests of a process share: they may add programs and members there, and change nothing else.

Otherwise a test would depend on which others ran before it.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.support.service import Service
from tests.support.shop import Shop

_TABLES = (
    "bookings",
    "branches",
    "categories",
    "customers",
    "hour_exceptions",
    "invoices",
    "item_options",
    "items",
    "orders",
    "packages",
    "payment_methods",
    "staff",
    "staff_services",
    "tax_classes",
    "tenant_slugs",
    "time_off",
    "transactions",
    "working_hours",
)


@asynccontextmanager
async def only_read(service: Service) -> AsyncIterator[Shop]:
    shop = await service.new_shop()
    before = await _contents(shop)
    yield shop
    after = await _contents(shop)
    changed = [table for table in _TABLES if after[table] != before[table]]
    assert not changed, f"a test has changed {', '.join(changed)} of a business that tests only read from"


async def _contents(shop: Shop) -> dict[str, str]:
    digest = "SELECT md5(string_agg(t::text, chr(10) ORDER BY t::text)) AS digest FROM {} t WHERE tenant_id = $1"
    return {table: (await shop.sql(digest.format(table)))[0]["digest"] for table in _TABLES}
