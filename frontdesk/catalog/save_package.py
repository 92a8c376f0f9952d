"""Creating and changing a package, and how its price is shared among its parts."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

import msgspec

from frontdesk.catalog.changes import PackageEntry
from frontdesk.catalog.edit_queries import PackageToSave, package_to_save
from frontdesk.catalog.entry_checks import (
    code_problems,
    name_problems,
    new_slug,
    price_problems,
    raise_first_of_each_field,
)
from frontdesk.catalog.problems import CatalogProblem
from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query, lock_row
from frontdesk.problems import Problem, check_version, not_found
from frontdesk.values.money import from_minor, round_half_up, to_minor

MAX_PARTS = 50
MAX_QUANTITY = 1000
MAX_PERCENT = 100


class SavePackage(Act[PackageToSave], frozen=True):
    entry: PackageEntry

    def load(self) -> Query[PackageToSave]:
        return package_to_save(self.entry).locking(lock_row("packages", self.entry.id))

    def decide(self, context: Context[PackageToSave]) -> FunctionCall:
        loaded, decimals = context.loaded, context.tenant.currency_decimals
        if self.entry.version is not None:
            if loaded.version is None:
                raise not_found("package")
            check_version(self.entry.version, loaded.version, self.entry.id)
        return save_package(_with_percent_off(self.entry, loaded, decimals), loaded, decimals)


def save_package(entry: PackageEntry, loaded: PackageToSave, decimals: int) -> FunctionCall:
    raise_first_of_each_field(_problems(entry, loaded, decimals))
    fields = msgspec.structs.asdict(entry)
    prices = msgspec.structs.asdict(fields.pop("price"))
    del fields["percent_off"]
    texts = {"slug": new_slug(entry.name, entry.id), "description": entry.description or None}
    document = ResponseDocument("package_document", entry.id)
    return FunctionCall("save_package", {**fields, **prices, **texts}, document)


def _with_percent_off(entry: PackageEntry, loaded: PackageToSave, decimals: int) -> PackageEntry:
    """The price that follows from the percentage, if one was entered: off what the parts cost today."""
    if entry.percent_off is None or not 0 <= entry.percent_off <= MAX_PERCENT:
        return entry
    alone = sum((loaded.prices.get(part.item_id, Decimal(0)) * part.quantity for part in entry.contents), Decimal(0))
    price = round_half_up(alone * (100 - entry.percent_off) / 100, decimals)
    return msgspec.structs.replace(entry, price=msgspec.structs.replace(entry.price, price=price))


def _problems(entry: PackageEntry, loaded: PackageToSave, decimals: int) -> Iterator[Problem]:
    yield from name_problems(entry.name)
    yield from price_problems(entry.price, decimals)
    if entry.percent_off is not None and not 0 <= entry.percent_off <= MAX_PERCENT:
        yield Problem(CatalogProblem.WRONG_PERCENTAGE, "percent_off")
    if entry.branch_id not in loaded.branches:
        yield Problem(CatalogProblem.UNKNOWN_BRANCH, "branch_id")
    if entry.tax_class_id is not None and entry.tax_class_id not in loaded.tax_classes:
        yield Problem(CatalogProblem.UNKNOWN_TAX_CLASS, "tax_class_id")
    if not entry.contents:
        yield Problem(CatalogProblem.NO_PARTS, "contents")
    if len(entry.contents) > MAX_PARTS:
        yield Problem(CatalogProblem.TOO_MANY_PARTS, "contents", most=MAX_PARTS)
    if len({part.item_id for part in entry.contents}) < len(entry.contents):
        yield Problem(CatalogProblem.PART_TWICE, "contents")
    for n, part in enumerate(entry.contents):
        if loaded.items.get(part.item_id) != entry.branch_id:
            yield Problem(CatalogProblem.UNKNOWN_ITEM, "contents", n, "item_id")
        if not 1 <= part.quantity <= MAX_QUANTITY:
            yield Problem(CatalogProblem.WRONG_NUMBER, "contents", n, "quantity", least=1, most=MAX_QUANTITY)
    yield from code_problems([(("sku",), entry.sku)], loaded.codes)


def share_price(price: Decimal, alone: Sequence[Decimal], decimals: int) -> list[Decimal]:
    """Splits the price of a package by what its parts cost alone. The largest part takes what rounding leaves."""
    weights = [to_minor(amount, decimals) for amount in alone]
    total, whole = to_minor(price, decimals), sum(weights)
    if not weights:
        return []
    shares = [(total * weight * 2 + whole) // (2 * whole) if whole else 0 for weight in weights]
    shares[weights.index(max(weights))] += total - sum(shares)
    return [from_minor(share, decimals) for share in shares]
