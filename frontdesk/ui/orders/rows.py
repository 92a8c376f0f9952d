"""The rows of the list of orders, as it shows them."""

from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from typing import NamedTuple
from uuid import UUID

import msgspec
from markupsafe import Markup

from frontdesk.i18n.texts import N_, translate
from frontdesk.orders.types import Source
from frontdesk.ui.components.order_labels import SOURCES
from frontdesk.ui.components.order_list_queries import ListedOrder, read_listed_order
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.formatting import Formatter
from frontdesk.ui.shell.rendering import row_macro
from frontdesk.values.phones import spaced
from frontdesk.values.tenant_context import TenantContext

_ITEMS = 3  # so many names; a row has one line for them


class RowView(NamedTuple):
    """What the rows of a page have in common."""

    tenant: TenantContext
    language: str
    today: date
    many_branches: bool


class ShownOrder(NamedTuple):
    """All that a row shows."""

    id: UUID
    number: int
    select_label: str
    is_refund: bool
    day: str
    time: str
    placed_at: str
    customer: str | None
    phone: str | None
    items: str
    staff: tuple[str, ...]
    staff_names: str
    branch: str
    source: str
    status: str
    payment_status: str
    total: str


def written_orders(
    context: PageContext, rows: Sequence[msgspec.Raw], *, many_branches: bool, has_focus: bool
) -> list[Markup]:
    """`has_focus`: the first of them has the focus, because it was searched for."""
    view = RowView(context.tenant, context.language, context.format.today, many_branches)
    return [_written(view, bytes(row), has_focus and number == 0) for number, row in enumerate(rows)]


@lru_cache(maxsize=4096)
def _written(view: RowView, document: bytes, has_focus: bool) -> Markup:
    """A row that was shown before is neither read nor rendered again."""
    macro = row_macro(view.language, "orders_row.html")
    return macro(_shown(view, read_listed_order(document)), view.many_branches, has_focus)


def _shown(view: RowView, order: ListedOrder) -> ShownOrder:
    format_, comma = Formatter(view.language, view.tenant), translate(view.language, N_(", "))
    return ShownOrder(
        order.id,
        order.number,
        translate(view.language, N_("Select order %(number)s")) % {"number": order.number},
        order.is_refund,
        format_.short_date(order.placed_at),
        format_.time(order.placed_at),
        order.placed_at.isoformat(),
        order.customer,
        spaced(order.phone) if order.phone else None,
        comma.join(order.items[:_ITEMS]) + (" …" if len(order.items) > _ITEMS else ""),
        tuple(order.staff),
        comma.join(order.staff),
        order.branch,
        translate(view.language, SOURCES[Source(order.source)]),
        order.status,
        order.payment_status,
        format_.amount(order.total),
    )
