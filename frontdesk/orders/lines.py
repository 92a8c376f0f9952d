"""Builds the lines of an order from a request and the catalog: validation, prices and stock."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from functools import cached_property
from uuid import UUID

from frontdesk.availability.types import ServiceToSchedule
from frontdesk.orders.context_types import ItemInfo, OptionInfo, OrderContext, PackageInfo, Performer
from frontdesk.orders.new_order import NewLine, StockDeduction
from frontdesk.orders.pricing import LineToPrice, OptionPrice, Priced, compute_totals, unit_price
from frontdesk.orders.problems import OrderProblem, PriceProblem
from frontdesk.orders.stock import (
    OptionStock,
    Products,
    ProductStock,
    Shortage,
    StockNeed,
    StockUse,
    choose_options,
    shortages,
    with_returned,
)
from frontdesk.orders.tax import TaxRules, add_tax, tax_rules
from frontdesk.orders.types import LineType, OrderLineRequest, OrderRequest
from frontdesk.problems import Problem, raise_all
from frontdesk.values.money import round_half_up
from frontdesk.values.tenant_context import TenantContext
from frontdesk.values.time import get_zone, to_local

_NO_BRANCH = UUID(int=0)


class CatalogSnapshot:
    """The context of one order, indexed by id. An order without a branch belongs to the branch of its first item."""

    def __init__(self, context: OrderContext, order: OrderRequest) -> None:
        self.context = context
        self.items = {item.id: item for item in context.items}
        self.packages = {package.id: package for package in context.packages}
        self.branches = frozenset(context.branches)
        self._options = {option.id: option for option in context.options}
        first = self.sold(order.lines[0])
        self.branch_id = order.branch_id or (first.branch_id if first else _NO_BRANCH)
        self._performers: dict[UUID, dict[UUID, Performer]] = {}
        for performer in context.performers:
            if performer.branch_id == self.branch_id:
                self._performers.setdefault(performer.item_id, {})[performer.staff_id] = performer

    def sold(self, line: OrderLineRequest) -> ItemInfo | PackageInfo | None:
        if line.type is LineType.PACKAGE:
            return self.packages.get(line.item_id)
        item = self.items.get(line.item_id)
        return item if item is not None and item.type is line.type else None

    def type_of(self, item_id: UUID) -> LineType:
        """The type of an item, for callers that only know its id; an unknown id counts as a product."""
        if item_id in self.packages:
            return LineType.PACKAGE
        return self.items[item_id].type if item_id in self.items else LineType.PRODUCT

    def performer(self, item_id: UUID, staff_id: UUID) -> Performer | None:
        return self._performers.get(item_id, {}).get(staff_id)

    def options(self, line: OrderLineRequest) -> list[OptionInfo]:
        found = (self._options.get(option_id) for option_id in line.option_ids)
        return [option for option in found if option is not None and option.item_id == line.item_id]

    @cached_property
    def products(self) -> dict[UUID, ProductStock]:
        """Every product that a line or a package may take from, with its options."""
        stock = {item.id: item.stock for item in self.items.values() if item.type is LineType.PRODUCT}
        contents = (content for package in self.packages.values() for content in package.contents)
        stock |= {content.item_id: content.stock for content in contents if content.type is LineType.PRODUCT}
        options: dict[UUID, list[OptionStock]] = {}
        for option in self.context.options:
            options.setdefault(option.item_id, []).append(OptionStock(option.id, option.quantity))
        return {item_id: ProductStock(item_id, left, options.get(item_id, [])) for item_id, left in stock.items()}

    def service_to_schedule(self, line: OrderLineRequest, *, cheapest: bool = False) -> ServiceToSchedule:
        """Everyone who may perform a service line, with the minutes that each of them needs.

        `cheapest`: the free one with the lowest price is assigned, and not the least booked one.
        """
        chosen = [option.duration for option in self.options(line) if option.duration]
        service = self.items[line.item_id]
        candidates = {
            staff_id: line.quantity * (sum(chosen) or performer.duration or service.duration or 0)
            for staff_id, performer in self._performers.get(line.item_id, {}).items()
            if line.staff_id in (None, staff_id)
        }
        prices = (
            {staff_id: _catalog_price(line, service, staff_id, self) for staff_id in candidates} if cheapest else {}
        )
        vary = len(set(prices.values())) > 1
        return ServiceToSchedule(
            candidates,
            service.buffer_before,
            service.buffer_after,
            prices if vary else None,
            is_requested=line.staff_id is not None,
        )


def check_order(order: OrderRequest, catalog: CatalogSnapshot) -> None:
    """Raises all errors of the ids in the order at once."""
    problems: list[Problem] = []
    if order.branch_id is not None and order.branch_id not in catalog.branches:
        problems.append(Problem(OrderProblem.UNKNOWN_BRANCH, "branch_id"))
    if order.customer_id is not None:
        customer = catalog.context.customer
        if customer is None:
            problems.append(Problem(OrderProblem.UNKNOWN_CUSTOMER, "customer_id"))
        elif customer.blocked:
            problems.append(Problem(OrderProblem.CUSTOMER_BLOCKED, "customer_id"))
    problems += line_problems(order, catalog)
    if order.requires_booking and order.start is None and any(line.type is LineType.SERVICE for line in order.lines):
        problems.append(Problem(OrderProblem.START_REQUIRED, "start"))
    if not (order.draft or order.oversell):
        problems += [short.problem for short in stock_shortages(order, catalog)]
    raise_all(problems)


def line_problems(order: OrderRequest, catalog: CatalogSnapshot) -> list[Problem]:
    return [problem for index, line in enumerate(order.lines) for problem in _line_problems(index, line, catalog)]


def _line_problems(index: int, line: OrderLineRequest, catalog: CatalogSnapshot) -> Iterator[Problem]:
    sold = catalog.sold(line)
    if sold is None:
        yield Problem(OrderProblem.UNKNOWN_ITEM, "lines", index, "item_id", type=line.type)
        return
    if sold.branch_id != catalog.branch_id:
        yield Problem(OrderProblem.OTHER_BRANCH, "lines", index, "item_id")
    elif not sold.status:
        yield Problem(OrderProblem.NOT_FOR_SALE, "lines", index, "item_id")
    option_problem = _option_problem(line, sold, catalog)
    if option_problem is not None:
        yield Problem(option_problem, "lines", index, "option_id")
    if line.staff_id is None:
        return
    if line.type is not LineType.SERVICE:
        if line.staff_id not in catalog.context.staff:
            yield Problem(OrderProblem.UNKNOWN_STAFF, "lines", index, "staff_id")
    elif catalog.performer(line.item_id, line.staff_id) is None:
        yield Problem(OrderProblem.STAFF_DOES_NOT_PERFORM, "lines", index, "staff_id")


def _option_problem(
    line: OrderLineRequest, sold: ItemInfo | PackageInfo, catalog: CatalogSnapshot
) -> OrderProblem | None:
    options = catalog.options(line)
    if len(set(line.option_ids)) < len(line.option_ids):
        return OrderProblem.OPTIONS_NOT_DISTINCT
    if len(options) < len(line.option_ids):
        return OrderProblem.UNKNOWN_OPTION
    if not all(option.is_active for option in options):
        return OrderProblem.OPTION_NOT_FOR_SALE
    if len(line.option_ids) > 1:
        return OrderProblem.SEVERAL_OPTIONS
    if not line.option_ids and isinstance(sold, ItemInfo) and not sold.base_sellable:
        return OrderProblem.OPTION_REQUIRED
    return None


def stock_shortages(
    order: OrderRequest, catalog: CatalogSnapshot, returned: Sequence[StockUse] = ()
) -> Iterator[Shortage]:
    """The lines that take more than there is, with what comes back of an earlier sale."""
    products = with_returned(catalog.products, returned)
    return shortages(_chosen(order, catalog, products), products)


def _chosen(order: OrderRequest, catalog: CatalogSnapshot, products: Products) -> list[list[StockUse]]:
    return choose_options([_needs(line, catalog) for line in order.lines], products)


def _needs(line: OrderLineRequest, catalog: CatalogSnapshot) -> list[StockNeed]:
    """An option of a package's product cannot be named."""
    named = line.option_ids if line.type is LineType.PRODUCT else ()
    return [StockNeed(item_id, units * line.quantity, named) for item_id, units in _units(line, catalog).items()]


