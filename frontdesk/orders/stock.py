"""What lines take from stock, and from which options: of new orders, changed ones, and drafts that are confirmed.

Pure functions. A product or an option without a quantity is not counted: it is never short.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar
from uuid import UUID

import msgspec

from frontdesk.orders.context_types import ItemInfo, OptionInfo, OrderContext
from frontdesk.orders.problems import OrderProblem
from frontdesk.problems import Problem


class OptionStock(msgspec.Struct, frozen=True):
    id: UUID
    quantity: int | None  # None: not counted


class ProductStock(msgspec.Struct, frozen=True):
    id: UUID
    stock: int | None  # None: not counted
    options: list[OptionStock] = []  # in the order in which they are taken from


class StockNeed(NamedTuple):
    """What a line needs of one product."""

    item_id: UUID
    units: int  # of the whole line
    option_ids: tuple[UUID, ...] = ()  # that the line names


class StockUse(NamedTuple):
    """What a line takes of one product."""

    item_id: UUID
    units: int  # of the whole line
    option_id: UUID | None


class Shortage(NamedTuple):
    line: int  # its index
    item_id: UUID
    of_option: bool

    @property
    def problem(self) -> Problem:
        kind = OrderProblem.OPTION_OUT_OF_STOCK if self.of_option else OrderProblem.OUT_OF_STOCK
        return Problem(kind, "lines", self.line, "quantity")


Products = Mapping[UUID, ProductStock]


def choose_options(lines: Sequence[Sequence[StockNeed]], products: Products) -> list[list[StockUse]]:
    """The option that each line takes its units from: the one that it names, else the first in which the lines before
    have left enough, else the fullest. So the options of a product always add up to its stock.
    """
    left = {o.id: o.quantity for product in products.values() for o in product.options if o.quantity is not None}
    chosen = []
    for needs in lines:
        uses = []
        for need in needs:
            options = _candidates(need, products.get(need.item_id))
            option_id = next((candidate for candidate in options if left[candidate] >= need.units), None)
            if option_id is None and options:
                option_id = max(options, key=left.__getitem__)
            if option_id is not None:
                left[option_id] -= need.units
            uses.append(StockUse(need.item_id, need.units, option_id))
        chosen.append(uses)
    return chosen


def _candidates(need: StockNeed, product: ProductStock | None) -> list[UUID]:
    """Without a counted option that is named, all options hold the stock, unless one of them is not counted."""
    if product is None:
        return []
    counted = [option.id for option in product.options if option.quantity is not None]
    named = [option_id for option_id in counted if option_id in need.option_ids]
    return named or (counted if len(counted) == len(product.options) else [])


def with_returned(products: Products, returned: Sequence[StockUse]) -> Products:
    """The stock with what comes back before anything is taken."""
    if not returned:
        return products
    items: Counter[UUID] = Counter()
    options: Counter[UUID] = Counter()
    for use in returned:
        items[use.item_id] += use.units
        if use.option_id is not None:
            options[use.option_id] += use.units
    return {
        product.id: ProductStock(
            product.id,
            _added(product.stock, items[product.id]),
            [OptionStock(option.id, _added(option.quantity, options[option.id])) for option in product.options],
        )
        for product in products.values()
    }


def _added(quantity: int | None, units: int) -> int | None:
    return None if quantity is None else quantity + units


def with_changed_stock(context: OrderContext, changes: Sequence[StockUse]) -> OrderContext:
    """The catalog with units that come back, or, where they are negative, without those that are taken."""
    items: Counter[UUID] = Counter()
    options: Counter[UUID] = Counter()
    for change in changes:
        items[change.item_id] += change.units
        if change.option_id is not None:
            options[change.option_id] += change.units
    return msgspec.structs.replace(
        context,
        items=[_with_stock(item, "stock", items) for item in context.items],
        options=[_with_stock(option, "quantity", options) for option in context.options],
        packages=[
            msgspec.structs.replace(
                package,
                contents=[
                    content
                    if content.stock is None
                    else msgspec.structs.replace(content, stock=content.stock + items[content.item_id])
                    for content in package.contents
                ],
            )
            for package in context.packages
        ],
    )


_R = TypeVar("_R", ItemInfo, OptionInfo)


def _with_stock(record: _R, field: str, changes: Mapping[UUID, int]) -> _R:
    quantity: int | None = getattr(record, field)
    if quantity is None or record.id not in changes:
        return record
    return msgspec.structs.replace(record, **{field: quantity + changes[record.id]})


def shortages(lines: Sequence[Sequence[StockUse]], products: Products) -> Iterator[Shortage]:
    """Lines of the same product or option share its stock; the line that exceeds it is short.

    A product that is not in `products`, such as one that a package no longer contains, is left to the database.
    """
    left = {product.id: product.stock for product in products.values() if product.stock is not None}
    options = {o.id: o.quantity for product in products.values() for o in product.options if o.quantity is not None}
    for index, uses in enumerate(lines):
        for item_id, units, option_id in uses:
            if item_id in left:
                left[item_id] -= units
            if option_id in options:
                options[option_id] -= units
            if left.get(item_id, 0) < 0:
                yield Shortage(index, item_id, of_option=False)
            elif option_id in options and options[option_id] < 0:
                yield Shortage(index, item_id, of_option=True)
