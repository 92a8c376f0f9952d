"""Short acts on an item or a package: copy, put on and off sale, delete, move in the order, change the stock."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal
from uuid import UUID, uuid4

from frontdesk.catalog.edit_queries import SeenStock, SeenUse, item_in_use, package_in_use, stock_to_move
from frontdesk.catalog.entry_checks import names_search_key, new_slug
from frontdesk.catalog.problems import CatalogProblem
from frontdesk.i18n.languages import LANGUAGES
from frontdesk.i18n.texts import N_, translate
from frontdesk.postgres.act import FunctionCall, Lock
from frontdesk.postgres.write import Look
from frontdesk.problems import Problem, not_found

MAX_UNITS = 1_000_000
ManualReason = Literal["delivery", "correction", "loss", "opening", "uncounted"]
# An order that was placed after the look holds what it contains by its foreign keys.
_ORDERED_MEANWHILE = MappingProxyType({"23503": lambda: Problem(CatalogProblem.HAS_ORDERS)})


def look_at_use(item_id: UUID) -> Look[SeenUse]:
    lock = Lock("SELECT FROM items WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE", (item_id,))
    return Look(item_in_use(item_id), lock)


def look_at_package_use(package_id: UUID) -> Look[SeenUse]:
    lock = Lock("SELECT FROM packages WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE", (package_id,))
    return Look(package_in_use(package_id), lock)


def copied_name(name: Mapping[str, str]) -> dict[str, str]:
    return {
        language: translate(language, N_("{name} (copy)"), name=text) if language in LANGUAGES else text
        for language, text in name.items()
    }


def plan_copy(item_id: UUID, copy_id: UUID, seen: SeenUse) -> FunctionCall:
    _require(seen, "item")
    name = copied_name(seen.name)
    argument = {
        "id": copy_id,
        "source_id": item_id,
        "picture_id": uuid4(),
        "name": name,
        "name_search": names_search_key(name),
        "slug": new_slug(name, copy_id),
    }
    return FunctionCall("copy_item", argument)


def plan_item_status(item_id: UUID, seen: SeenUse, *, on_sale: bool) -> FunctionCall:
    _require(seen, "item")
    return FunctionCall("set_item_status", {"id": item_id, "status": on_sale})


def plan_package_status(package_id: UUID, seen: SeenUse, *, on_sale: bool) -> FunctionCall:
    _require(seen, "package")
    return FunctionCall("set_package_status", {"id": package_id, "status": on_sale})


def plan_item_deletion(item_id: UUID, seen: SeenUse) -> FunctionCall:
    _require(seen, "item")
    if seen.has_orders:
        raise Problem(CatalogProblem.HAS_ORDERS)
    if seen.packages:
        raise Problem(CatalogProblem.IN_PACKAGE)
    return FunctionCall("delete_item", {"id": item_id, "version": seen.version}, errors=_ORDERED_MEANWHILE)


def plan_package_deletion(package_id: UUID, seen: SeenUse) -> FunctionCall:
    _require(seen, "package")
    if seen.has_orders:
        raise Problem(CatalogProblem.HAS_ORDERS)
    return FunctionCall("delete_package", {"id": package_id, "version": seen.version}, errors=_ORDERED_MEANWHILE)


def plan_item_move(item_id: UUID, to: str | None, seen: SeenUse) -> FunctionCall:
    """`to` is "up", "down" or the id of the item of the same category that it comes before; None for the end."""
    _require(seen, "item")
    return FunctionCall("move_item", {"id": item_id, "to": to})


def _require(seen: SeenUse, noun: str) -> None:
    if seen.version is None:
        raise not_found(noun)


def look_at_stock(item_id: UUID) -> Look[SeenStock]:
    lock = Lock("SELECT FROM items WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE", (item_id,))
    return Look(stock_to_move(item_id), lock)


def plan_stock_change(
    item_id: UUID, option_id: UUID | None, reason: ManualReason, quantity: int, note: str | None, seen: SeenStock
) -> FunctionCall:
    """A delivery adds `quantity`, a loss takes it; a correction and an opening say what was counted.

    With "uncounted" the product and its options are no longer counted.
    """
    if seen.stock is None and not seen.options:
        raise not_found("product")
    if reason == "uncounted":
        return FunctionCall("move_stock", {"item_id": item_id, "reason": "correction", "note": note, "uncounted": True})
    if (option_id is None) == bool(seen.options) or (option_id is not None and option_id not in seen.options):
        raise Problem(CatalogProblem.OPTION_REQUIRED, "option_id")
    left = (seen.stock or 0) if option_id is None else seen.options[option_id]
    is_counted = reason in ("correction", "opening")
    if not (0 if is_counted else 1) <= quantity <= MAX_UNITS:
        raise Problem(CatalogProblem.WRONG_NUMBER, "quantity", least=0 if is_counted else 1, most=MAX_UNITS)
    if reason == "loss" and quantity > left:
        raise Problem(CatalogProblem.ABOVE_STOCK, "quantity", left=left)
    change = {"counted": quantity} if is_counted else {"units": quantity if reason == "delivery" else -quantity}
    return FunctionCall(
        "move_stock", {"item_id": item_id, "option_id": option_id, "reason": reason, "note": note, **change}
    )
