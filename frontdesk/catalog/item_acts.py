"""Short acts on an item or a package: copy, put on and off sale, delete, move in the order."""

from collections.abc import Mapping
from types import MappingProxyType
from uuid import UUID, uuid4

from frontdesk.catalog.edit_queries import Use, has_item_place, item_in_use, package_in_use
from frontdesk.catalog.entry_checks import names_search_key, new_slug
from frontdesk.catalog.problems import CatalogProblem
from frontdesk.i18n.languages import LANGUAGES
from frontdesk.i18n.texts import N_, translate
from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query, lock_row
from frontdesk.postgres.write import REMOVED
from frontdesk.problems import Problem, SharedProblem, not_found

# An order that was placed after the load holds what it contains by its foreign keys.
_ORDERED_MEANWHILE = MappingProxyType({REMOVED: lambda: Problem(CatalogProblem.HAS_ORDERS)})


class _ItemAct(Act[Use], frozen=True):
    item_id: UUID

    def load(self) -> Query[Use]:
        return item_in_use(self.item_id).locking(lock_row("items", self.item_id))


class CopyItem(_ItemAct, frozen=True):
    copy_id: UUID

    def decide(self, context: Context[Use]) -> FunctionCall:
        _require(context.loaded, "item")
        name = copied_name(context.loaded.name)
        argument = {
            "id": self.copy_id,
            "source_id": self.item_id,
            "picture_id": uuid4(),
            "name": name,
            "name_search": names_search_key(name),
            "slug": new_slug(name, self.copy_id),
        }
        return FunctionCall("copy_item", argument)


class SetItemStatus(_ItemAct, frozen=True):
    on_sale: bool

    def decide(self, context: Context[Use]) -> FunctionCall:
        _require(context.loaded, "item")
        return FunctionCall("set_item_status", {"id": self.item_id, "status": self.on_sale})


class DeleteItem(_ItemAct, frozen=True):
    def decide(self, context: Context[Use]) -> FunctionCall:
        _require(context.loaded, "item")
        if context.loaded.has_orders:
            raise Problem(CatalogProblem.HAS_ORDERS)
        if context.loaded.packages:
            raise Problem(CatalogProblem.IN_PACKAGE)
        argument = {"id": self.item_id, "version": context.loaded.version}
        return FunctionCall("delete_item", argument, errors=_ORDERED_MEANWHILE)


class MoveItem(_ItemAct, frozen=True):
    """`to` is "up", "down" or the id of the item of the same category that it comes before; None for the end."""

    to: str | None

    def decide(self, context: Context[Use]) -> FunctionCall:
        _require(context.loaded, "item")
        return FunctionCall("move_item", {"id": self.item_id, "to": self.to})


class PlaceItem(Act[bool], frozen=True):
    """Before another item of the same category; None for the end."""

    item_id: UUID
    before: UUID | None

    def load(self) -> Query[bool]:
        return has_item_place(self.item_id, self.before).locking(lock_row("items", self.item_id))

    def decide(self, context: Context[bool]) -> FunctionCall:
        if not context.loaded:
            raise Problem(SharedProblem.NO_PLACE, "before")
        argument = {"id": self.item_id, "to": self.before}
        return FunctionCall("move_item", argument, ResponseDocument("item_document", self.item_id))


class _PackageAct(Act[Use], frozen=True):
    package_id: UUID

    def load(self) -> Query[Use]:
        return package_in_use(self.package_id).locking(lock_row("packages", self.package_id))


class SetPackageStatus(_PackageAct, frozen=True):
    on_sale: bool

    def decide(self, context: Context[Use]) -> FunctionCall:
        _require(context.loaded, "package")
        return FunctionCall("set_package_status", {"id": self.package_id, "status": self.on_sale})


class DeletePackage(_PackageAct, frozen=True):
    def decide(self, context: Context[Use]) -> FunctionCall:
        _require(context.loaded, "package")
        if context.loaded.has_orders:
            raise Problem(CatalogProblem.HAS_ORDERS)
        argument = {"id": self.package_id, "version": context.loaded.version}
        return FunctionCall("delete_package", argument, errors=_ORDERED_MEANWHILE)


def copied_name(name: Mapping[str, str]) -> dict[str, str]:
    return {
        language: translate(language, N_("{name} (copy)"), name=text) if language in LANGUAGES else text
        for language, text in name.items()
    }


def _require(use: Use, noun: str) -> None:
    if use.version is None:
        raise not_found(noun)
