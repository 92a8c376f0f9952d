"""What the page of an order's change shows: each line as it was and as it becomes, and what follows from it."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Literal, NamedTuple
from uuid import UUID

from frontdesk.orders.edit import EditedOrder
from frontdesk.orders.new_order import NewLine
from frontdesk.orders.queries.order_to_edit import SoldLine
from frontdesk.orders.types import LineType
from frontdesk.ui.orders.edit_form import RowKey, entry, option_ids, row_key
from frontdesk.ui.orders.edit_queries import ChoiceItem, EditableOrder
from frontdesk.values.money import exact_sum

Span = tuple[datetime, datetime]
State = Literal["same", "added", "changed", "removed"]


class RowView(NamedTuple):
    row_index: int  # in the form
    key: RowKey
    item: ChoiceItem | None
    sold: SoldLine | None
    line: NewLine | None  # as it becomes; None if the order cannot become what is asked for
    state: State
    during: Span | None
    quantity: str
    staff: str
    options: str
    price: str
    discount: str
    errors: list[str]

    def option_choices(self, localized: Callable[[Mapping[str, str]], str]) -> list[tuple[str, str]]:
        """The values and names of the options; a combination that was sold stays one choice."""
        if self.item is None:
            return []
        names = {option.id: localized(option.name) for option in self.item.options}
        sold = self.sold.option_ids if self.sold else ()
        single = [(str(o.id), names[o.id]) for o in self.item.options if o.is_active or sold == (o.id,)]
        several = [(_joined(sold), " + ".join(names.get(i, "?") for i in sold))] if len(sold) > 1 else []
        return [*several, *single]

    @property
    def may_have_no_option(self) -> bool:
        """As it was sold, or as it is sold today."""
        return (self.sold is not None and not self.sold.option_ids) or (
            self.item is not None and not self.item.needs_option
        )

    @property
    def provider(self) -> str | None:
        staff_id = self.line.staff_id if self.line else self.sold.staff_id if self.sold else None
        performers = self.item.performers if self.item else []
        return next((performer.name for performer in performers if performer.id == staff_id), None)

    def name(self, localized: Callable[[Mapping[str, str]], str]) -> str:
        if self.item is not None:
            return localized(self.item.name)
        return self.sold.name if self.sold else ""

    @property
    def unit_price(self) -> Decimal:
        """As it becomes, as it was, or as it is in the catalogue."""
        found = self.line or self.sold or self.item
        return found.price if found else Decimal(0)

    @property
    def quantities(self) -> tuple[int, int] | None:
        """Before and after, if they differ."""
        if self.sold is None or self.line is None or self.sold.quantity == self.line.quantity:
            return None
        return self.sold.quantity, self.line.quantity

    @property
    def former_staff_id(self) -> UUID | None:
        """Who was booked, if they no longer perform it."""
        staff_id = self.sold.staff_id if self.sold else None
        performers = self.item.performers if self.item else []
        return None if any(performer.id == staff_id for performer in performers) else staff_id

    @property
    def goes_back_into_stock(self) -> bool:
        """A product that is no longer counted does not."""
        is_counted = self.item is None or self.item.stock is not None or self.item.type is LineType.PACKAGE
        return self.sold is not None and bool(self.sold.stock) and is_counted

    @property
    def has_new_total(self) -> bool:
        return self.after is not None and (self.sold is None or self.after != self.before)

    @property
    def before(self) -> Decimal:
        return self.sold.total if self.sold else Decimal(0)

    @property
    def after(self) -> Decimal | None:
        if self.state == "removed":
            return Decimal(0)
        return self.line.total if self.line else None


class Sums(NamedTuple):
    added: Decimal
    taken: Decimal  # negative
    difference: Decimal
    total: Decimal
    tax: Decimal
    due: Decimal


class StockChange(NamedTuple):
    item: ChoiceItem
    units: int  # positive: comes back


def row_views(
    order: EditableOrder,
    fields: Mapping[str, list[str]],
    edited: EditedOrder | None,
    errors: Mapping[str, Sequence[str]],
) -> list[RowView]:
    """`errors` are those of the form, by line of the page, and of the order, by line that is not removed."""
    items = {item.id: item for item in order.items}
    sold = {line.id: line for line in order.lines}
    times = {k.line_id: (k.start, k.end) for k in (edited.bookings if edited and edited.bookings is not None else [])}
    if edited is None or edited.bookings is None:
        times = {line.id: (line.booking.start, line.booking.end) for line in order.lines if line.booking}
    lines = iter(edited.lines if edited else [])
    views: list[RowView] = []
    stays = 0
    for index, text in enumerate(fields.get("row", [])):
        key = row_key(text)
        if key is None:
            continue
        line = next(lines, None) if not key.is_removed else None
        before = sold.get(key.line_id) if key.line_id else None
        found = _errors_of_row(errors, index, None if key.is_removed else stays)
        stays += not key.is_removed
        values = {name: entry(fields, name, index) for name in ("quantity", "staff", "options", "price", "discount")}
        views.append(
            RowView(
                row_index=index,
                key=key,
                item=items.get(key.item_id),
                sold=before,
                line=line,
                state=_state(key, before, line, values),
                during=times.get(line.id if line else before.id if before else key.item_id),
                errors=found,
                **values,
            )
        )
    return views


def _errors_of_row(errors: Mapping[str, Sequence[str]], index: int, line_index: int | None) -> list[str]:
    def belongs(name: str) -> bool:
        parts = name.split(".")
        if parts[0] == "lines" and len(parts) > 1:
            return parts[1] == str(line_index)
        return len(parts) > 1 and parts[1] == str(index)

    return [text for name, texts in errors.items() if belongs(name) for text in texts]


def _state(key: RowKey, sold: SoldLine | None, line: NewLine | None, values: Mapping[str, str]) -> State:
    if key.is_removed:
        return "removed"
    if sold is None:
        return "added"
    if line is not None:
        now = (line.quantity, line.price, line.own_discount, line.option_ids, line.staff_id)
        before = (sold.quantity, sold.price, sold.own_discount, sold.option_ids, sold.staff_id)
        return "same" if now == before else "changed"
    same = (
        values["quantity"] == str(sold.quantity)
        and values["staff"] == str(sold.staff_id or "")
        and option_ids(values["options"]) == sold.option_ids
        and not values["price"]
        and not values["discount"]
    )
    return "same" if same else "changed"


def sums(order: EditableOrder, edited: EditedOrder | None, views: Sequence[RowView]) -> Sums:
    """Of the order as it becomes, or as it is."""
    changes = [view.after - view.before for view in views if view.after is not None] if edited else []
    now = edited or order
    return Sums(
        added=exact_sum(change for change in changes if change > 0),
        taken=exact_sum(change for change in changes if change < 0),
        difference=now.total - order.total,
        total=now.total,
        tax=now.tax_amount,
        due=now.total - order.paid_amount,
    )


def stock_changes(order: EditableOrder, edited: EditedOrder) -> list[StockChange]:
    """Of products that are counted."""
    units: dict[UUID, int] = {}
    for line in order.lines:
        for sold in line.stock:
            units[sold.item_id] = units.get(sold.item_id, 0) + sold.units * line.quantity
    for use in edited.stock:
        units[use.item_id] = units.get(use.item_id, 0) - use.units * use.quantity
    items = {item.id: item for item in order.items if item.stock is not None}
    return [StockChange(items[i], change) for i, change in units.items() if change and i in items]


def span_before(order: EditableOrder) -> Span | None:
    booked = [line.booking for line in order.lines if line.booking]
    return (min(b.start for b in booked), max(b.end for b in booked)) if booked else None


def span_after(order: EditableOrder, edited: EditedOrder) -> Span | None:
    if edited.bookings is None:
        return span_before(order)
    booked = edited.bookings
    return (min(b.start for b in booked), max(b.end for b in booked)) if booked else None


def new_providers(views: Sequence[RowView]) -> list[str]:
    """Who performs services that are added or changed."""
    names = [
        view.provider for view in views if view.state in ("added", "changed") and view.key.type is LineType.SERVICE
    ]
    return sorted({name for name in names if name is not None})


def _joined(ids: Sequence[UUID]) -> str:
    return ",".join(map(str, ids))
