"""Creating and changing an item with its options and performers."""

from collections.abc import Iterator
from html import escape

import msgspec

from frontdesk.catalog.changes import ItemEntry, OptionEntry, Texts
from frontdesk.catalog.edit_queries import ItemToSave, item_to_save
from frontdesk.catalog.entry_checks import (
    Path,
    amount_problems,
    code_problems,
    name_problems,
    names_search_key,
    new_slug,
    offer_problems,
    price_problems,
    raise_first_of_each_field,
)
from frontdesk.catalog.problems import CatalogProblem
from frontdesk.catalog.types import ItemType
from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query, lock_row
from frontdesk.problems import Problem, check_version, not_found

MAX_MINUTES = 1440
MAX_BUFFER = 240
MAX_OPTIONS = 50
MAX_STOCK = 1_000_000


class SaveItem(Act[ItemToSave], frozen=True):
    entry: ItemEntry

    def load(self) -> Query[ItemToSave]:
        return item_to_save(self.entry).locking(lock_row("items", self.entry.id))

    def decide(self, context: Context[ItemToSave]) -> FunctionCall:
        entry, loaded = self.entry, context.loaded
        if entry.version is not None:
            if loaded.version is None or loaded.type != entry.type:
                raise not_found("item")
            check_version(entry.version, loaded.version, entry.id)
        return save_item(entry, loaded, context.tenant.currency_decimals)


def save_item(entry: ItemEntry, loaded: ItemToSave, decimals: int) -> FunctionCall:
    raise_first_of_each_field(_problems(entry, loaded, decimals))
    return FunctionCall("save_item", _argument(entry), ResponseDocument("item_document", entry.id))


def _problems(entry: ItemEntry, loaded: ItemToSave, decimals: int) -> Iterator[Problem]:
    yield from name_problems(entry.name)
    yield from price_problems(entry.price, decimals)
    yield from amount_problems(entry.cost, decimals, "cost")
    if entry.branch_id not in loaded.branches:
        yield Problem(CatalogProblem.UNKNOWN_BRANCH, "branch_id")
    if entry.category_id is not None and loaded.categories.get(entry.category_id) != entry.branch_id:
        yield Problem(CatalogProblem.UNKNOWN_CATEGORY, "category_id")
    if entry.tax_class_id is not None and entry.tax_class_id not in loaded.tax_classes:
        yield Problem(CatalogProblem.UNKNOWN_TAX_CLASS, "tax_class_id")
    if entry.type is ItemType.SERVICE:
        yield from _time_problems(entry)
        yield from _performer_problems(entry, loaded, decimals)
    else:
        yield from _count_problems(entry.stock, "stock")
        yield from _count_problems(entry.low_stock, "low_stock")
    yield from _option_problems(entry, loaded, decimals)
    codes: list[tuple[Path, str | None]] = [(("sku",), entry.sku), (("barcode",), entry.barcode)]
    for n, option in enumerate(entry.options):
        codes += [(("options", n, "sku"), option.sku), (("options", n, "barcode"), option.barcode)]
    yield from code_problems(codes, loaded.codes)


def _time_problems(entry: ItemEntry) -> Iterator[Problem]:
    if entry.duration is None:
        yield Problem(CatalogProblem.MINUTES_REQUIRED, "duration")
    else:
        yield from _minute_problems(entry.duration, "duration")
    for field, minutes in (("buffer_before", entry.buffer_before), ("buffer_after", entry.buffer_after)):
        if not 0 <= minutes <= MAX_BUFFER:
            yield Problem(CatalogProblem.WRONG_MINUTES, field, least=0, most=MAX_BUFFER)


def _minute_problems(minutes: int | None, *at: str | int) -> Iterator[Problem]:
    if minutes is not None and not 1 <= minutes <= MAX_MINUTES:
        yield Problem(CatalogProblem.WRONG_MINUTES, *at, least=1, most=MAX_MINUTES)


