"""Labels with name, price and barcode, to print for an item and its options."""

from typing import Annotated, NamedTuple
from uuid import UUID

import msgspec
from markupsafe import Markup
from msgspec import Meta

from frontdesk.catalog.page_queries import find_edited_item
from frontdesk.catalog.page_types import EditedItem
from frontdesk.errors import not_found
from frontdesk.http.responses import Response
from frontdesk.postgres.query import fetch
from frontdesk.ui.catalogue.pages import PATH
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import CASHIERS
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.barcodes import bars

pages = Pages()
_HEIGHT, _MARGIN = 40, 11  # in modules; scanners need the white margin


class LabelsQuery(msgspec.Struct):
    copies: Annotated[int, Meta(ge=1, le=100)] = 1


class PriceLabel(NamedTuple):
    name: str
    option: str
    price: str
    code: str
    drawing: Markup


def draw_barcode(code: str) -> Markup:
    """Empty if the code cannot be drawn."""
    drawn = bars(code)
    if not drawn:
        return Markup()
    width = sum(drawn[-1]) + 2 * _MARGIN
    path = "".join(f"M{place + _MARGIN} 0h{wide}v{_HEIGHT}h-{wide}z" for place, wide in drawn)
    return Markup(
        '<svg class="bars" viewBox="0 0 {} {}" shape-rendering="crispEdges" aria-hidden="true"><path d="{}"/></svg>'
    ).format(width, _HEIGHT, path)


@pages.get(f"{PATH}/{{item_id}}/labels", CASHIERS, shows_errors=True)
async def show_labels(context: PageContext, item_id: UUID, query: LabelsQuery) -> Response:
    async with context.connection() as conn:
        item = await fetch(conn, context.tenant_id, find_edited_item(item_id))
    if item is None:
        raise not_found("item")
    return context.render("catalogue_labels.html", item=item, labels=_labels(context, item), copies=query.copies)


def _labels(context: PageContext, item: EditedItem) -> list[PriceLabel]:
    """One for each code; without one, the SKU is drawn."""
    name = context.format.localized(item.name)
    sold = [("", item.price, item.barcode or item.sku)]
    sold += [
        (context.format.localized(option.name), option.price, option.barcode or option.sku)
        for option in item.options
        if option.is_active
    ]
    return [
        PriceLabel(name, option, context.format.price(price), code, draw_barcode(code))
        for option, price, code in sold
        if code
    ]
