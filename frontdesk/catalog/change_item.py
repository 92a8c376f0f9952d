"""Changing some fields of an item, of one of its options or of a package, by the rules of the whole."""

from collections.abc import Collection, Mapping
from typing import Any
from uuid import UUID

import msgspec

from frontdesk.catalog.changes import ItemEntry, OptionEntry, PartEntry, PerformerEntry, PriceEntry
from frontdesk.catalog.edit_queries import (
    ItemToChange,
    PackageToChange,
    item_of_option_to_change,
    item_to_change,
    lock_item_of_option,
    package_to_change,
)
from frontdesk.catalog.problems import CatalogProblem
from frontdesk.catalog.save_item import save_item
from frontdesk.catalog.save_package import save_package
from frontdesk.catalog.types import ItemType
from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query, lock_row
from frontdesk.problems import Problem, check_version, raise_all

Changes = Mapping[str, Any]  # fields of an entry; those of its price by their own names
_PRICE = PriceEntry.__struct_fields__
_CODES = ("sku", "barcode")
_OF_TYPE = {
    ItemType.SERVICE: ("duration", "buffer_before", "buffer_after", "performers"),
    ItemType.PRODUCT: ("cost", "supplier", "stock", "low_stock"),
}


class ChangeItem(Act[ItemToChange], frozen=True):
    """`performers` is who performs the service from now on; who did before keeps their own price and duration."""

    item_id: UUID
    changes: Changes
    performers: Collection[UUID] | None = None
    version: int | None = None

    def load(self) -> Query[ItemToChange]:
        return item_to_change(self.item_id, _codes(self.changes)).locking(lock_row("items", self.item_id))

    def decide(self, context: Context[ItemToChange]) -> FunctionCall:
        loaded = context.loaded
        check_version(self.version, loaded.rules.version or 0, self.item_id)
        check_type(loaded.entry.type, {**self.changes, "performers": self.performers})
        entry = _changed(loaded.entry, _without_known_stock(self.changes, loaded))
        if self.performers is not None:
            _check_known(self.performers, loaded.rules.staff)
            performers = tuple(_performers(self.performers, loaded.entry))
            entry = msgspec.structs.replace(entry, performers=performers)
        return _save(entry, loaded, context.tenant.currency_decimals)


class AddOption(Act[ItemToChange], frozen=True):
    item_id: UUID
    option: OptionEntry
    version: int | None = None

    def load(self) -> Query[ItemToChange]:
        codes = _codes(msgspec.structs.asdict(self.option))
        return item_to_change(self.item_id, codes).locking(lock_row("items", self.item_id))

    def decide(self, context: Context[ItemToChange]) -> FunctionCall:
        before = context.loaded.entry
        check_version(self.version, context.loaded.rules.version or 0, self.item_id)
        entry = msgspec.structs.replace(before, options=(*before.options, self.option))
        return _save(entry, context.loaded, context.tenant.currency_decimals)


class ChangeOption(Act[ItemToChange], frozen=True):
    """`version` is that of the item."""

    option_id: UUID
    changes: Changes
    version: int | None = None

    def load(self) -> Query[ItemToChange]:
        query = item_of_option_to_change(self.option_id, _codes(self.changes))
        return query.locking(lock_item_of_option(self.option_id))

    def decide(self, context: Context[ItemToChange]) -> FunctionCall:
        before = context.loaded.entry
        check_version(self.version, context.loaded.rules.version or 0, before.id)
        index = next(n for n, option in enumerate(before.options) if option.id == self.option_id)
        option = msgspec.structs.replace(before.options[index], **self.changes)
        options = (*before.options[:index], option, *before.options[index + 1 :])
        entry = msgspec.structs.replace(before, options=options)
        return _save(entry, context.loaded, context.tenant.currency_decimals)


class ChangePackage(Act[PackageToChange], frozen=True):
    package_id: UUID
    changes: Changes
    version: int | None = None

    def load(self) -> Query[PackageToChange]:
        contents: Collection[PartEntry] = self.changes.get("contents", ())
        items = [part.item_id for part in contents]
        query = package_to_change(self.package_id, _codes(self.changes), items)
        return query.locking(lock_row("packages", self.package_id))

    def decide(self, context: Context[PackageToChange]) -> FunctionCall:
        before = context.loaded.entry
        check_version(self.version, before.version or 0, self.package_id)
        fields, price = _parts(before.price, self.changes)
        entry = msgspec.structs.replace(before, price=price, **fields)
        if entry == before:
            return FunctionCall(None, None, ResponseDocument("package_document", self.package_id))
        return save_package(entry, context.loaded.rules, context.tenant.currency_decimals)


def check_type(type_: ItemType, fields: Changes) -> None:
    """What only the other type of items has would be lost without a word."""
    other = ItemType.PRODUCT if type_ is ItemType.SERVICE else ItemType.SERVICE
    wrong = [name for name in _OF_TYPE[other] if fields.get(name)]
    raise_all([Problem(CatalogProblem.OF_OTHER_TYPE, name, type=other.value) for name in wrong])


def _codes(changes: Changes) -> list[str]:
    return [changes[field] for field in _CODES if changes.get(field)]


def _changed(entry: ItemEntry, changes: Changes) -> ItemEntry:
    fields, price = _parts(entry.price, changes)
    return msgspec.structs.replace(entry, price=price, **fields)


def _parts(price: PriceEntry, changes: Changes) -> tuple[dict[str, Any], PriceEntry]:
    fields = {name: value for name, value in changes.items() if name not in _PRICE}
    prices = {name: value for name, value in changes.items() if name in _PRICE}
    return fields, msgspec.structs.replace(price, **prices)


def _without_known_stock(changes: Changes, loaded: ItemToChange) -> Changes:
    """A stock begins to count, once. What is counted changes by movements, which say why."""
    stock = changes.get("stock")
    if loaded.stock is None or "stock" not in changes:
        return changes
    if stock not in (None, loaded.stock):
        raise Problem(CatalogProblem.STOCK_COUNTED, "stock")
    return {name: value for name, value in changes.items() if name != "stock"}


def _check_known(wanted: Collection[UUID], staff: Collection[UUID]) -> None:
    unknown = [n for n, staff_id in enumerate(wanted) if staff_id not in staff]
    raise_all([Problem(CatalogProblem.STAFF_LEFT, "performers", n, "staff_id") for n in unknown])


def _performers(wanted: Collection[UUID], before: ItemEntry) -> list[PerformerEntry]:
    """In the order of those before, so that the same ones are no change."""
    known = {performer.staff_id: performer for performer in before.performers}
    kept = [
        performer if staff_id in wanted else PerformerEntry(staff_id, performs=False, performed=True)
        for staff_id, performer in known.items()
    ]
    return [*kept, *(PerformerEntry(staff_id, performs=True) for staff_id in wanted if staff_id not in known)]


def _save(entry: ItemEntry, loaded: ItemToChange, decimals: int) -> FunctionCall:
    if entry == loaded.entry:
        return FunctionCall(None, None, ResponseDocument("item_document", entry.id))
    return save_item(entry, loaded.rules, decimals)
