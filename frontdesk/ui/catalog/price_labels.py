"""Labels with name, price and barcode, to print for an item and its options."""

import asyncio
from decimal import Decimal
from typing import Annotated, NamedTuple
from uuid import UUID

import msgspec
from markupsafe import Markup
from msgspec import Meta

from frontdesk.catalog.page_queries import find_edited_item
from frontdesk.catalog.page_types import EditedItem
from frontdesk.http.responses import Response
from frontdesk.orders.tax import add_tax
from frontdesk.problems import or_not_found
from frontdesk.runtime.slow_work import LABELS
from frontdesk.ui.catalog.pages import PATH
from frontdesk.ui.shell.barcode_svg import draw_barcode
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import CASHIERS
from frontdesk.ui.shell.routing import Pages

pages = Pages()


class LabelsQuery(msgspec.Struct):
    copies: Annotated[int, Meta(ge=1, le=100)] = 1


class PriceLabel(NamedTuple):
    name: str
    option: str
    price: str
    code: str
    drawing: Markup


@pages.get(f"{PATH}/{{item_id}}/labels", CASHIERS, shows_errors=True)
async def show_labels(context: PageContext, item_id: UUID, query: LabelsQuery) -> Response:
    item = or_not_found(await context.fetch(find_edited_item(item_id)), "item")
    async with LABELS.turn(context.tenant_id):  # thousands of labels take a second
        return await asyncio.to_thread(_render, context, item, query.copies)


def _render(context: PageContext, item: EditedItem, copies: int) -> Response:
    return context.render("catalogue_labels.html", item=item, labels=_labels(context, item), copies=copies)


def charged(item: EditedItem, price: Decimal, decimals: int) -> Decimal:
    """With the tax that is added to prices of the catalogue, where it is."""
    return price if item.prices_include_tax else add_tax(price, item.tax_rate, decimals)


def _labels(context: PageContext, item: EditedItem) -> list[PriceLabel]:
    """One for each code; without one, the SKU is drawn. The price is what the customer pays."""
    name, decimals = context.format.localized(item.name), context.tenant.currency_decimals
    sold = [("", item.price, item.barcode or item.sku)]
    sold += [
        (context.format.localized(option.name), option.price, option.barcode or option.sku)
        for option in item.options
        if option.is_active
    ]
    return [
        PriceLabel(name, option, context.format.price(charged(item, price, decimals)), code, draw_barcode(code))
        for option, price, code in sold
        if code
    ]
