"""Creating and changing an item with its options and performers."""

from html import escape

import msgspec

from frontdesk.catalog.changes import ItemEntry, OptionEntry, Texts
from frontdesk.catalog.edit_queries import SeenItem, item_to_save
from frontdesk.catalog.entry_checks import (
    AMOUNT,
    NAME,
    Problems,
    amount_problems,
    code_problems,
    collect,
    name_problems,
    names_search_key,
    new_slug,
    offer_problems,
    price_problems,
)
from frontdesk.catalog.types import ItemType
from frontdesk.errors import check_version, invalid, not_found
from frontdesk.postgres.write import Call, Lock, Look
from frontdesk.tenants.types import TenantContext

MAX_MINUTES = 1440
MAX_BUFFER = 240
MAX_OPTIONS = 50
MAX_STOCK = 1_000_000
NOT_TICKED = "Tick this person too, or leave price and minutes empty."


def look_at_item(entry: ItemEntry) -> Look[SeenItem]:
    lock = Lock("SELECT FROM items WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE", (entry.id,))
    return Look(item_to_save(entry), lock)


def plan_item(tenant: TenantContext, entry: ItemEntry, seen: SeenItem) -> Call:
    if entry.version is not None:
        if seen.version is None or seen.type != entry.type:
            raise not_found("item")
        check_version(entry.version, seen.version, entry.id)
    problems = collect(_problems(entry, seen, tenant.currency_decimals))
    if problems:
        raise invalid(problems)
    return Call("save_item", _argument(entry))


def _problems(entry: ItemEntry, seen: SeenItem, decimals: int) -> Problems:
    yield from name_problems(entry.name)
    yield from price_problems(entry.price, decimals)
    yield from amount_problems("cost", entry.cost, decimals)
    if entry.branch_id not in seen.branches:
        yield "branch", "Choose a branch."
    if entry.category_id is not None and seen.categories.get(entry.category_id) != entry.branch_id:
        yield "category", "Choose a category of the same branch."
    if entry.tax_class_id is not None and entry.tax_class_id not in seen.tax_classes:
        yield "tax_class", "Choose a tax class."
    if entry.type is ItemType.SERVICE:
        yield from _time_problems(entry)
        yield from _performer_problems(entry, seen, decimals)
    else:
        yield from _count_problems("stock", entry.stock)
        yield from _count_problems("low_stock", entry.low_stock)
    yield from _option_problems(entry, seen, decimals)
    codes = [("sku", entry.sku), ("barcode", entry.barcode)]
    for n, option in enumerate(entry.options):
        codes += [(f"option_sku.{n}", option.sku), (f"option_barcode.{n}", option.barcode)]
    yield from code_problems(codes, seen.codes)


def _time_problems(entry: ItemEntry) -> Problems:
    if entry.duration is None:
        yield "duration", "Enter a number of minutes."
    else:
        yield from _minute_problems("duration", entry.duration)
    for field, minutes in (("buffer_before", entry.buffer_before), ("buffer_after", entry.buffer_after)):
        if not 0 <= minutes <= MAX_BUFFER:
            yield field, f"Enter a number of minutes from 0 to {MAX_BUFFER}."


def _minute_problems(field: str, minutes: int | None) -> Problems:
    if minutes is not None and not 1 <= minutes <= MAX_MINUTES:
        yield field, f"Enter a number of minutes from 1 to {MAX_MINUTES}."


def _count_problems(field: str, count: int | None) -> Problems:
    if count is not None and not 0 <= count <= MAX_STOCK:
        yield field, f"Enter a number from 0 to {MAX_STOCK}."


def _performer_problems(entry: ItemEntry, seen: SeenItem, decimals: int) -> Problems:
    for n, performer in enumerate(entry.performers):
        if performer.staff_id not in seen.staff:
            yield "", "A staff member has left. Reload the page."
        own = performer.price is not None or performer.duration is not None
        if own and not (performer.performs or performer.performed):
            yield f"performer_price.{n}", NOT_TICKED
        yield from amount_problems(f"performer_price.{n}", performer.price, decimals)
        yield from _minute_problems(f"performer_duration.{n}", performer.duration)


def _option_problems(entry: ItemEntry, seen: SeenItem, decimals: int) -> Problems:
    if len(entry.options) > MAX_OPTIONS:
        yield "", f"An item has at most {MAX_OPTIONS} options."
    for n, option in enumerate(entry.options):
        if not option.name:
            yield f"option_name_en.{n}", NAME
        if option.price is None:
            yield f"option_price.{n}", AMOUNT
        yield from amount_problems(f"option_price.{n}", option.price, decimals)
        yield from offer_problems(f"option_offer.{n}", option.offer_price, option.price, decimals)
        yield from _minute_problems(f"option_duration.{n}", option.duration)
        yield from _count_problems(f"option_stock.{n}", option.quantity)
        yield from _count_problems(f"option_low.{n}", option.low_stock)
    kept = {option.id for option in entry.options}
    if seen.has_foreign_options or len(kept) < len(entry.options):
        yield "", "The rows of the form do not match. Reload the page."
    for used in seen.used_options:
        if used.id not in kept:
            yield "", f"The option '{used.name}' has orders or stock. Take it off sale instead."


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
        "stock": None if is_service else 0 if entry.options else entry.stock or 0,
        "low_stock": None if is_service else entry.low_stock,
        "options": [_option(option, is_service=is_service) for option in entry.options],
        "performers": entry.performers if is_service else (),
    }


def _option(option: OptionEntry, *, is_service: bool) -> dict[str, object]:
    fields = msgspec.structs.asdict(option)
    unused = {"quantity": None, "low_stock": None} if is_service else {"duration": None}
    return {**fields, "quantity": fields["quantity"] or 0, **unused}


def html_paragraphs(texts: Texts) -> dict[str, str]:
    return {
        language: "".join(f"<p>{escape(line)}</p>" for line in text.splitlines() if line.strip())
        for language, text in texts.items()
    }
