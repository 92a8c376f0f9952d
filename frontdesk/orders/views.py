"""Saved views of the list of orders: filters under a name, for one person or for everybody."""

from uuid import UUID

from frontdesk.orders.problems import ViewProblem
from frontdesk.orders.queries.view_queries import SeenViews, StoredView, lock_view, view_to_change
from frontdesk.postgres.act import FunctionCall
from frontdesk.postgres.write import UNIQUE, Look
from frontdesk.problems import Problem, check_version, not_found

MAX_VIEWS = 50  # of one person, and of everybody


def look_at_view(view_id: UUID | None, user_id: UUID | None) -> Look[SeenViews]:
    """`user_id` is None for a view that everybody has."""
    return Look(view_to_change(view_id, user_id), lock_view(view_id))


def plan_new_view(seen: SeenViews, view_id: UUID, user_id: UUID | None, name: str, query: str) -> FunctionCall:
    name = _required(name)
    if seen.many >= MAX_VIEWS:
        raise Problem(ViewProblem.TOO_MANY, "name", most=MAX_VIEWS)
    argument = {"id": view_id, "version": None, "user_id": user_id, "name": name, "query": query}
    return FunctionCall("save_order_view", argument, errors={UNIQUE: _name_used})


def plan_replaced_view(seen: SeenViews, version: int, query: str) -> FunctionCall:
    """The view keeps its name and gets other filters."""
    view = _found(seen)
    check_version(version, view.version, view.id)
    argument = {"id": view.id, "version": version, "name": view.name, "query": query}
    return FunctionCall("save_order_view", argument)


def plan_renamed_view(seen: SeenViews, version: int, name: str) -> FunctionCall:
    """The view keeps its filters and gets another name."""
    view = _found(seen)
    check_version(version, view.version, view.id)
    argument = {"id": view.id, "version": version, "name": _required(name), "query": view.query}
    return FunctionCall("save_order_view", argument, errors={UNIQUE: _name_used})


def plan_deleted_view(seen: SeenViews, version: int) -> FunctionCall:
    view = _found(seen)
    check_version(version, view.version, view.id)
    return FunctionCall("delete_order_view", {"id": view.id, "version": version})


def _required(name: str) -> str:
    name = name.strip()
    if not name:
        raise Problem(ViewProblem.NAME_REQUIRED, "name")
    return name


def _found(seen: SeenViews) -> StoredView:
    if seen.view is None:
        raise not_found("view")
    return seen.view


def _name_used() -> Problem:
    return Problem(ViewProblem.NAME_TAKEN, "name")
