"""The form of an item: its fields, and the rows of its options and of who performs it."""

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from typing import Annotated, NamedTuple, TypeVar
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.catalog.changes import ItemEntry, OptionEntry, PerformerEntry, PriceEntry
from frontdesk.catalog.page_queries import catalogue_choices
from frontdesk.catalog.page_types import Choice, EditedItem
from frontdesk.catalog.types import ItemType
from frontdesk.http.field_types import CalendarDate, EnteredAmount, EnteredMinutes, Integer, LongText
from frontdesk.i18n.texts import N_
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.problems import page_problem
from frontdesk.values.ids import uuid7
from frontdesk.values.money import format_amount
from frontdesk.values.text import by_language

T = TypeVar("T")
TAX_IS_ADDED = N_("Without tax, as all prices here. The tax is added.")
MAX_ROWS = 60
ITEM_FIELDS = {
    "branch_id": "branch",
    "category_id": "category",
    "tax_class_id": "tax_class",
    "options.#.name": "option_name_en.#",
    "options.#.price": "option_price.#",
    "options.#.offer_price": "option_offer.#",
    "options.#.duration": "option_duration.#",
    "options.#.quantity": "option_stock.#",
    "options.#.low_stock": "option_low.#",
    "options.#.sku": "option_sku.#",
    "options.#.barcode": "option_barcode.#",
    "performers.#.staff_id": "",
    "performers.#.price": "performer_price.#",
    "performers.#.duration": "performer_duration.#",
}
_TEXT_COLUMNS = ("name_en", "name_ar", "price", "offer", "duration", "sku", "barcode", "stock", "low")
Name = Annotated[str, Meta(max_length=255)]
Code = Annotated[str, Meta(max_length=64)]
_Amounts = Annotated[list[EnteredAmount | None], Meta(max_length=MAX_ROWS)]
_Numbers = Annotated[list[Integer | None], Meta(max_length=MAX_ROWS)]
_Codes = Annotated[list[Code | None], Meta(max_length=MAX_ROWS)]
_Names = Annotated[list[Name], Meta(max_length=MAX_ROWS)]
_Ids = Annotated[list[UUID], Meta(max_length=500)]


class TextFields(msgspec.Struct, kw_only=True):
    name_en: Name = ""
    name_ar: Name = ""
    description_en: LongText = ""
    description_ar: LongText = ""

    def names(self) -> dict[str, str]:
        return by_language(self.name_en, self.name_ar)

    def descriptions(self) -> dict[str, str]:
        return by_language(self.description_en, self.description_ar)


class SoldFields(TextFields, kw_only=True):
    """What items and packages have in common. `id` is the form's id and the new record's id."""

    id: UUID
    version: int | None = None
    branch: UUID | None = None
    tax_class: UUID | None = None
    sku: Code | None = None
    active: bool = False
    price: EnteredAmount | None = None
    offer_price: EnteredAmount | None = None
    offer_from: CalendarDate | None = None
    offer_until: CalendarDate | None = None
    picture: bytes = b""
    remove_picture: bool = False

    def prices(self) -> PriceEntry:
        return PriceEntry(
            amount_of(self.price),
            amount_of(self.offer_price),
            self.offer_from.day if self.offer_from else None,
            self.offer_until.day if self.offer_until else None,
        )


class ItemForm(SoldFields, kw_only=True):
    """Lists of one prefix have one entry a row; `performs` and `option_active` name the rows that are ticked."""

    type: ItemType
    category: UUID | None = None
    barcode: Code | None = None
    duration: EnteredMinutes | None = None
    buffer_before: EnteredMinutes | None = None
    buffer_after: EnteredMinutes | None = None
    cost: EnteredAmount | None = None
    supplier: Name | None = None
    stock: Integer | None = None
    low_stock: Integer | None = None
    option_id: _Ids = []
    option_name_en: _Names = []
    option_name_ar: _Names = []
    option_price: _Amounts = []
    option_offer: _Amounts = []
    option_duration: Annotated[list[EnteredMinutes | None], Meta(max_length=MAX_ROWS)] = []
    option_sku: _Codes = []
    option_barcode: _Codes = []
    option_stock: _Numbers = []
    option_low: _Numbers = []
    option_active: _Ids = []
    base_sellable: bool = False
    drop_option: UUID | None = None
    staff_id: _Ids = []
    performs: _Ids = []
    performed: _Ids = []  # those who were ticked when the page was opened
    performer_price: Annotated[list[EnteredAmount | None], Meta(max_length=500)] = []
    performer_duration: Annotated[list[EnteredMinutes | None], Meta(max_length=500)] = []

    def entry(self, branch_id: UUID, picture_id: UUID | None) -> ItemEntry:
        return ItemEntry(
            id=self.id,
            version=self.version,
            type=self.type,
            branch_id=branch_id,
            name=self.names(),
            description=self.descriptions(),
            price=self.prices(),
            category_id=self.category,
            tax_class_id=self.tax_class,
            sku=self.sku,
            barcode=self.barcode,
            status=self.active,
            picture_id=picture_id,
            duration=self.duration,
            buffer_before=self.buffer_before or 0,
            buffer_after=self.buffer_after or 0,
            cost=amount_of(self.cost),
            supplier=self.supplier,
            stock=self.stock,
            low_stock=self.low_stock,
            options=tuple(self._options()),
            base_sellable=self.base_sellable,
            performers=tuple(self._performers()),
        )

    def _options(self) -> Iterator[OptionEntry]:
        """Rows without a name and a price are empty."""
        lists = (self.option_name_en, self.option_name_ar, self.option_price, self.option_offer, self.option_low)
        if any(len(values) != len(self.option_id) for values in lists):
            raise _torn()
        for n, id_ in enumerate(self.option_id):
            name = by_language(self.option_name_en[n], self.option_name_ar[n])
            if id_ == self.drop_option or not (name or self.option_price[n]):
                continue
            yield OptionEntry(
                id_,
                name,
                amount_of(self.option_price[n]),
                amount_of(self.option_offer[n]),
                _nth(self.option_duration, n),
                _nth(self.option_sku, n),
                _nth(self.option_barcode, n),
                _nth(self.option_stock, n),
                self.option_low[n],
                id_ in self.option_active,
            )

    def _performers(self) -> Iterator[PerformerEntry]:
        if not len(self.staff_id) == len(self.performer_price) == len(self.performer_duration):
            raise _torn()
        if not {*self.performs, *self.performed}.issubset(self.staff_id):
            raise _torn()
        for n, staff_id in enumerate(self.staff_id):
            yield PerformerEntry(
                staff_id,
                staff_id in self.performs,
                amount_of(self.performer_price[n]),
                self.performer_duration[n],
                staff_id in self.performed,
            )


