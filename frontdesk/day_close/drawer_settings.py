"""How a business counts its cash: own shifts of cashiers, blind counts, and how many drawers each branch has."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from frontdesk.day_close.drawer_settings_queries import DrawerSettings, get_drawer_settings
from frontdesk.day_close.problems import CloseProblem, DrawerProblem
from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Lock, Query
from frontdesk.problems import Problem, SharedProblem, raise_all

MAX_DRAWERS = 20
_LOCK = Lock("SELECT FROM tenants WHERE id = $1 FOR NO KEY UPDATE", ())


class SaveDrawerSettings(Act[DrawerSettings], frozen=True):
    """Several drawers need own shifts: otherwise nobody could say into which of them the cash went."""

    own_shifts: bool
    blind_count: bool
    drawers: Mapping[UUID, int]  # by branch; one that is left out stays as it is

    def load(self) -> Query[DrawerSettings]:
        return get_drawer_settings().locking(_LOCK)

    def decide(self, context: Context[DrawerSettings]) -> FunctionCall:
        most = MAX_DRAWERS if self.own_shifts else 1
        loaded = context.loaded.branches
        numbers = [self.drawers.get(branch.id, branch.drawers) for branch in loaded]
        wrong = [branch for branch, number in zip(loaded, numbers, strict=True) if not 1 <= number <= most]
        kind = DrawerProblem.TOO_MANY if self.own_shifts else DrawerProblem.NEEDS_SHIFTS
        raise_all([Problem(kind, "drawers", str(branch.id)) for branch in wrong])
        branches = [{"id": branch.id, "drawers": number} for branch, number in zip(loaded, numbers, strict=True)]
        argument = {
            "seen": {
                "own_shifts": context.loaded.own_shifts,
                "blind_count": context.loaded.blind_count,
                "drawers": {str(branch.id): branch.drawers for branch in loaded},
            },
            "own_shifts": self.own_shifts,
            "blind_count": self.blind_count,
            "branches": branches,
        }
        return FunctionCall("save_drawer_settings", argument)


class ChangeDrawerSettings(Act[DrawerSettings], frozen=True):
    """What is None, and a branch that is left out, stays as it is."""

    own_shifts: bool | None = None
    blind_count: bool | None = None
    drawers: Sequence[tuple[UUID, int]] = ()  # by branch

    def load(self) -> Query[DrawerSettings]:
        return get_drawer_settings().locking(_LOCK)

    def decide(self, context: Context[DrawerSettings]) -> FunctionCall:
        loaded = context.loaded
        known = {branch.id: branch.drawers for branch in loaded.branches}
        unknown = [n for n, (branch_id, _) in enumerate(self.drawers) if branch_id not in known]
        raise_all([Problem(CloseProblem.UNKNOWN_BRANCH, "branches", n, "branch_id") for n in unknown])
        ids = [branch_id for branch_id, _ in self.drawers]
        twice = [n for n, branch_id in enumerate(ids) if branch_id in ids[:n]]
        raise_all([Problem(SharedProblem.DUPLICATE, "branches", n, "branch_id") for n in twice])
        own_shifts = loaded.own_shifts if self.own_shifts is None else self.own_shifts
        blind_count = loaded.blind_count if self.blind_count is None else self.blind_count
        numbers = known | dict(self.drawers)
        if not own_shifts and max(numbers.values(), default=1) > 1:
            several = [n for n, (_, number) in enumerate(self.drawers) if number > 1]
            places: list[tuple[str | int, ...]] = [("branches", n, "drawers") for n in several] or [("own_shifts",)]
            raise_all([Problem(DrawerProblem.NEEDS_SHIFTS, *place) for place in places])
        response = ResponseDocument("drawer_settings_document", context.tenant.tenant_id)
        if (own_shifts, blind_count, numbers) == (loaded.own_shifts, loaded.blind_count, known):
            return FunctionCall(None, None, response)
        return SaveDrawerSettings(own_shifts, blind_count, numbers).decide(context)._replace(response=response)