def _count_problems(count: int | None, *at: str | int) -> Iterator[Problem]:
    if count is not None and not 0 <= count <= MAX_STOCK:
        yield Problem(CatalogProblem.WRONG_NUMBER, *at, least=0, most=MAX_STOCK)


def _performer_problems(entry: ItemEntry, loaded: ItemToSave, decimals: int) -> Iterator[Problem]:
    for n, performer in enumerate(entry.performers):
        if performer.staff_id not in loaded.staff:
            yield Problem(CatalogProblem.STAFF_LEFT, "performers", n, "staff_id")
        own = performer.price is not None or performer.duration is not None
        if own and not (performer.performs or performer.performed):
            yield Problem(CatalogProblem.NOT_A_PERFORMER, "performers", n, "price")
        yield from amount_problems(performer.price, decimals, "performers", n, "price")
        yield from _minute_problems(performer.duration, "performers", n, "duration")


def _option_problems(entry: ItemEntry, loaded: ItemToSave, decimals: int) -> Iterator[Problem]:
    if len(entry.options) > MAX_OPTIONS:
        yield Problem(CatalogProblem.TOO_MANY_OPTIONS, most=MAX_OPTIONS)
    for n, option in enumerate(entry.options):
        if not option.name:
            yield Problem(CatalogProblem.NAME_REQUIRED, "options", n, "name")
        if option.price is None:
            yield Problem(CatalogProblem.NOT_AN_AMOUNT, "options", n, "price")
        yield from amount_problems(option.price, decimals, "options", n, "price")
        yield from offer_problems(option.offer_price, option.price, decimals, "options", n, "offer_price")
        yield from _minute_problems(option.duration, "options", n, "duration")
        yield from _count_problems(option.quantity, "options", n, "quantity")
        yield from _count_problems(option.low_stock, "options", n, "low_stock")
    kept = {option.id for option in entry.options}
    if loaded.has_foreign_options or len(kept) < len(entry.options):
        yield Problem(CatalogProblem.OTHER_OPTIONS)
    for used in loaded.used_options:
        if used.id not in kept:
            yield Problem(CatalogProblem.OPTION_IN_USE, name=used.name)


def _argument(entry: ItemEntry) -> dict[str, object]:
    is_service = entry.type is ItemType.SERVICE
    return {
        **msgspec.structs.asdict(entry.price),
        "id": entry.id,
        "version": entry.version,
        "type": entry.type,
        "branch_id": entry.branch_id,
        "category_id": entry.category_id,
        "tax_class_id": entry.tax_class_id,
        "sku": entry.sku,
        "barcode": entry.barcode,
        "name": entry.name,
        "name_search": names_search_key(entry.name),
        "slug": new_slug(entry.name, entry.id),
        "description": entry.description or None,
        "html_description": html_paragraphs(entry.description) or None,
        "picture_id": entry.picture_id,
        "status": entry.status,
        "duration": entry.duration if is_service else None,
        "buffer_before": entry.buffer_before if is_service else 0,
        "buffer_after": entry.buffer_after if is_service else 0,
        "cost": None if is_service else entry.cost,
        "supplier": None if is_service else entry.supplier,
        "stock": None if is_service or entry.options else entry.stock,
        "low_stock": None if is_service else entry.low_stock,
        "options": [_option(option, is_service=is_service) for option in entry.options],
        "base_sellable": entry.base_sellable,
        "performers": entry.performers if is_service else (),
    }


def _option(option: OptionEntry, *, is_service: bool) -> dict[str, object]:
    fields = msgspec.structs.asdict(option)
    unused = {"quantity": None, "low_stock": None} if is_service else {"duration": None}
    return {**fields, **unused}


def html_paragraphs(texts: Texts) -> dict[str, str]:
    return {
        language: "".join(f"<p>{escape(line)}</p>" for line in text.splitlines() if line.strip())
        for language, text in texts.items()
    }
