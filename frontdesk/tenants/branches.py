"""Creating, changing, deactivating and activating a branch."""

import re
from collections.abc import Mapping
from typing import Any
from uuid import UUID

import msgspec

from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Lock, Query, lock_row
from frontdesk.problems import Problem, check_version, or_not_found
from frontdesk.tenants.branch_queries import BranchToSave, branch_to_save, get_branch_in_use
from frontdesk.tenants.branch_types import BranchFields, BranchInUse
from frontdesk.tenants.problems import BranchProblem
from frontdesk.values.text import fold, search_key

_CLOSING = "SELECT FROM branches WHERE tenant_id = $1 AND (status OR id = $2) ORDER BY id FOR NO KEY UPDATE"


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
        return _save(self.branch_id, self.fields, loaded, self.version)


class ChangeBranch(Act[BranchToSave], frozen=True):
    """Other fields stay as they are."""

    branch_id: UUID
    changes: Mapping[str, Any]  # fields of a branch, and `status`

    def load(self) -> Query[BranchToSave]:
        slug = self.changes.get("slug", "")
        closes = self.changes.get("status") is False
        return branch_to_save(self.branch_id, slug).locking(_lock(self.branch_id, closes=closes))

    def decide(self, context: Context[BranchToSave]) -> FunctionCall:
        stored = or_not_found(context.loaded.branch, "branch")
        after = msgspec.structs.replace(stored, **self.changes)
        if after == stored:
            return FunctionCall(None, None, ResponseDocument("branch_document", stored.id))
        if stored.status and not after.status and context.loaded.is_last:
            raise Problem(BranchProblem.ONLY_ACTIVE_ONE)
        fields = BranchFields(**{name: getattr(after, name) for name in BranchFields.__struct_fields__})
        return _save(stored.id, fields, context.loaded, stored.version, status=after.status)


def _save(
    branch_id: UUID, fields: BranchFields, loaded: BranchToSave, version: int | None, **more: bool
) -> FunctionCall:
    if fold(fields.name) in map(fold, loaded.names):
        raise Problem(BranchProblem.NAME_TAKEN, "name")
    if loaded.slug_owner is not None:
        raise Problem(BranchProblem.SLUG_TAKEN, "slug", name=loaded.slug_owner)
    argument = {"id": branch_id, "version": version, **msgspec.structs.asdict(fields), **more}
    return FunctionCall("save_branch", argument, ResponseDocument("branch_document", branch_id))


def _lock(branch_id: UUID, *, closes: bool) -> Lock:
    """As `lock_branches_to_close` does, where the branch is closed."""
    return Lock(_CLOSING, (branch_id,)) if closes else lock_row("branches", branch_id)


class SetBranchActive(Act[BranchInUse], frozen=True):
    """Bookings, staff and items of an inactive branch stay as they are; it offers no times."""

    branch_id: UUID
    active: bool

    def load(self) -> Query[BranchInUse]:
        return get_branch_in_use(self.branch_id).locking(_lock(self.branch_id, closes=not self.active))

    def decide(self, context: Context[BranchInUse]) -> FunctionCall:
        branch = context.loaded.branch
        if branch.status is self.active:
            return FunctionCall(None, {})
        if not self.active and context.loaded.is_last:
            raise Problem(BranchProblem.ONLY_ACTIVE_ONE)
        return FunctionCall("set_branch_active", {"id": branch.id, "version": branch.version, "active": self.active})
