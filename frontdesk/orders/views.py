"""Saved views of the list of orders: filters under a name, for one person or for everybody."""

from uuid import UUID

from frontdesk.orders.problems import ViewProblem
from frontdesk.orders.queries.view_queries import StoredView, ViewToChange, view_to_change
from frontdesk.postgres.act import Act, Context, FunctionCall
from frontdesk.postgres.query import Query, lock_row
from frontdesk.postgres.write import UNIQUE
from frontdesk.problems import Problem, check_version, or_not_found
from frontdesk.values.ids import uuid7

MAX_VIEWS = 50  # of one person, and of everybody


class _ViewAct(Act[ViewToChange], frozen=True):
    view_id: UUID
    version: int

    def load(self) -> Query[ViewToChange]:
        return view_to_change(self.view_id, None).locking(lock_row("order_views", self.view_id))

    def checked(self, context: Context[ViewToChange]) -> StoredView:
        view = or_not_found(context.loaded.view, "view")
        check_version(self.version, view.version, view.id)
        return view


class CreateOrderView(Act[ViewToChange], frozen=True):
    """`user_id` is None for a view that everybody has."""

    user_id: UUID | None
    name: str
    query: str

    def load(self) -> Query[ViewToChange]:
        return view_to_change(None, self.user_id).locking(lock_row("order_views", None))

    def decide(self, context: Context[ViewToChange]) -> FunctionCall:
        name = _required(self.name)
        if context.loaded.number >= MAX_VIEWS:
            raise Problem(ViewProblem.TOO_MANY, "name", most=MAX_VIEWS)
        argument = {"id": uuid7(), "version": None, "user_id": self.user_id, "name": name, "query": self.query}
        return FunctionCall("save_order_view", argument, errors={UNIQUE: _name_used})


class ReplaceOrderView(_ViewAct, frozen=True):
    """The view keeps its name and gets other filters."""

    query: str

    def decide(self, context: Context[ViewToChange]) -> FunctionCall:
        view = self.checked(context)
        argument = {"id": view.id, "version": self.version, "name": view.name, "query": self.query}
        return FunctionCall("save_order_view", argument)


class RenameOrderView(_ViewAct, frozen=True):
    """The view keeps its filters and gets another name."""

    name: str

    def decide(self, context: Context[ViewToChange]) -> FunctionCall:
        view = self.checked(context)
        argument = {"id": view.id, "version": self.version, "name": _required(self.name), "query": view.query}
        return FunctionCall("save_order_view", argument, errors={UNIQUE: _name_used})


class DeleteOrderView(_ViewAct, frozen=True):
    def decide(self, context: Context[ViewToChange]) -> FunctionCall:
        return FunctionCall("delete_order_view", {"id": self.checked(context).id, "version": self.version})


def _required(name: str) -> str:
    name = name.strip()
    if not name:
        raise Problem(ViewProblem.NAME_REQUIRED, "name")
    return name


def _name_used() -> Problem:
    return Problem(ViewProblem.NAME_TAKEN, "name")
