"""The totals of a sale. Nothing is written, and no stock or time is reserved for it."""

from datetime import datetime

from frontdesk.orders.lines import CatalogSnapshot, line_problems, price_order
from frontdesk.orders.pricing import Priced
from frontdesk.orders.queries.order_context import OrderInputs
from frontdesk.orders.types import OrderRequest
from frontdesk.problems import raise_all
from frontdesk.values.tenant_context import TenantContext


def preview_totals(tenant: TenantContext, order: OrderRequest, inputs: OrderInputs, now: datetime) -> Priced:
    """The pricing of an order; the types of the lines are taken from the catalog."""
    order = with_types(order, inputs)
    catalog = CatalogSnapshot(inputs.context, order)
    raise_all(line_problems(order, catalog))
    return price_order(tenant, order, [line.staff_id for line in order.lines], catalog, now)


def with_types(order: OrderRequest, inputs: OrderInputs) -> OrderRequest:
    """For callers that know only the ids of the items."""
    catalog = CatalogSnapshot(inputs.context, order)
    return order._replace(lines=[line._replace(type=catalog.type_of(line.item_id)) for line in order.lines])
