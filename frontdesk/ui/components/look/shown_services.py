"""The first services of a business, as its booking page in small shows them."""

from decimal import Decimal
from typing import NamedTuple

from frontdesk.catalog.list_queries import list_catalogue
from frontdesk.catalog.page_types import CatalogueFilter
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.ui.shell.context import PageContext
from frontdesk.values.pagination import PageRequest

MAX_SHOWN = 4


class ShownService(NamedTuple):
    name: str
    minutes: int
    price: Decimal


async def first_services(context: PageContext, conn: Connection) -> list[ShownService]:
    on_sale = CatalogueFilter(("service",), is_active=True)
    found = await fetch(conn, context.tenant_id, list_catalogue(on_sale, PageRequest(1, MAX_SHOWN)))
    rows = [row.read() for row in found.rows]
    return [ShownService(context.format.localized(row.name), row.durations[0], row.prices[0]) for row in rows]