def _units(line: OrderLineRequest, catalog: CatalogSnapshot) -> dict[UUID, int]:
    """What one unit of a line takes from stock: a package takes the products it contains."""
    match line.type:
        case LineType.PRODUCT:
            return {line.item_id: 1} if catalog.sold(line) is not None else {}
        case LineType.PACKAGE:
            package = catalog.packages.get(line.item_id)
            contents = package.contents if package else []
            return {content.item_id: content.quantity for content in contents if content.type is LineType.PRODUCT}
        case LineType.SERVICE:
            return {}


def stock_use(order: OrderRequest, lines: list[NewLine], catalog: CatalogSnapshot) -> list[StockDeduction]:
    """A draft takes no stock; its options are chosen when it is confirmed."""
    return [
        StockDeduction(
            line.id, use.item_id, use.units // line.quantity, line.quantity, None if order.draft else use.option_id
        )
        for line, uses in zip(lines, _chosen(order, catalog, catalog.products), strict=True)
        for use in uses
    ]


def price_order(
    tenant: TenantContext, order: OrderRequest, staff: list[UUID | None], catalog: CatalogSnapshot, now: datetime
) -> Priced:
    """`staff` is who performs each line; their own price takes precedence over the catalog's.

    The tax rates are those of the local day of the sale.
    """
    context, day = catalog.context, to_local(now, get_zone(tenant.timezone)).date()
    taxes = tax_rules(context.tax_rates, prices_include_tax=context.prices_include_tax, day=day)
    to_price = [
        _line_to_price(line, staff[index], catalog, taxes, tenant.currency_decimals)
        for index, line in enumerate(order.lines)
    ]
    return compute_totals(to_price, order.discount, tenant.currency_decimals)


