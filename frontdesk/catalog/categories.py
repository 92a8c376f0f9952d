"""Creating, changing, deleting and moving categories."""

from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

import msgspec

from frontdesk.catalog.changes import CategoryEntry
from frontdesk.catalog.edit_queries import CategoryToChange, category_to_change
from frontdesk.catalog.entry_checks import name_problems, new_slug, raise_first_of_each_field
from frontdesk.catalog.problems import CatalogProblem
from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query, lock_row
from frontdesk.postgres.write import REMOVED
from frontdesk.problems import Problem, check_version, not_found, or_not_found
from frontdesk.values.text import is_name_taken


class SaveCategory(Act[CategoryToChange], frozen=True):
    entry: CategoryEntry

    def load(self) -> Query[CategoryToChange]:
        return category_to_change(self.entry.id).locking(lock_row("categories", self.entry.id))

    def decide(self, context: Context[CategoryToChange]) -> FunctionCall:
        entry = self.entry
        if entry.version is not None:
            check_version(entry.version, _existing_version(context.loaded), entry.id)
        return _save(entry, context.loaded)


class _CategoryAct(Act[CategoryToChange], frozen=True):
    category_id: UUID

    def load(self) -> Query[CategoryToChange]:
        return category_to_change(self.category_id).locking(lock_row("categories", self.category_id))


class ChangeCategory(_CategoryAct, frozen=True):
    """Other fields stay as they are."""

    changes: Mapping[str, Any]  # fields of an entry
    version: int | None = None

    def decide(self, context: Context[CategoryToChange]) -> FunctionCall:
        before = or_not_found(context.loaded.entry, "category")
        check_version(self.version, _existing_version(context.loaded), before.id)
        entry = msgspec.structs.replace(before, **self.changes)
        if entry == before:
            return FunctionCall(None, None, ResponseDocument("category_document", before.id))
        return _save(entry, context.loaded)


class DeleteCategory(_CategoryAct, frozen=True):
    def decide(self, context: Context[CategoryToChange]) -> FunctionCall:
        _existing_version(context.loaded)
        if context.loaded.item_count:
            raise _has_items()
        return FunctionCall("delete_category", {"id": self.category_id}, errors={REMOVED: _has_items})


class MoveCategory(_CategoryAct, frozen=True):
    """`to` is "up", "down" or the id of the category that it comes before; None for the end."""

    to: str | None

    def decide(self, context: Context[CategoryToChange]) -> FunctionCall:
        _existing_version(context.loaded)
        return FunctionCall("move_category", {"id": self.category_id, "to": self.to})


class PlaceCategory(_CategoryAct, frozen=True):
    """Before another one; None for the end."""

    before: UUID | None

    def decide(self, context: Context[CategoryToChange]) -> FunctionCall:
        _existing_version(context.loaded)
        if self.before is not None and self.before not in {other.id for other in context.loaded.others}:
            raise Problem(CatalogProblem.UNKNOWN_OTHER_CATEGORY, "before")
        response = ResponseDocument("category_document", self.category_id)
        return FunctionCall("move_category", {"id": self.category_id, "to": self.before}, response)


def _existing_version(category: CategoryToChange) -> int:
    if category.version is None:
        raise not_found("category")
    return category.version


def _save(entry: CategoryEntry, loaded: CategoryToChange) -> FunctionCall:
    raise_first_of_each_field(_problems(entry, loaded))
    slug = new_slug(entry.name, entry.id)
    argument = {**msgspec.structs.asdict(entry), "slug": slug, "description": entry.description or None}
    return FunctionCall("save_category", argument, ResponseDocument("category_document", entry.id))


def _problems(entry: CategoryEntry, loaded: CategoryToChange) -> Iterator[Problem]:
    yield from name_problems(entry.name)
    if entry.branch_id not in loaded.branches:
        yield Problem(CatalogProblem.UNKNOWN_BRANCH, "branch_id")
    if is_name_taken(entry.name, [other.name for other in loaded.others if other.branch_id == entry.branch_id]):
        yield Problem(CatalogProblem.NAME_TAKEN, "name")


def _has_items() -> Problem:
    return Problem(CatalogProblem.CATEGORY_HAS_ITEMS)
