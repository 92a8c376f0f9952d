"""The form on which the lines of an order are changed. Its fields hold the whole order, so it works without script."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.http.field_types import DateTimeInput, EnteredAmount, LongText
from frontdesk.http.forms import Fields
from frontdesk.i18n.texts import N_
from frontdesk.orders.edit import OrderEdit
from frontdesk.orders.edit_lines import LineChange
from frontdesk.orders.pricing import Discount, DiscountKind
from frontdesk.orders.queries.order_to_edit import SoldLine
from frontdesk.orders.types import LineType
from frontdesk.problems import Problem
from frontdesk.ui.orders.edit_queries import EditableOrder
from frontdesk.ui.shell.problems import page_problem

MAX_LINES = 60  # a form has at most 500 fields
_Quantity = Annotated[int, Meta(ge=1, le=1_000_000)]
_PER_LINE = ("row", "quantity", "staff", "options", "price", "discount")
_REMOVED = "removed"
BackAddress = Annotated[str, Meta(max_length=4000)]  # of the page that asked; without it the order's


class EditForm(msgspec.Struct):
    """Lists with one entry a line. An empty price or discount stays as it is."""

    version: int
    row: Annotated[list[str], Meta(max_length=MAX_LINES)] = []  # "line|item|type|removed"
    quantity: Annotated[list[_Quantity], Meta(max_length=MAX_LINES)] = []
    staff: Annotated[list[UUID | None], Meta(max_length=MAX_LINES)] = []
    options: Annotated[list[str], Meta(max_length=MAX_LINES)] = []  # ids, comma separated
    price: Annotated[list[EnteredAmount | None], Meta(max_length=MAX_LINES)] = []
    discount: Annotated[list[EnteredAmount | None], Meta(max_length=MAX_LINES)] = []
    order_discount: EnteredAmount | None = None
    discount_kind: Literal["percentage", "fixed"] = "percentage"
    discount_all: bool = False
    start: DateTimeInput | None = None
    note: LongText | None = None
    total: str = ""  # that the page showed
    act: str = "update"
    search: str = ""
    back: BackAddress = ""

    @property
    def has_prices(self) -> bool:
        return any(price is not None for price in self.price) or any(amount is not None for amount in self.discount)

    def edit(self) -> OrderEdit:
        columns = (self.quantity, self.staff, self.options, self.price, self.discount)
        if any(len(column) != len(self.row) for column in columns):
            raise page_problem(N_("The rows of the form do not match. Reload the page."), "row")
        rows = [RowKey.parse(text) for text in self.row]
        lines = [
            LineChange(
                row.line_id,
                row.type,
                row.item_id,
                self.quantity[index],
                self.staff[index],
                option_ids(self.options[index]),
                _amount(self.price[index]),
                _amount(self.discount[index]),
            )
            for index, row in enumerate(rows)
            if not row.is_removed
        ]
        return OrderEdit(self.version, lines, self._discount(), self.start.written if self.start else None, self.note)

    def _discount(self) -> Discount | None:
        if self.order_discount is None:
            return None
        return Discount(DiscountKind(self.discount_kind), self.order_discount.amount, self.discount_all)


def _amount(entered: EnteredAmount | None) -> Decimal | None:
    return None if entered is None else entered.amount


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


class RowKey(msgspec.Struct, frozen=True):
    line_id: UUID | None
    item_id: UUID
    type: LineType
    is_removed: bool = False

    @classmethod
    def parse(cls, text: str) -> "RowKey":
        parts = text.split("|")
        item_id = _uuid(parts[1]) if len(parts) == 4 else None
        if item_id is None or parts[2] not in list(LineType):
            raise page_problem(N_("The rows of the form do not match. Reload the page."), "row")
        return cls(_uuid(parts[0]), item_id, LineType(parts[2]), parts[3] == _REMOVED)

    @property
    def text(self) -> str:
        removed = _REMOVED if self.is_removed else ""
        return f"{self.line_id or ''}|{self.item_id}|{self.type.value}|{removed}"


def option_ids(text: str) -> tuple[UUID, ...]:
    found = (_uuid(part) for part in text.split(","))
    return tuple(option_id for option_id in found if option_id is not None)


def filled_form(order: EditableOrder, start: datetime | None) -> dict[str, list[str]]:
    """The form of the order as it is. `start` is its local time."""
    discount = order.discount
    fields: dict[str, list[str]] = {name: [] for name in _PER_LINE} | {
        "version": [str(order.version)],
        "start": [start.isoformat(timespec="minutes")] if start else [],
        "order_discount": [f"{discount.amount.normalize():f}"] if discount else [],
        "discount_kind": [discount.kind.value if discount else DiscountKind.PERCENTAGE.value],
        "discount_all": ["yes"] if discount is None or discount.apply_all else [],
    }
    for line in order.lines:
        _append_sold(fields, line)
    return fields


def with_lines_of(order: EditableOrder, fields: dict[str, list[str]]) -> None:
    """Adds lines that the form does not know, because they were added in another tab, and drops those that are gone."""
    keys = [row_key(text) for text in fields.get("row", [])]
    sold = {line.id for line in order.lines}
    for index in reversed(range(len(keys))):
        key = keys[index]
        gone = key is None or (key.is_removed if key.line_id is None else key.line_id not in sold)
        if gone:
            _delete(fields, index)
    named = {key.line_id for key in keys if key is not None}
    for line in order.lines:
        if line.id not in named:
            _append_sold(fields, line)


def _append_sold(fields: dict[str, list[str]], line: SoldLine) -> None:
    options = ",".join(map(str, line.option_ids))
    key = RowKey(line.id, line.item_id, line.type)
    _append(fields, key, quantity=line.quantity, staff=str(line.staff_id or ""), options=options)


def _delete(fields: dict[str, list[str]], index: int) -> None:
    for name in _PER_LINE:
        del fields.get(name, [])[index : index + 1]


def _append(
    fields: dict[str, list[str]], key: RowKey, *, quantity: int = 1, staff: str = "", options: str = ""
) -> None:
    entries = (key.text, str(quantity), staff, options, "", "")
    for name, entry in zip(_PER_LINE, entries, strict=True):
        fields.setdefault(name, []).append(entry)


def apply_act(values: Fields) -> dict[str, list[str]]:
    """The form after one of its buttons was pressed: a line removed, put back or added, or another start chosen."""
    fields = {name: list(entries) for name, entries in values.items()}
    act, _, argument = (fields.pop("act", None) or ["update"])[-1].partition(":")
    rows = fields.get("row", [])
    if act in ("remove", "back") and argument in map(str, range(len(rows))):
        _toggle(fields, int(argument), is_removed=act == "remove")
    elif act == "add":
        kind, _, item = argument.partition(":")
        item_id = _uuid(item)
        if item_id is not None and kind in list(LineType) and len(rows) < MAX_LINES:
            _append(fields, RowKey(None, item_id, LineType(kind)))
            fields["search"] = []
    elif act == "start":
        fields["start"] = [argument]
    return fields


def _toggle(fields: dict[str, list[str]], index: int, *, is_removed: bool) -> None:
    """A line that was only added disappears; one of the order stays on the page, so that it can be put back."""
    key = row_key(fields["row"][index])
    if key is None or (key.line_id is None and is_removed):
        _delete(fields, index)
    else:
        fields["row"][index] = msgspec.structs.replace(key, is_removed=is_removed).text


def row_key(text: str) -> RowKey | None:
    try:
        return RowKey.parse(text)
    except Problem:
        return None


def entry(fields: Mapping[str, list[str]], name: str, index: int) -> str:
    entries = fields.get(name, [])
    return entries[index] if index < len(entries) else ""