def verify_client_totals(order: OrderRequest, priced: Priced, decimals: int) -> None:
    """Rejects an order if the client computed other totals, because the customer has already seen them."""
    if order.client_totals is None:
        return
    lines_agree = all(
        line.client_total is None or line.client_total == ours.total_amount
        for line, ours in zip(order.lines, priced.lines, strict=True)
    )
    if lines_agree and (order.client_totals.sub_total, order.client_totals.total) == (priced.sub_total, priced.total):
        return
    raise Problem(
        PriceProblem.TOTALS_DIFFER,
        sub_total=round_half_up(priced.sub_total, decimals),
        discount_amount=round_half_up(priced.discount_amount, decimals),
        total=round_half_up(priced.total, decimals),
        lines=[round_half_up(line.total_amount, decimals) for line in priced.lines],
    )


def _line_to_price(
    line: OrderLineRequest, staff_id: UUID | None, catalog: CatalogSnapshot, taxes: TaxRules, decimals: int
) -> LineToPrice:
    """An amount in the request is what is charged; tax on top is added to prices of the catalog only."""
    sold = catalog.sold(line)
    if sold is None:
        raise AssertionError("priced before it was checked")
    rate = taxes.rate_of(sold.tax_class_id) if line.tax_rate is None else line.tax_rate
    unit = line.unit_amount
    if unit is None:
        unit = _catalog_price(line, sold, staff_id, catalog)
        unit = unit if taxes.prices_include_tax else add_tax(unit, rate, decimals)
    return LineToPrice(unit, line.quantity, line.discount_amount, line.discountable, rate)


def _catalog_price(
    line: OrderLineRequest, sold: ItemInfo | PackageInfo, staff_id: UUID | None, catalog: CatalogSnapshot
) -> Decimal:
    performer = catalog.performer(line.item_id, staff_id) if staff_id else None
    return unit_price(
        override=None,
        provider_price=performer.price if performer else None,
        offer_price=sold.offer_price,
        price=sold.price,
        option=next((OptionPrice(option.price, option.offer_price) for option in catalog.options(line)), None),
    )
