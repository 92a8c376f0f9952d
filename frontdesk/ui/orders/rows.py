"""The rows of the list of orders, as it shows them."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from frontdesk.i18n.texts import N_
from frontdesk.ui.components.order_labels import SOURCES
from frontdesk.ui.components.order_list_queries import ListedOrder
from frontdesk.ui.shell.context import PageContext
from frontdesk.values.phones import spaced

_ITEMS = 3  # so many names; a row has one line for them


class ShownOrder(NamedTuple):
    """All that a row shows: a row that was shown before is not rendered again."""

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


def shown_orders(context: PageContext, orders: Sequence[ListedOrder]) -> list[ShownOrder]:
    select, comma = context.translate(N_("Select order %(number)s")), context.translate(N_(", "))
    sources: dict[str, str] = {source: context.translate(text) for source, text in SOURCES.items()}
    format_ = context.format
    return [
        ShownOrder(
            order.id,
            order.number,
            select % {"number": order.number},
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
            sources[order.source],
            order.status,
            order.payment_status,
            format_.amount(order.total),
        )
        for order in orders
    ]
