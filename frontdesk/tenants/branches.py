"""Creating, changing, deactivating and activating a branch."""

import re
from uuid import UUID

from frontdesk.postgres.act import FunctionCall, Lock
from frontdesk.postgres.write import Look
from frontdesk.problems import Problem, check_version
from frontdesk.tenants.branch_queries import SeenBranch, branch_to_save, get_branch_in_use
from frontdesk.tenants.branch_types import BranchFields, BranchInUse
from frontdesk.tenants.problems import BranchProblem
from frontdesk.values.text import fold, search_key


def slug_of(name: str) -> str:
    """Keeps the letters of all scripts, as URLs do today."""
    return re.sub(r"[^\w]+", "-", search_key(name)).strip("-") or "store"


def look_at_branch(branch_id: UUID | None, slug: str) -> Look[SeenBranch]:
    return Look(branch_to_save(branch_id, slug), _lock(branch_id))


def plan_branch(seen: SeenBranch, branch_id: UUID, fields: BranchFields, version: int | None) -> FunctionCall:
    """`version` is that of the form; None for a new branch."""
    if seen.branch is not None and version is not None:
        check_version(version, seen.branch.version, branch_id)
    if fold(fields.name) in map(fold, seen.names):
        raise Problem(BranchProblem.NAME_TAKEN, "name")
    if seen.slug_owner is not None:
        raise Problem(BranchProblem.SLUG_TAKEN, "slug", name=seen.slug_owner)
    argument = {name: getattr(fields, name) for name in fields.__struct_fields__}
    current = None if seen.branch is None else seen.branch.version
    return FunctionCall("save_branch", {"id": branch_id, "version": current, **argument})


def look_at_branch_in_use(branch_id: UUID) -> Look[BranchInUse]:
    return Look(get_branch_in_use(branch_id), _lock(branch_id))


def plan_branch_active(seen: BranchInUse, *, active: bool) -> FunctionCall:
    """Bookings, staff and items of an inactive branch stay as they are; it offers no times."""
    branch = seen.branch
    if branch.status is active:
        return FunctionCall(None, {})
    if not active and seen.is_last:
        raise Problem(BranchProblem.ONLY_ACTIVE_ONE)
    return FunctionCall("set_branch_active", {"id": branch.id, "version": branch.version, "active": active})


def _lock(branch_id: UUID | None) -> Lock:
    return Lock("SELECT FROM branches WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE", (branch_id,))
