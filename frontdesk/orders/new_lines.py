"""The lines of an order as they are written: what they cost, and why."""

from collections.abc import Sequence
from decimal import Decimal
from uuid import UUID

import msgspec

from frontdesk.availability.types import Assignment, ProviderChoice
from frontdesk.orders.context_types import ItemInfo, PackageInfo
from frontdesk.orders.lines import CatalogSnapshot
from frontdesk.orders.new_order import NewLine
from frontdesk.orders.origins import PackagePart, PriceOrigin
from frontdesk.orders.pricing import Priced, PricedLine
from frontdesk.orders.types import LineType, OrderLineRequest, OrderRequest
from frontdesk.values.actor import Author
from frontdesk.values.ids import uuid7

_REQUESTED = ProviderChoice("requested")


class Performed(msgspec.Struct, frozen=True):
    """Who performs a line, for how many minutes, and why they do."""

    staff_id: UUID | None
    minutes: int | None = None
    chosen: ProviderChoice | None = None


def performed_by(line: OrderLineRequest, booked: Assignment | None) -> Performed:
    """A line without a booking may still have a staff member."""
    if booked is None:
        return Performed(line.staff_id, None, _REQUESTED if line.staff_id else None)
    return Performed(booked.staff_id, int((booked.end - booked.start).total_seconds()) // 60, booked.chosen)


def order_lines(
    order: OrderRequest,
    performed: Sequence[Performed],
    priced_by: Sequence[UUID | None],
    priced: Priced,
    catalog: CatalogSnapshot,
    decimals: int,
) -> list[NewLine]:
    """`priced_by` is whose own prices were charged."""
    lines = []
    for index, line in enumerate(order.lines):
        sold, amounts = catalog.sold(line), priced.lines[index]
        if sold is None:
            raise AssertionError("written before it was checked")
        is_package = line.type is LineType.PACKAGE
        lines.append(
            NewLine(
                id=uuid7(),
                type=line.type,
                item_id=None if is_package else line.item_id,
                package_id=line.item_id if is_package else None,
                option_ids=line.option_ids,
                option_name=next((option.name for option in catalog.options(line)), None),
                staff_id=performed[index].staff_id,
                name=sold.name,
                price=amounts.unit_amount,
                quantity=line.quantity,
                discount_amount=amounts.discount_amount,
                own_discount=line.discount_amount,
                total=amounts.net_amount,
                tax_rate=amounts.tax_rate,
                tax_amount=amounts.tax_amount,
                discountable=line.discountable,
                duration=performed[index].minutes,
                priced=_origin(line, sold, priced_by[index], amounts, catalog, decimals),
                chosen=performed[index].chosen,
            )
        )
    return lines


def _origin(
    line: OrderLineRequest,
    sold: ItemInfo | PackageInfo,
    staff_id: UUID | None,
    amounts: PricedLine,
    catalog: CatalogSnapshot,
    decimals: int,
) -> PriceOrigin:
    performer = catalog.performer(line.item_id, staff_id) if staff_id else None
    option = next(iter(catalog.options(line)), None)
    origin = PriceOrigin(
        catalog=sold.price,
        offer=sold.offer_price,
        option=option.price if option else None,
        option_offer=option.offer_price if option else None,
        provider=performer.price if performer else None,
        tax_on_top=not catalog.context.prices_include_tax,
        tax_class_id=sold.tax_class_id,
        parts=_parts(sold),
    )
    return given_price(origin, amounts.unit_amount, amounts.tax_rate, decimals)


def _parts(sold: ItemInfo | PackageInfo) -> tuple[PackagePart, ...]:
    if isinstance(sold, ItemInfo):
        return ()
    return tuple(PackagePart(part.item_id, part.quantity, part.price) for part in sold.contents)


def given_price(origin: PriceOrigin, unit: Decimal, rate: Decimal, decimals: int) -> PriceOrigin:
    """A price that is no other than that of the catalog was not given by anybody."""
    return msgspec.structs.replace(origin, given=unit != origin.charged(rate, decimals))


def by_author(line: NewLine, author: Author) -> NewLine:
    """The line with the one who has priced it, if that is not who made the order."""
    if line.priced is None:
        return line
    discounted_by = author if line.own_discount else None
    return msgspec.structs.replace(
        line, priced=msgspec.structs.replace(line.priced, by=author, discounted_by=discounted_by)
    )
