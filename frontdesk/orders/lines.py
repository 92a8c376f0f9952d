"""Builds the lines of an order from a request and the catalog: validation, prices and stock."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

from frontdesk.availability.check import ServiceToSchedule
from frontdesk.errors import Code, WireError, invalid
from frontdesk.orders.pricing import LineToPrice, OptionPrice, Priced, PricingError, price, unit_price
from frontdesk.orders.tax import TaxRules, add_tax, tax_rules
from frontdesk.orders.types import (
    FieldNames,
    ItemInfo,
    Line,
    LineType,
    OptionInfo,
    OrderContext,
    OrderLineRequest,
    OrderRequest,
    PackageInfo,
    Performer,
    StockDeduction,
)
from frontdesk.tenants.types import TenantContext
from frontdesk.values.ids import uuid7
from frontdesk.values.money import format_amount
from frontdesk.values.time import get_zone, to_local

_NO_BRANCH = UUID(int=0)
_ORDER_FIELDS = {"discount": "discount.amount"}  # fields of the order itself, by their published path
LineErrors = dict[str, list[str]]


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
        self._performers = {(p.item_id, p.staff_id): p for p in context.performers if p.branch_id == self.branch_id}

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
        return self._performers.get((item_id, staff_id))

    def options(self, line: OrderLineRequest) -> list[OptionInfo]:
        found = (self._options.get(option_id) for option_id in line.option_ids)
        return [option for option in found if option is not None and option.item_id == line.item_id]

    def stocked_options(self, item_id: UUID) -> list[OptionInfo]:
        """The options that hold the stock of a product; none if one of them has no stock of its own."""
        options = [option for option in self.context.options if option.item_id == item_id]
        return options if all(option.quantity is not None for option in options) else []

    def service_to_schedule(self, line: OrderLineRequest, *, cheapest: bool = False) -> ServiceToSchedule:
        """Everyone who may perform a service line, with the minutes that each of them needs.

        `cheapest`: the free one with the lowest price is assigned, and not the least booked one.
        """
        chosen = [option.duration for option in self.options(line) if option.duration]
        service = self.items[line.item_id]
        candidates = {
            staff_id: line.quantity * (sum(chosen) or performer.duration or service.duration or 0)
            for (item_id, staff_id), performer in self._performers.items()
            if item_id == line.item_id and line.staff_id in (None, staff_id)
        }
        prices = {one: _catalog_price(line, service, one, self) for one in candidates} if cheapest else {}
        vary = len(set(prices.values())) > 1
        return ServiceToSchedule(candidates, service.buffer_before, service.buffer_after, prices if vary else None)


def check_order(order: OrderRequest, catalog: CatalogSnapshot) -> None:
    """Raises all errors of the ids in the order at once."""
    errors: LineErrors = {}
    if order.branch_id is not None and order.branch_id not in catalog.branches:
        errors["team_id"] = ["is not a branch of this business"]
    if order.customer_id is not None:
        customer = catalog.context.customer
        if customer is None:
            errors["customer_id"] = ["is not a customer of this business"]
        elif customer.blocked:
            errors["customer_id"] = ["is blocked by the business"]
    errors |= line_errors(order, catalog)
    if order.requires_booking and order.start is None and any(line.type is LineType.SERVICE for line in order.lines):
        errors["start"] = ["is required when an item is a service"]
    for index, error in _stock_errors(order, catalog) if not order.draft else ():
        errors.setdefault(f"{order.field_names.lines}.{index}.quantity", []).append(error)
    if errors:
        raise invalid(errors)


def line_errors(order: OrderRequest, catalog: CatalogSnapshot) -> LineErrors:
    errors: LineErrors = {}
    for index, line in enumerate(order.lines):
        for field, error in _line_errors(line, catalog, order.field_names):
            errors.setdefault(f"{order.field_names.lines}.{index}.{field}", []).append(error)
    return errors


def _line_errors(
    line: OrderLineRequest, catalog: CatalogSnapshot, field_names: FieldNames
) -> Iterator[tuple[str, str]]:
    sold = catalog.sold(line)
    if sold is None:
        yield field_names.item, f"is not a {line.type} of this business"
        return
    if sold.branch_id != catalog.branch_id:
        yield field_names.item, "belongs to another branch"
    elif not sold.status:
        yield field_names.item, "is not available for sale"
    if len(catalog.options(line)) < len(line.option_ids) or len(set(line.option_ids)) < len(line.option_ids):
        yield "option_id", "must list distinct options of this item"
    elif not all(option.is_active for option in catalog.options(line)):
        yield "option_id", "is not available for sale"
    elif line.type is LineType.PRODUCT and len(_named_stock(line, catalog)) > 1:
        yield "option_id", "must be one option for a product"
    if line.staff_id is None:
        return
    if line.type is not LineType.SERVICE:
        if line.staff_id not in catalog.context.staff:
            yield field_names.staff, "is not a staff member of this business"
    elif catalog.performer(line.item_id, line.staff_id) is None:
        yield field_names.staff, "does not perform this service in this branch"


class StockUse(NamedTuple):
    """What a line takes of one product."""

    item_id: UUID
    units: int  # of the whole line
    option_id: UUID | None


def _stock_errors(order: OrderRequest, catalog: CatalogSnapshot) -> Iterator[tuple[int, str]]:
    uses = [
        [StockUse(i, units * line.quantity, options.get(i)) for i, units in _units(line, catalog).items()]
        for line, options in zip(order.lines, choose_options(order, catalog), strict=True)
    ]
    return exceeded_stock(uses, catalog)


def exceeded_stock(uses: Sequence[Sequence[StockUse]], catalog: CatalogSnapshot) -> Iterator[tuple[int, str]]:
    """Lines of the same product or option share its stock; the error is on the line that exceeds it."""
    left = {item.id: item.stock for item in catalog.items.values() if item.stock is not None}
    left |= {c.item_id: c.stock for p in catalog.packages.values() for c in p.contents if c.stock is not None}
    options = {option.id: option.quantity for option in catalog.context.options if option.quantity is not None}
    for index, line in enumerate(uses):
        for item_id, units, option_id in line:
            if item_id not in left:
                continue  # a package no longer contains it: the database checks
            left[item_id] -= units
            if left[item_id] < 0:
                yield index, "exceeds the quantity in stock"
            if option_id in options:
                options[option_id] -= units
                if options[option_id] < 0 <= left[item_id]:
                    yield index, "exceeds the quantity in stock of this option"


def choose_options(order: OrderRequest, catalog: CatalogSnapshot) -> list[dict[UUID, UUID]]:
    """For each line, the option of each product that its units are taken from: the requested one, else the first one
    with sufficient stock. So the options of a product always add up to its stock.
    """
    left = {option.id: option.quantity for option in catalog.context.options if option.quantity is not None}
    chosen: list[dict[UUID, UUID]] = []
    for line in order.lines:
        by_item = {}
        for item_id, units in _units(line, catalog).items():
            needed = units * line.quantity
            options = _named_stock(line, catalog) or [option.id for option in catalog.stocked_options(item_id)]
            if options:
                option_id = next(
                    (option for option in options if left[option] >= needed), max(options, key=left.__getitem__)
                )
                left[option_id] -= needed
                by_item[item_id] = option_id
        chosen.append(by_item)
    return chosen


def _named_stock(line: OrderLineRequest, catalog: CatalogSnapshot) -> list[UUID]:
    """The requested options of a product line that have a stock of their own."""
    if line.type is not LineType.PRODUCT:
        return []
    return [option.id for option in catalog.options(line) if option.quantity is not None]


def _units(line: OrderLineRequest, catalog: CatalogSnapshot) -> dict[UUID, int]:
    """What one unit of a line takes from stock: a package takes the products it contains."""
    match line.type:
        case LineType.PRODUCT:
            return {line.item_id: 1} if catalog.sold(line) is not None else {}
        case LineType.PACKAGE:
            package = catalog.packages.get(line.item_id)
            return {c.item_id: c.quantity for c in (package.contents if package else []) if c.stock is not None}
        case LineType.SERVICE:
            return {}


def stock_use(order: OrderRequest, lines: list[Line], catalog: CatalogSnapshot) -> list[StockDeduction]:
    """A draft takes no stock; its options are chosen when it is confirmed."""
    chosen = [{} for _ in lines] if order.draft else choose_options(order, catalog)
    return [
        StockDeduction(line.id, item_id, units, line.quantity, options.get(item_id))
        for request, line, options in zip(order.lines, lines, chosen, strict=True)
        for item_id, units in _units(request, catalog).items()
    ]


def price_lines(
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
    try:
        return price(to_price, order.discount, tenant.currency_decimals)
    except PricingError as error:
        raise _pricing_error(error, order.field_names.lines) from error


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
    raise WireError(
        Code.TOTAL_MISMATCH,
        "The totals differ from those calculated by the service. "
        f"The expected total is {format_amount(priced.total, decimals)}.",
        details={
            "expected": {
                "sub_total": format_amount(priced.sub_total, decimals),
                "discount_amount": format_amount(priced.discount_amount, decimals),
                "total": format_amount(priced.total, decimals),
                "lines": [format_amount(line.total_amount, decimals) for line in priced.lines],
            }
        },
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
        options=[OptionPrice(option.price, option.offer_price) for option in catalog.options(line)],
    )


def _pricing_error(error: PricingError, lines: str) -> WireError:
    errors: LineErrors = {}
    for problem in error.problems:
        field = (
            f"{lines}.{problem.line}.{problem.field}"
            if problem.line is not None
            else _ORDER_FIELDS.get(problem.field, problem.field)
        )
        errors.setdefault(field, []).append(str(problem.error))
    return invalid(errors)


def order_lines(
    order: OrderRequest, staff: list[UUID | None], durations: list[int | None], priced: Priced, catalog: CatalogSnapshot
) -> list[Line]:
    lines = []
    for index, line in enumerate(order.lines):
        sold, amounts = catalog.sold(line), priced.lines[index]
        if sold is None:
            raise AssertionError("written before it was checked")
        is_package = line.type is LineType.PACKAGE
        lines.append(
            Line(
                id=uuid7(),
                type=line.type,
                item_id=None if is_package else line.item_id,
                package_id=line.item_id if is_package else None,
                option_ids=line.option_ids,
                staff_id=staff[index],
                name=sold.name,
                price=amounts.unit_amount,
                quantity=line.quantity,
                discount_amount=amounts.discount_amount,
                own_discount=line.discount_amount,
                total=amounts.net_amount,
                tax_rate=amounts.tax_rate,
                tax_amount=amounts.tax_amount,
                discountable=line.discountable,
                duration=durations[index],
            )
        )
    return lines
