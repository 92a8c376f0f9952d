"""Creating, changing, deactivating and activating a branch."""

import re
from uuid import UUID

import msgspec

from frontdesk.postgres.act import Act, Context, FunctionCall
from frontdesk.postgres.query import Query, lock_row
from frontdesk.problems import Problem, check_version
from frontdesk.tenants.branch_queries import BranchToSave, branch_to_save, get_branch_in_use
from frontdesk.tenants.branch_types import BranchFields, BranchInUse
from frontdesk.tenants.problems import BranchProblem
from frontdesk.values.text import fold, search_key


def slug_of(name: str) -> str:
    """Keeps the letters of all scripts, as URLs do today."""
    return re.sub(r"[^\w]+", "-", search_key(name)).strip("-") or "store"


class SaveBranch(Act[BranchToSave], frozen=True):
    """Without a version it is a new one."""

    branch_id: UUID
    fields: BranchFields
    version: int | None = None

    def load(self) -> Query[BranchToSave]:
        return branch_to_save(self._changed_id, self.fields.slug).locking(lock_row("branches", self._changed_id))

    @property
    def _changed_id(self) -> UUID | None:
        return None if self.version is None else self.branch_id

    def decide(self, context: Context[BranchToSave]) -> FunctionCall:
        loaded = context.loaded
        if loaded.branch is not None:
            check_version(self.version, loaded.branch.version, self.branch_id)
        if fold(self.fields.name) in map(fold, loaded.names):
            raise Problem(BranchProblem.NAME_TAKEN, "name")
        if loaded.slug_owner is not None:
            raise Problem(BranchProblem.SLUG_TAKEN, "slug", name=loaded.slug_owner)
        argument = {"id": self.branch_id, "version": self.version, **msgspec.structs.asdict(self.fields)}
        return FunctionCall("save_branch", argument)


class SetBranchActive(Act[BranchInUse], frozen=True):
    """Bookings, staff and items of an inactive branch stay as they are; it offers no times."""

    branch_id: UUID
    active: bool

    def load(self) -> Query[BranchInUse]:
        return get_branch_in_use(self.branch_id).locking(lock_row("branches", self.branch_id))

    def decide(self, context: Context[BranchInUse]) -> FunctionCall:
        branch = context.loaded.branch
        if branch.status is self.active:
            return FunctionCall(None, {})
        if not self.active and context.loaded.is_last:
            raise Problem(BranchProblem.ONLY_ACTIVE_ONE)
        return FunctionCall("set_branch_active", {"id": branch.id, "version": branch.version, "active": self.active})
