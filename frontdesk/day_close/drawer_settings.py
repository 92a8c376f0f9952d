"""How a business counts its cash: own shifts of cashiers, blind counts, and how many drawers each branch has."""

from collections.abc import Mapping
from uuid import UUID

from frontdesk.day_close.drawer_settings_queries import DrawerSettings, get_drawer_settings
from frontdesk.day_close.problems import DrawerProblem
from frontdesk.postgres.act import Act, Context, FunctionCall
from frontdesk.postgres.query import Query
from frontdesk.problems import Problem, raise_all

MAX_DRAWERS = 20


class SaveDrawerSettings(Act[DrawerSettings], frozen=True):
    """Several drawers need own shifts: otherwise nobody could say into which of them the cash went."""

    own_shifts: bool
    blind_count: bool
    drawers: Mapping[UUID, int]  # by branch; one that is left out stays as it is

    def load(self) -> Query[DrawerSettings]:
        return get_drawer_settings()

    def decide(self, context: Context[DrawerSettings]) -> FunctionCall:
        most = MAX_DRAWERS if self.own_shifts else 1
        loaded = context.loaded.branches
        numbers = [self.drawers.get(branch.id, branch.drawers) for branch in loaded]
        wrong = [branch for branch, number in zip(loaded, numbers, strict=True) if not 1 <= number <= most]
        kind = DrawerProblem.TOO_MANY if self.own_shifts else DrawerProblem.NEEDS_SHIFTS
        raise_all([Problem(kind, "drawers", str(branch.id)) for branch in wrong])
        branches = [{"id": branch.id, "drawers": number} for branch, number in zip(loaded, numbers, strict=True)]
        argument = {"own_shifts": self.own_shifts, "blind_count": self.blind_count, "branches": branches}
        return FunctionCall("save_drawer_settings", argument)
