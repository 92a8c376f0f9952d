"""Creating, changing, deleting and moving categories."""

from collections.abc import Iterator
from uuid import UUID

import msgspec

from frontdesk.catalog.changes import CategoryEntry
from frontdesk.catalog.edit_queries import SeenCategory, category_to_save
from frontdesk.catalog.entry_checks import name_problems, new_slug, raise_first_of_each_field
from frontdesk.catalog.problems import CatalogProblem
from frontdesk.postgres.act import FunctionCall, Lock
from frontdesk.postgres.write import Look
from frontdesk.problems import Problem, check_version, not_found
from frontdesk.values.text import is_name_taken


def look_at_category(category_id: UUID) -> Look[SeenCategory]:
    lock = Lock("SELECT FROM categories WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE", (category_id,))
    return Look(category_to_save(category_id), lock)


def plan_category(entry: CategoryEntry, seen: SeenCategory) -> FunctionCall:
    if entry.version is not None:
        if seen.version is None:
            raise not_found("category")
        check_version(entry.version, seen.version, entry.id)
    raise_first_of_each_field(_problems(entry, seen))
    slug = new_slug(entry.name, entry.id)
    argument = {**msgspec.structs.asdict(entry), "slug": slug, "description": entry.description or None}
    return FunctionCall("save_category", argument)


def _problems(entry: CategoryEntry, seen: SeenCategory) -> Iterator[Problem]:
    yield from name_problems(entry.name)
    if entry.branch_id not in seen.branches:
        yield Problem(CatalogProblem.UNKNOWN_BRANCH, "branch_id")
    if is_name_taken(entry.name, [other.name for other in seen.others if other.branch_id == entry.branch_id]):
        yield Problem(CatalogProblem.NAME_TAKEN, "name")


def plan_category_deletion(category_id: UUID, seen: SeenCategory) -> FunctionCall:
    if seen.version is None:
        raise not_found("category")
    if seen.item_count:
        raise _has_items()
    return FunctionCall("delete_category", {"id": category_id}, errors={"23503": _has_items})


def _has_items() -> Problem:
    return Problem(CatalogProblem.CATEGORY_HAS_ITEMS)


def plan_category_move(category_id: UUID, to: str | None, seen: SeenCategory) -> FunctionCall:
    """`to` is "up", "down" or the id of the category that it comes before; None for the end."""
    if seen.version is None:
        raise not_found("category")
    return FunctionCall("move_category", {"id": category_id, "to": to})