def amount_of(entered: EnteredAmount | None) -> Decimal | None:
    return None if entered is None else entered.amount


def _nth(values: Sequence[T], n: int) -> T | None:
    return values[n] if n < len(values) else None


def _torn() -> Exception:
    return page_problem(N_("The rows of the form do not match. Reload the page."))


class OneTimeForm(msgspec.Struct):
    """A form that is only sent; its id makes it count once."""

    id: UUID


async def only_branch(context: PageContext) -> UUID:
    """A business with one branch is not asked for it."""
    branches = (await context.fetch(catalogue_choices())).branches
    if len(branches) != 1:
        raise page_problem(N_("Choose a branch."), "branch")
    return branches[0].id


def named(context: PageContext, choices: Sequence[Choice], none: str | None = None) -> list[tuple[object, str]]:
    """The options of a select."""
    first: list[tuple[object, str]] = [] if none is None else [("", context.translate(none))]
    return first + [(choice.id, context.format.localized(choice.name)) for choice in choices]


class OptionRow(NamedTuple):
    """The texts of one row. `stock` is entered only for a row that is new; a saved one shows what is left."""

    id: str
    is_new: bool
    name_en: str = ""
    name_ar: str = ""
    price: str = ""
    offer: str = ""
    duration: str = ""
    sku: str = ""
    barcode: str = ""
    stock: str = ""
    low: str = ""
    is_active: bool = True
    quantity: int | None = None


class PerformerRow(NamedTuple):
    id: UUID
    name: str
    performs: bool
    price: str
    duration: str
    performed: bool


def option_rows(context: PageContext, item: EditedItem | None) -> list[OptionRow]:
    """What was entered, or what is stored, and an empty row."""
    saved = {str(option.id): option for option in (item.options if item else [])}
    if context.form.values:
        rows = [row._replace(is_new=row.id not in saved) for row in _entered_rows(context)]
        rows = [row._replace(quantity=saved[row.id].quantity if row.id in saved else None) for row in rows]
    else:
        show = _amount_text(context)
        rows = [
            OptionRow(
                str(option.id),
                False,  # noqa: FBT003 - in the order of the columns
                option.name.get("en", ""),
                option.name.get("ar", ""),
                show(option.price),
                show(option.offer_price),
                _text(option.duration),
                option.sku or "",
                option.barcode or "",
                "",
                _text(option.low_stock),
                option.is_active,
                option.quantity,
            )
            for option in saved.values()
        ]
    return [*rows, OptionRow(str(uuid7()), is_new=True)]


def _entered_rows(context: PageContext) -> Iterator[OptionRow]:
    values = context.form.values
    dropped = values.get("drop_option", [""])[-1]
    for n, id_ in enumerate(values.get("option_id", [])):
        row = [_nth(values.get(f"option_{column}", []), n) or "" for column in _TEXT_COLUMNS]
        if id_ != dropped and any(row[:3]):
            yield OptionRow._make((id_, True, *row, id_ in values.get("option_active", []), None))


def performer_rows(context: PageContext, item: EditedItem | None, staff: Sequence[Choice]) -> list[PerformerRow]:
    """A new service is performed by all, unless one is unticked."""
    performers = {performer.staff_id: performer for performer in (item.performers if item else [])}
    entered = context.form.values
    sent = {id_: n for n, id_ in enumerate(entered.get("staff_id", []))}
    show = _amount_text(context)
    rows = []
    for member in staff:
        name, index = context.format.localized(member.name), sent.get(str(member.id))
        if index is not None:
            price, duration = (
                str(_nth(entered.get(field, []), index) or "") for field in ("performer_price", "performer_duration")
            )
            performs, performed = (str(member.id) in entered.get(field, []) for field in ("performs", "performed"))
            rows.append(PerformerRow(member.id, name, performs, price, duration, performed))
            continue
        own = performers.get(member.id)
        rows.append(
            PerformerRow(
                member.id,
                name,
                own is not None or item is None,
                show(own.price if own else None),
                _text(own.duration if own else None),
                own is not None,
            )
        )
    return rows


def _amount_text(context: PageContext) -> Callable[[Decimal | None], str]:
    return lambda amount: "" if amount is None else format_amount(amount, context.tenant.currency_decimals)


def _text(number: int | None) -> str:
    return "" if number is None else str(number)
